import type { BenchBaseline } from '../bench-options.js';
import type { BaselineVerdict, BenchRow, BenchSample, RatioInterval } from '../bench-result.js';
import { compareTotals, findLowest, isOfGroup, nameOf } from './compare-rows.js';
import { leastSamples } from './ratio-interval.js';

/**
 * Judges whether the best that this run would ship is slower than a release that was measured in the same rounds. The
 * interval decides, not the ratio: `fail` when all of it lies above what is accepted, `pass` when all of it lies at or
 * below, `inconclusive` when it reaches to both sides, or rests on fewer than six samples of either row, which have no
 * 95 % interval.
 *
 * @param rows - All rows, those of the release included.
 * @param samples - All samples.
 * @param baseline - The release and the highest ratio that is accepted.
 * @returns The verdict; of several memory settings and cache states the worst. Null where the release and a candidate
 *   were nowhere both measured and comparable.
 */
export function judgeBaseline(
  rows: readonly BenchRow[],
  samples: readonly BenchSample[],
  baseline: BenchBaseline,
): BaselineVerdict | null {
  const isBaseline = (row: BenchRow) => row.variantId === baseline.variantId;
  const verdicts = rows
    .filter((row) => isBaseline(row) && row.delivery === baseline.delivery)
    .flatMap((row) => {
      const candidate = findLowest(rows.filter((other) => isOfGroup(other, row) && !isBaseline(other)));
      return candidate === null ? [] : (judgePair(candidate, row, samples, baseline) ?? []);
    });
  return (
    verdicts.toSorted(
      (left, right) => weigh(right) - weigh(left) || right.total.ratio - left.total.ratio,
    )[0] ?? null
  );
}

function judgePair(
  candidate: BenchRow,
  row: BenchRow,
  samples: readonly BenchSample[],
  { release, mostRatio }: BenchBaseline,
): BaselineVerdict | null {
  const total = row.comparable.total === null ? compareTotals(candidate, row, samples, 1) : null;
  if (total === null) return null;
  const fewest = Math.min(...[candidate, row].map((each) => each.runs - each.failures));
  const verdict = fewest < leastSamples ? 'inconclusive' : judgeInterval(total, mostRatio);
  return { release, baseline: nameOf(row), candidate: nameOf(candidate), mostRatio, total, verdict };
}

function judgeInterval({ low, high }: RatioInterval, mostRatio: number): BaselineVerdict['verdict'] {
  if (low > mostRatio) return 'fail';
  return high <= mostRatio ? 'pass' : 'inconclusive';
}

function weigh({ verdict }: BaselineVerdict): number {
  return ['pass', 'inconclusive', 'fail'].indexOf(verdict);
}
