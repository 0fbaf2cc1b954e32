import { hasSameName, isMostOf } from '../../lib/compared-row.js';
import type { BenchBaseline } from '../bench-options.js';
import type { BaselineVerdict, BenchRow, BenchSample, RatioInterval } from '../bench-result.js';
import { compareTotals, findLowest, isOfGroup, nameOf } from './compare-rows.js';

/**
 * Judges whether the best that this run could ship is slower than a release that was measured in the same rounds: by
 * total, whatever pick minimises, since that is what a user waits for. What has a failed sample cannot be picked and is
 * no candidate; a row of a few stray samples is none either. The interval decides, not the ratio: `fail` when all of it
 * lies above what is accepted, `pass` when all of it lies at or below, `inconclusive` when it reaches to both sides, or
 * rests on fewer than six samples of either row, which have no 95 % interval.
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
    .filter((row) => isBaseline(row) && row.delivery === baseline.delivery && isMostOf(row, rows))
    .flatMap((row) => {
      const group = rows.filter((other) => isOfGroup(other, row) && !isBaseline(other));
      const candidate = findLowest(group.filter((other) => isShippable(other, rows)));
      return candidate === null ? [] : (judgePair(candidate, row, samples, baseline) ?? []);
    });
  return (
    verdicts.toSorted(
      (left, right) => weigh(right) - weigh(left) || right.total.ratio - left.total.ratio,
    )[0] ?? null
  );
}

function isShippable(row: BenchRow, rows: readonly BenchRow[]): boolean {
  return isMostOf(row, rows) && rows.every((other) => other.failures === 0 || !hasSameName(other, row));
}

function judgePair(
  candidate: BenchRow,
  row: BenchRow,
  samples: readonly BenchSample[],
  { release, mostRatio }: BenchBaseline,
): BaselineVerdict | null {
  const total = row.comparable.total === null ? compareTotals(candidate, row, samples, 1) : null;
  if (total === null) return null;
  const verdict = judgeInterval(total, mostRatio);
  return { release, baseline: nameOf(row), candidate: nameOf(candidate), mostRatio, total, verdict };
}

function judgeInterval(total: RatioInterval, mostRatio: number): BaselineVerdict['verdict'] {
  const { low, high } = total;
  if (total.verdict === 'too-few-samples') return 'inconclusive';
  if (low > mostRatio) return 'fail';
  return high <= mostRatio ? 'pass' : 'inconclusive';
}

function weigh({ verdict }: BaselineVerdict): number {
  return ['pass', 'inconclusive', 'fail'].indexOf(verdict);
}
