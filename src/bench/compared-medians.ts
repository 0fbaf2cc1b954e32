import type { BenchRow } from './bench-result.js';

/** What a choice compares, milliseconds; null where there is nothing to compare. */
export type ComparedMedians = {
  readonly totalMs: number | null;
  readonly readyMs: number | null;
  readonly steadyMs: number | null;
};

/**
 * Takes from a row what may be compared with other rows: medians, with the stated environment added to the sums that
 * it is a part of, and nothing where the row is not comparable.
 *
 * @param row - A row of a benchmark.
 * @returns The medians.
 */
export function comparedMedians(row: BenchRow): ComparedMedians {
  const before = row.environment?.ms ?? 0;
  const sum = (quantity: 'totalMs' | 'readyMs', gap: string | null): number | null => {
    const spread = row.phases[quantity];
    return spread === null || gap !== null ? null : spread.median + before;
  };
  return {
    totalMs: sum('totalMs', row.comparable.total),
    readyMs: sum('readyMs', row.comparable.ready),
    steadyMs: row.phases.steadyMs?.median ?? null,
  };
}
