import type { BenchReportRow } from '../documents/bench-result.js';

type Spread = NonNullable<BenchReportRow['phases']['totalMs']>;

/**
 * Adds what is stated of the time before the process to a measured sum, as it is done when rows are compared.
 *
 * @param spread - A sum over the samples, milliseconds; null without a measurement.
 * @param environment - What is stated, or null.
 * @returns The spread, moved by the environment.
 */
export function addEnvironment(
  spread: Spread | null,
  environment: BenchReportRow['environment'],
): Spread | null {
  if (spread === null || environment === null) return spread;
  const { median, min, max, p95, count } = spread;
  const { ms } = environment;
  return { median: median + ms, min: min + ms, max: max + ms, p95: p95 === null ? null : p95 + ms, count };
}
