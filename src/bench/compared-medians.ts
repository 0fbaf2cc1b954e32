import type { BenchRow } from './bench-result.js';
import type { Spread } from './statistics/spread.js';

/** What rows are compared by. */
type ComparedQuantity = 'totalMs' | 'readyMs' | 'steadyMs';

/** What a choice compares, milliseconds; null where there is nothing to compare. */
export type ComparedMedians = Readonly<Record<ComparedQuantity, number | null>>;

/** How what is compared spread, milliseconds; null without a measurement. */
export type ComparedSpreads = Readonly<Record<ComparedQuantity, Spread | null>>;

/**
 * Adds what is stated of the time before the process to the sums that it is a part of.
 *
 * @param row - A row of a benchmark.
 * @returns The spreads of what rows are compared by, also of a row that is not comparable.
 */
export function comparedSpreads(row: BenchRow): ComparedSpreads {
  const { totalMs, readyMs, steadyMs } = row.phases;
  const beforeMs = row.environment?.ms ?? 0;
  return { totalMs: shift(totalMs, beforeMs), readyMs: shift(readyMs, beforeMs), steadyMs };
}

/**
 * Takes from a row what may be compared with other rows: the medians of {@link comparedSpreads}, and nothing where the
 * row is not comparable.
 *
 * @param row - A row of a benchmark.
 * @returns The medians.
 */
export function comparedMedians(row: BenchRow): ComparedMedians {
  const { totalMs, readyMs, steadyMs } = comparedSpreads(row);
  return {
    totalMs: row.comparable.total === null ? (totalMs?.median ?? null) : null,
    readyMs: row.comparable.ready === null ? (readyMs?.median ?? null) : null,
    steadyMs: steadyMs?.median ?? null,
  };
}

function shift(spread: Spread | null, byMs: number): Spread | null {
  if (spread === null) return null;
  const { median, min, max, p95, count } = spread;
  return {
    median: median + byMs,
    min: min + byMs,
    max: max + byMs,
    p95: p95 === null ? null : p95 + byMs,
    count,
  };
}
