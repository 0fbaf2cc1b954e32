import { defineMessage } from './message.js';

/** What the values of an objective are counted in. */
type Unit = 'ms' | 'bytes' | 'usd' | 'score';

type Row = {
  readonly name: string;
  readonly value: number;
  readonly min: number | null;
  readonly max: number | null;
};

type Evidence = { readonly what: string; readonly source: string | null };

const suffixes: Readonly<Record<Unit, string>> = { ms: ' ms', bytes: ' B', usd: ' USD', score: '' };

const writeNumber = (value: number, unit: Unit) =>
  unit === 'ms' ? value.toFixed(1) : `${Number(value.toPrecision(4))}`;

const writeValue = (value: number, unit: Unit) => `${writeNumber(value, unit)}${suffixes[unit]}`;

function nameRange({ name, value, min, max }: Row, unit: Unit): string {
  if (min === null || max === null) return `${name} (${writeValue(value, unit)})`;
  return `${name} (${writeNumber(min, unit)}–${writeValue(max, unit)})`;
}

/** The winner, and those that it is not told from. */
type Lead = { objective: string; unit: Unit; winner: Row; overlapping: readonly Row[] };

const listOverlapping = ({ overlapping, unit }: Lead) =>
  overlapping.map((row) => nameRange(row, unit)).join(', ');

const sayEvidence = ({ what, source }: Evidence) => `${what} (${source ?? 'no source'})`;

/** More names of one reason help nobody. */
const shownNames = 3;

function listReason({
  reason,
  names,
}: {
  readonly reason: string;
  readonly names: readonly string[];
}): string {
  const more = names.length > shownNames ? ` and ${names.length - shownNames} more` : '';
  return `\n  ${names.slice(0, shownNames).join(', ')}${more}: ${reason}`;
}

