import { defineMessage } from './message.js';

type Row = { readonly variantId: string; readonly delivery: string; readonly reason: string };

/** Each reason once, after everything it holds for. */
function groupByReason(rows: readonly Row[]): readonly string[] {
  const reasons = [...new Set(rows.map((row) => row.reason))];
  return reasons.map((reason) => {
    const names = rows
      .filter((row) => row.reason === reason)
      .map((row) => `${row.variantId} by ${row.delivery}`);
    return `${names.join(', ')} (${reason})`;
  });
}

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
  'pick-not-comparable': defineMessage<{
    objective: string;
    rows: readonly Row[];
  }>({
    exit: 1,
    what: (facts) =>
      `Not comparable by ${facts.objective}, so they could not win: ` +
      `${groupByReason(facts.rows).join('; ')}.`,
    remedy: () =>
      'State what the measurement cannot see, such as `bench.environment.layer: { ms, source }` in the pipeline, or choose ' +
      'another `pick.objective`.',
  }),
  'pick-within-noise': defineMessage<{
    objective: string;
    winner: string;
    runnerUp: string;
    winnerMin: number;
    winnerMax: number;
    runnerUpMin: number;
    runnerUpMax: number;
  }>({
    exit: 1,
    what: (facts) =>
      `Within the noise: by ${facts.objective}, ${facts.winner} (${facts.winnerMin.toFixed(1)}–${facts.winnerMax.toFixed(1)} ms) and ` +
      `${facts.runnerUp} (${facts.runnerUpMin.toFixed(1)}–${facts.runnerUpMax.toFixed(1)} ms) overlap.`,
    remedy: () => 'Raise `bench.runs` in the pipeline (`--runs`) to tell them apart, or take either.',
  }),
};
