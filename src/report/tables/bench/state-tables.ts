import type { BenchReport } from '../../documents/bench-result.js';
import type { ReportTable } from '../report-table.js';
import { tabulateComparisons } from './comparison-table.js';
import { tabulateLimits } from './limit-table.js';
import { tabulatePhases } from './phases-table.js';
import { hasSources, tabulateSources } from './sources-table.js';
import { tabulateTotals } from './totals-table.js';

/** The tables of one cache state. */
export type StateTables = {
  readonly totals: ReportTable;
  readonly comparisons: readonly ReportTable[];
  readonly limits: readonly ReportTable[];
  readonly sources: readonly ReportTable[];
  readonly phases: ReportTable;
};

/**
 * Makes the tables of a benchmark in one cache state; those without anything to say are left out.
 *
 * @param bench - The part of a benchmark in one cache state.
 * @returns The tables by what they are about.
 */
export function tabulateState(bench: BenchReport): StateTables {
  const hasLimits = bench.rows.some((row) => row.limit !== null);
  return {
    totals: tabulateTotals(bench),
    comparisons: bench.comparisons.length === 0 ? [] : [tabulateComparisons(bench)],
    limits: hasLimits ? [tabulateLimits(bench)] : [],
    sources: hasSources(bench) ? [tabulateSources(bench)] : [],
    phases: tabulatePhases(bench),
  };
}
