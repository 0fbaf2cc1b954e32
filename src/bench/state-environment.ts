import type { BenchOptions } from './bench-options.js';
import type { BenchResult } from './bench-result.js';
import { describeGaps } from './list-findings.js';
import { describeEnvironment } from './summarise-rows.js';

/**
 * Puts what is stated of the time before the process into a measurement that is already there: it changes what can be
 * compared, and no sample.
 *
 * @param result - A measurement, with whatever had been stated when it was taken.
 * @param environment - What is stated now.
 * @returns The same measurement as if it had been stated from the start.
 */
export function stateEnvironment(result: BenchResult, environment: BenchOptions['environment']): BenchResult {
  const rows = result.rows.map((row) => ({ ...row, ...describeEnvironment(row.delivery, environment) }));
  const others = result.findings.filter((finding) => finding.code !== 'bench-environment-not-stated');
  return { ...result, rows, findings: [...others, ...describeGaps(rows)] };
}
