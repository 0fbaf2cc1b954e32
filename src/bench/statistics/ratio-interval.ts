import { fewestSamples } from '../../lib/sample-counts.js';
import type { RatioInterval } from '../bench-result.js';
import { type MatchedRounds, matchRounds, type RunValue, sortByRun } from './match-rounds.js';
import { medianOf } from './median.js';
import { testApart } from './rank-sum.js';
import { resampleRatios } from './resample-ratios.js';
import { testPairs } from './signed-rank.js';

const resamples = 4000;
/** Share of the resampled ratios beyond each end of the 95 % interval. */
const tailShare = 0.025;
const mostProbability = 0.05;

/**
 * Compares two rows: the ratio of their medians, its 95 % interval, and whether a difference was seen.
 *
 * The interval is a percentile bootstrap over rounds ({@link resampleRatios}); with 6 to 10 samples it holds the true
 * ratio in 93 to 95 %. So a difference is called one only if the interval excludes 1 **and** so lopsided a result has a
 * chance of at most 5 % between equal rows: by signed ranks over the rounds that both have, which holds whatever the
 * tails and the drift, or by rank sums where they share fewer than {@link fewestSamples} rounds. Among many rows the
 * lowest is lowest by luck too, so the interval that has to exclude 1 is a wider one there: its tails are divided by the
 * number of comparisons. The one that is returned is always that of 95 %.
 *
 * Found by simulation, 2 to 5 % noise, 5 to 50 rounds, 400 to 1,000 repetitions: two equal rows are called different in
 * 0 to 4.3 %, whether noise is normal or every eighth sample is late by 15 % on average, the machine drifts and jumps, is
 * slow for several samples on end or has two speeds; by the interval alone it would be up to 7 %. With rounds until the
 * median total is known to 5 % (11 to 50), 0 to 4.5 %; a row that is 10 % slower is then found in 94 to 100 %. Of tables
 * with 6 and 12 equal rows (120 repetitions) one holds a false verdict in 2 to 4 % with 20 rounds, in 8 to 14 % with 10,
 * and in 20 to 41 % with 6, where the widest interval that can be drawn is little wider than that of 95 %.
 *
 * With real processes on two shared processors (`npm run study:aa`), equal rows were called different in 0 of 79
 * repetitions of 10 to 30 rounds, and a planted 10 % was found in 18 of 20.
 *
 * With fewer than {@link fewestSamples} samples of a row there is no 95 % interval without assumptions, and
 * nothing is judged: the ends are then the most extreme ratios that the values allow.
 *
 * @param a - One value > 0 per sample of the first row, in any order.
 * @param b - The same of the second row, in the same unit.
 * @param comparisons - How many pairs of rows could have been compared, ≥ 1: k (k − 1) ÷ 2 for k rows of which each is
 *   compared with the lowest.
 * @returns First ÷ second; the same for the same values, and the reciprocal when rows are swapped. Null without a value
 *   on either side.
 */
export function compareSamples(
  a: readonly RunValue[],
  b: readonly RunValue[],
  comparisons: number,
): RatioInterval | null {
  if (a.length === 0 || b.length === 0) return null;
  if (!isLater(a, b)) return compareInOrder(a, b, comparisons);
  // Draws for what only one row has depend on which row comes first.
  const { ratio, low, high, samples, verdict } = compareInOrder(b, a, comparisons);
  return { ratio: 1 / ratio, low: 1 / high, high: 1 / low, samples, verdict: opposites[verdict] };
}

const opposites = {
  slower: 'faster',
  faster: 'slower',
  'no-measurable-difference': 'no-measurable-difference',
  'too-few-samples': 'too-few-samples',
} as const;

function compareInOrder(a: readonly RunValue[], b: readonly RunValue[], comparisons: number): RatioInterval {
  const valuesA = a.map(({ value }) => value);
  const valuesB = b.map(({ value }) => value);
  const ratio = medianOf(valuesA) / medianOf(valuesB);
  const samples = Math.min(a.length, b.length);
  if (samples < fewestSamples) {
    const low = Math.min(...valuesA) / Math.max(...valuesB);
    const high = Math.max(...valuesA) / Math.min(...valuesB);
    return { ratio, low, high, samples, verdict: 'too-few-samples' };
  }
  const rounds = matchRounds(a, b);
  const ratios = resampleRatios(rounds, resamples);
  const { low, high } = takeEnds(ratios, ratio, tailShare);
  const family = takeEnds(ratios, ratio, tailShare / comparisons);
  const isApart = family.low > 1 || family.high < 1;
  if (!isApart || testRounds(rounds) > mostProbability) {
    return { ratio, low, high, samples, verdict: 'no-measurable-difference' };
  }
  return { ratio, low, high, samples, verdict: low > 1 ? 'slower' : 'faster' };
}

function takeEnds(ratios: Float64Array, ratio: number, beyondEach: number): { low: number; high: number } {
  const beyond = Math.max(0, Math.ceil(beyondEach * ratios.length) - 1);
  return {
    low: Math.min(ratio, ratios[beyond] ?? ratio),
    high: Math.max(ratio, ratios[ratios.length - 1 - beyond] ?? ratio),
  };
}

function testRounds({ pairs, onlyA, onlyB }: MatchedRounds): number {
  if (pairs.length >= fewestSamples) return testPairs(pairs);
  return testApart([...pairs.map(([a]) => a), ...onlyA], [...pairs.map(([, b]) => b), ...onlyB]);
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
