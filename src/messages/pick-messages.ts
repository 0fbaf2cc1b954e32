import { defineMessage } from './message.js';

type Row = {
  readonly name: string;
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
};

const nameRange = ({ name, minMs, maxMs }: Row) => `${name} (${minMs.toFixed(1)}–${maxMs.toFixed(1)} ms)`;

/** Choosing what to ship. */
export const pickMessages = {
  'pick-no-candidate': defineMessage<{ objective: string; considered: number; reasons: readonly string[] }>({
    exit: 1,
    what: (facts) =>
      facts.considered === 0
        ? 'There is nothing to pick from: no variant and delivery was considered.'
        : `None of ${facts.considered} candidates can be picked by ${facts.objective}: ${facts.reasons.join('; ')}.`,
    remedy: () =>
      'Mend what each candidate lost by, or loosen `pick.require.parity` or `pick.require.budgets` to `any` in the pipeline.',
  }),
  'pick-within-noise': defineMessage<{ objective: string; winner: Row; overlapping: readonly Row[] }>({
    exit: 1,
    what: (facts) =>
      `Within the noise: by ${facts.objective}, the samples of ${nameRange(facts.winner)} overlap those of ` +
      `${facts.overlapping.map(nameRange).join(', ')}.`,
    remedy: () =>
      'Measure again on a machine that does nothing else to tell them apart, or take any of them.',
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
};
