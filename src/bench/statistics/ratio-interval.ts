import type { RatioInterval } from '../bench-result.js';
import { type MatchedRounds, matchRounds, type RunValue, sortByRun } from './match-rounds.js';
import { medianOf } from './median.js';
import { testApart } from './rank-sum.js';
import { resampleRatios } from './resample-ratios.js';
import { testPairs } from './signed-rank.js';

/** Below this many samples of either row no difference is ever called one. */
export const leastSamples = 6;

const resamples = 4000;
/** Share of the resampled ratios beyond each end of the 95 % interval. */
const tailShare = 0.025;
const mostProbability = 0.05;

/**
 * Compares two rows: the ratio of their medians, its 95 % interval, and whether a difference was seen.
 *
 * The interval is a percentile bootstrap over rounds ({@link resampleRatios}). By itself it is a little too eager with
 * few samples. So a difference is called one only if the interval excludes 1 **and** the chance of so lopsided a result
 * between equal rows is at most 5 %: by signed ranks over the rounds that both have, which holds exactly whatever the
 * tails and the drift, or by rank sums where they share fewer than {@link leastSamples} rounds.
 *
 * Found by simulation with 3 % noise of normal and heavy tails, drift with a jump, bursts over several samples and two
 * modes, 5 to 30 rounds, 1,000 repetitions each: two equal rows are called different in 0 to 4.3 % (by the interval
 * alone in up to 7 %). A row that is 10 % slower is found in ≥ 99 % from 8 rounds on with normal noise, in 75 to 80 % of
 * 8 to 10 rounds and ≥ 93 % of 15 where every eighth sample is 15 % late or more and the machine drifts, and in ≥ 98 %
 * of 20. With bursts and with two modes, 12 % to 40 % apart, which move the medians themselves, it takes 30 rounds for
 * 86 to 92 %.
 *
 * With fewer than {@link leastSamples} samples of a row there is no 95 % interval without assumptions: the ends are
 * then the most extreme ratios that the values allow.
 *
 * @param a - One value > 0 per sample of the first row, in any order.
 * @param b - The same of the second row, in the same unit.
 * @returns First ÷ second; the same for the same values, and the reciprocal when rows are swapped. Null without a value
 *   on either side.
 */
export function compareSamples(a: readonly RunValue[], b: readonly RunValue[]): RatioInterval | null {
  if (a.length === 0 || b.length === 0) return null;
  if (!isLater(a, b)) return compareInOrder(a, b);
  // Draws for what only one row has depend on which row comes first.
  const { ratio, low, high, verdict } = compareInOrder(b, a);
  return { ratio: 1 / ratio, low: 1 / high, high: 1 / low, verdict: opposites[verdict] };
}

const opposites = {
  slower: 'faster',
  faster: 'slower',
  'no-measurable-difference': 'no-measurable-difference',
} as const;

function compareInOrder(a: readonly RunValue[], b: readonly RunValue[]): RatioInterval {
  const valuesA = a.map(({ value }) => value);
  const valuesB = b.map(({ value }) => value);
  const ratio = medianOf(valuesA) / medianOf(valuesB);
  if (Math.min(a.length, b.length) < leastSamples) {
    const low = Math.min(...valuesA) / Math.max(...valuesB);
    const high = Math.max(...valuesA) / Math.min(...valuesB);
    return { ratio, low, high, verdict: 'no-measurable-difference' };
  }
  const rounds = matchRounds(a, b);
  const ratios = resampleRatios(rounds, resamples);
  const beyond = Math.ceil(tailShare * resamples) - 1;
  const low = Math.min(ratio, ratios[beyond] ?? ratio);
  const high = Math.max(ratio, ratios[resamples - 1 - beyond] ?? ratio);
  const isApart = low > 1 || high < 1;
  if (!isApart || testRounds(rounds, valuesA, valuesB) > mostProbability) {
    return { ratio, low, high, verdict: 'no-measurable-difference' };
  }
  return { ratio, low, high, verdict: low > 1 ? 'slower' : 'faster' };
}

function testRounds({ pairs }: MatchedRounds, a: readonly number[], b: readonly number[]): number {
  return pairs.length >= leastSamples ? testPairs(pairs) : testApart(a, b);
}

/** Any order of rows will do that does not depend on which comes first. */
function isLater(a: readonly RunValue[], b: readonly RunValue[]): boolean {
  const [sortedA, sortedB] = [sortByRun(a), sortByRun(b)];
  for (const [index, { run, value }] of sortedA.entries()) {
    const other = sortedB[index];
    if (other === undefined) return true;
    if (run !== other.run) return run > other.run;
    if (value !== other.value) return value > other.value;
  }
  return false;
}