/** Choosing what to ship. */
export const pickMessages = {
  'pick-no-candidate': defineMessage<{
    objective: string;
    considered: number;
    /** Each once, with the names of those that it holds for. */
    reasons: readonly { readonly reason: string; readonly names: readonly string[] }[];
    /** Whether a limit or a requirement refused one. */
    isRefused: boolean;
    /** Whether one lacks a time that no measurement here can see. */
    isIncomparable: boolean;
  }>({
    exit: 1,
    what: (facts) =>
      facts.considered === 0
        ? 'There is nothing to pick from: no variant and delivery was considered.'
        : `None of ${facts.considered} candidates can be picked by ${facts.objective}:${facts.reasons.map(listReason).join('')}`,
    remedy: ({ isRefused, isIncomparable }) =>
      [
        ...(isIncomparable
          ? [
              'State in the pipeline what the reasons name: `bench.environment.DELIVERY` (ms, source) of each delivery, `restoreMs` and `source` of `pick.startModes.snapstart`; or give real runs (`--imported`).',
            ]
          : []),
        ...(isRefused || !isIncomparable
          ? [
              'Mend what each candidate lost by, or loosen `pick.limits`, or `parity`, `budgets` or `bound` of `pick.require` to `any`, in the pipeline.',
            ]
          : []),
      ].join(' '),
  }),
  'pick-within-noise': defineMessage<Lead>({
    exit: 1,
    what: (facts) =>
      `Within the noise: by ${facts.objective}, ${nameRange(facts.winner, facts.unit)} is not told from ` +
      `${listOverlapping(facts)}.`,
    remedy: () =>
      'Measure again on a machine that does nothing else to tell them apart, or take any of them.',
  }),
  'pick-lead-not-established': defineMessage<Lead>({
    exit: 1,
    what: (facts) =>
      `The samples do not establish the lead: by ${facts.objective}, ${nameRange(facts.winner, facts.unit)} is not told from ` +
      `${listOverlapping(facts)}, which is more than 10 % higher.`,
    remedy: () =>
      'Take more samples: `bench.targetWidth` in the pipeline (`--target-width`) takes them until the median is known, `bench.runs` (`--runs`) sets how many.',
  }),
  'pick-lead-unseen': defineMessage<Lead>({
    exit: 1,
    what: (facts) =>
      `Times that were not measured here make the lead: by ${facts.objective}, what was measured does not put ` +
      `${nameRange(facts.winner, facts.unit)} ahead of ${listOverlapping(facts)}.`,
    remedy: () =>
      'Measure both on the platform and give pick the figures of their real runs (`optimise-model bench import`, `--imported`).',
  }),
  'pick-limit-by-highest': defineMessage<{
    winner: string;
    passed: readonly { readonly name: string; readonly mostMs: number; readonly runs: number }[];
    neededRuns: number;
  }>({
    exit: 1,
    what: (facts) =>
      `${facts.winner} passed limits on a 95th percentile by the highest sample: ` +
      `${facts.passed.map(({ name, mostMs, runs }) => `${name} (${writeValue(mostMs, 'ms')}) by that of ${runs === 1 ? '1 run' : `${runs} runs`}`).join(', ')}.`,
    remedy: (facts) =>
      `Set \`bench.runs\` in the pipeline (\`--runs\`) to ${facts.neededRuns} or more to know the 95th percentile.`,
  }),
  'pick-few-runs': defineMessage<{ objective: string; runs: number; neededRuns: number }>({
    exit: 1,
    what: (facts) =>
      `The order by ${facts.objective} is not established: ${facts.runs === 1 ? '1 run' : `${facts.runs} runs`} per ` +
      `variant and delivery, fewer than ${facts.neededRuns}, say nothing of how the figures spread.`,
    remedy: (facts) => `Set \`bench.runs\` in the pipeline (\`--runs\`) to ${facts.neededRuns} or more.`,
  }),
  'pick-ready-of-lazy': defineMessage<{ winner: string; totalMs: number | null }>({
    exit: 1,
    what: (facts) =>
      `${facts.winner} is ready first because \`ready\` of \`lazy\` does not depend on the variant: it is the start of the ` +
      `process alone; its total ${facts.totalMs === null ? 'was not measured' : `is ${Math.round(facts.totalMs)} ms`}.`,
    remedy: () =>
      'Choose by `pick.objective: total`, or leave `lazy` out of `bench.deliveries`, if the first request may not wait.',
  }),
  'pick-unproven-winner': defineMessage<{ winner: string; reason: string }>({
    exit: 1,
    what: (facts) => `${facts.winner} was chosen although ${facts.reason}.`,
    remedy: () =>
      'Set `pick.require.parity` in the pipeline to `pass` (leave out `--allow-unproven`) to ship proven variants only.',
  }),
  'pick-winner-over-budget': defineMessage<{ winner: string; reason: string }>({
    exit: 1,
    what: (facts) => `${facts.winner} was chosen although ${facts.reason}.`,
    remedy: () =>
      'Set `pick.require.budgets` in the pipeline to `pass` (leave out `--allow-over-budget`) to ship only what fits.',
  }),
  'pick-bound-winner': defineMessage<{ winner: string; binding: string }>({
    exit: 1,
    what: (facts) =>
      `${facts.winner} was chosen although it is not portable: ${facts.binding}. Anywhere else it may be refused, or be slow.`,
    remedy: () =>
      'Make it again whenever the runtime or the processors change, or set `pick.require.bound` in the pipeline to `no` (leave out `--allow-bound`).',
  }),
  'pick-bound-left-out': defineMessage<{
    bound: string;
    binding: string;
    objective: string;
    unit: Unit;
    value: number;
    winner: string | null;
    winnerValue: number | null;
  }>({
    exit: 1,
    what: (facts) =>
      `${facts.bound} would have won by ${facts.objective} with ${writeValue(facts.value, facts.unit)}` +
      `${facts.winner === null || facts.winnerValue === null ? '' : ` against ${writeValue(facts.winnerValue, facts.unit)} of ${facts.winner}`}` +
      `, and was left out because it is not portable: ${facts.binding}.`,
    remedy: () =>
      'Set `pick.require.bound` in the pipeline to `any` (`--allow-bound`) if it is made again whenever the runtime or the processors change.',
  }),
  'pick-rests-on-assumption': defineMessage<{
    winner: string;
    objective: string;
    assumptions: readonly Evidence[];
  }>({
    exit: 1,
    what: (facts) =>
      `The ${facts.objective} of ${facts.winner} rests on assumptions: ` +
      `${facts.assumptions.map(sayEvidence).join(', ')}.`,
    remedy: () =>
      'Import figures of the platform itself (`optimise-model bench import`) in place of what is assumed.',
  }),
  'pick-mixed-evidence': defineMessage<{ objective: string; sources: readonly string[] }>({
    exit: 1,
    what: (facts) =>
      `By ${facts.objective}, figures that were measured here stand beside imported ones: ${facts.sources.join(', ')}.`,
    remedy: () =>
      'Read a lead across them with care: the machines differ. Import figures of every candidate to compare like with like.',
  }),
  'pick-limit-not-judged': defineMessage<{
    winner: string;
    limits: readonly { readonly name: string; readonly mostMs: number; readonly source: string }[];
  }>({
    exit: 1,
    what: (facts) =>
      `Nothing that was measured of ${facts.winner} can be held against ` +
      `${facts.limits.map(({ name, mostMs, source }) => `${name}, ${mostMs / 1000} s (${source})`).join('; ')}.`,
    remedy: () =>
      'Measure it (`optimise-model bench`), state the 95th percentile of what is only stated (`bench.environment.DELIVERY.p95Ms`, `pick.startModes.snapstart.restoreP95Ms`), or set `pick.invokedThrough` in the pipeline to how it is called.',
  }),
};
