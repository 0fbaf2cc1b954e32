import type { BenchOptions } from './bench-options.js';
import type { BenchResult } from './bench-result.js';
import { comparisonCodes, listComparisonFindings } from './list-comparison-findings.js';
import { compareRows } from './statistics/compare-rows.js';
import { judgeBaseline } from './statistics/judge-baseline.js';
import { describeEnvironment } from './summarise-rows.js';

/**
 * Puts what is stated of the time before the process into a measurement that is already there: it changes what can be
 * compared, how it compares and what is said of that, and no sample.
 *
 * @param result - A measurement, with whatever had been stated when it was taken.
 * @param options - What is stated now, and the release that the measurement is compared with.
 * @returns The same measurement as if it had been stated from the start.
 */
export function stateEnvironment(
  result: BenchResult,
  { environment, baseline: release }: Pick<BenchOptions, 'environment' | 'baseline'>,
): BenchResult {
  const rows = result.rows.map((row) => ({ ...row, ...describeEnvironment(row.delivery, environment) }));
  const comparisons = compareRows(rows, result.samples);
  const baseline = release === null ? null : judgeBaseline(rows, result.samples, release);
  const others = result.findings.filter((finding) => !comparisonCodes.includes(finding.code));
  const findings = [...others, ...listComparisonFindings({ rows, baseline }, release)];
  return { ...result, rows, comparisons, baseline, findings };
}
