import type { BenchComparison, BenchRow, BenchSample, RatioInterval, RowName } from '../bench-result.js';
import { comparedMedians } from '../compared-medians.js';
import type { RunValue } from './match-rounds.js';
import { compareSamples } from './ratio-interval.js';
import { listSteadyMedians, listTotals, samplesOf } from './row-samples.js';

/**
 * Compares each row with the one that has the lowest median total of the same memory in the same cache state. Rows whose
 * total leaves something out take no part.
 *
 * @param rows - All rows.
 * @param samples - All samples, in any order.
 * @returns One comparison for each row but the lowest of its group, in the order of the rows.
 */
export function compareRows(rows: readonly BenchRow[], samples: readonly BenchSample[]): BenchComparison[] {
  const comparable = rows.filter((row) => comparedMedians(row).totalMs !== null);
  return comparable.flatMap((row) => {
    const group = comparable.filter((other) => isOfGroup(other, row));
    const lowest = findLowest(group);
    return lowest === null || lowest === row
      ? []
      : (comparePair(row, lowest, samples, countPairs(group)) ?? []);
  });
}

function comparePair(
  row: BenchRow,
  lowest: BenchRow,
  samples: readonly BenchSample[],
  pairs: number,
): BenchComparison | null {
  const total = compareTotals(row, lowest, samples, pairs);
  if (total === null) return null;
  const steady = compareSamples(steadyOf(row, samples), steadyOf(lowest, samples), pairs);
  return { row: nameOf(row), against: nameOf(lowest), cache: row.cache, total, steady };
}

function countPairs(group: readonly BenchRow[]): number {
  return (group.length * (group.length - 1)) / 2;
}

/**
 * Finds the row with the lowest median total.
 *
 * @param rows - Rows of one memory and cache state.
 * @returns It, the first of equal ones; null when none is comparable.
 */
export function findLowest(rows: readonly BenchRow[]): BenchRow | null {
  const medians = rows.flatMap((row) => {
    const { totalMs } = comparedMedians(row);
    return totalMs === null ? [] : [{ row, totalMs }];
  });
  const [first, ...rest] = medians;
  if (first === undefined) return null;
  return rest.reduce((lowest, each) => (each.totalMs < lowest.totalMs ? each : lowest), first).row;
}

/**
 * Compares the totals of two rows, with what is stated of the time before their processes.
 *
 * @param row - One row.
 * @param against - The other.
 * @param samples - All samples.
 * @param comparisons - How many pairs of rows could have been compared, ≥ 1.
 * @returns The first ÷ the second; null without a measurement of either.
 */
export function compareTotals(
  row: BenchRow,
  against: BenchRow,
  samples: readonly BenchSample[],
  comparisons: number,
): RatioInterval | null {
  return compareSamples(totalsOf(row, samples), totalsOf(against, samples), comparisons);
}

/**
 * Tells whether two rows stand for the same machine in the same state.
 *
 * @param row - One row.
 * @param other - The other.
 * @returns Whether memory and cache state are the same.
 */
export function isOfGroup(row: BenchRow, other: BenchRow): boolean {
  return row.memoryMiB === other.memoryMiB && row.cache === other.cache;
}

/**
 * Takes the name out of a row.
 *
 * @param row - The row.
 * @returns Its name alone.
 */
export function nameOf({ variantId, delivery, memoryMiB }: BenchRow): RowName {
  return { variantId, delivery, memoryMiB };
}

function totalsOf(row: BenchRow, samples: readonly BenchSample[]): RunValue[] {
  return listTotals(samplesOf(row, samples), row.environment?.ms ?? 0);
}

function steadyOf(row: BenchRow, samples: readonly BenchSample[]): RunValue[] {
  return listSteadyMedians(samplesOf(row, samples));
}
