import { compareSamples } from './bench/statistics/ratio-interval.js';
import type { TellsApart } from './pick/pick-rules.js';

const verdicts = {
  slower: 'different',
  faster: 'different',
  'no-measurable-difference': 'same',
  'too-few-samples': 'unknown',
} as const;

/**
 * Tells two candidates apart the way a benchmark compares its rows: by rounds, with the same interval and test. Real runs
 * have no rounds in common with anything, and tell nothing.
 *
 * @param left - Samples of one candidate.
 * @param right - Samples of another, of the same quantity.
 * @param comparisons - How many pairs of candidates could be compared.
 * @returns Whether they differ; `unknown` without enough samples.
 */
export const tellApart: TellsApart = (left, right, comparisons) => {
  if ([...left, ...right].some(({ value }) => value <= 0)) return 'unknown';
  const compared = compareSamples(listRuns(left), listRuns(right), comparisons);
  return compared === null ? 'unknown' : verdicts[compared.verdict];
};

function listRuns(samples: Parameters<TellsApart>[0]) {
  return samples.map(({ round, value }) => ({ run: round, value }));
}
