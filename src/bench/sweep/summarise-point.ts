import type { SampleError } from '../bench-result.js';
import type { Combination, SweepPoint } from './sweep-result.js';

/** What all workers did in one common window. */
export type WindowRun = {
  readonly windowMs: number;
  /**
   * Per worker: beginning and end of each of its inferences in turn, milliseconds from the window's start. The last one
   * may end after the window.
   */
  readonly workers: readonly Float64Array[];
  /** Per worker. */
  readonly peakRssBytes: readonly number[];
};

/** Of fewer inferences these percentiles are the highest value or close to it, and say nothing. */
const leastInferences = { p95: 20, p99: 100 } as const;

/**
 * Sums up the windows of one combination.
 *
 * Throughput counts an inference that reaches over the end of its window by the share that lies within: counting whole
 * ones only would take up to one inference from each worker.
 *
 * @param combination - Workers and threads.
 * @param runs - One per window, ≥ 1.
 * @returns The point, without a cost.
 */
export function summarisePoint(combination: Combination, runs: readonly WindowRun[]): SweepPoint {
  const latencies = Float64Array.from(runs.flatMap((run) => run.workers.flatMap(listLatencies))).sort();
  const count = latencies.length;
  const windowMs = runs.reduce((sum, run) => sum + run.windowMs, 0);
  const made = runs.reduce((sum, run) => sum + countMade(run), 0);
  const billed = latencies.reduce((sum, latencyMs) => sum + Math.ceil(latencyMs), 0);
  const peaks = runs.map((run) => run.peakRssBytes.reduce((sum, peak) => sum + peak, 0));
  return {
    ...combination,
    inferences: count,
    windowMs,
    p50Ms: percentileOf(latencies, 0.5),
    p95Ms: count < leastInferences.p95 ? null : percentileOf(latencies, 0.95),
    p99Ms: count < leastInferences.p99 ? null : percentileOf(latencies, 0.99),
    billedMs: count === 0 ? null : billed / count,
    throughputPerSecond: made > 0 ? (made * 1000) / windowMs : null,
    peakRssBytes: peaks.length === 0 ? null : Math.max(...peaks),
    costPer100kUsd: null,
    error: null,
  };
}

function listLatencies(times: Float64Array): number[] {
  return Array.from({ length: times.length / 2 }, (_, index) => {
    const [beganMs = 0, endedMs = 0] = times.subarray(2 * index, 2 * index + 2);
    return endedMs - beganMs;
  });
}

function countMade({ workers, windowMs }: WindowRun): number {
  let made = 0;
  for (const times of workers) {
    const whole = times.length / 2;
    const [beganMs = 0, endedMs = 0] = times.subarray(-2);
    const isCut = whole > 0 && endedMs > windowMs;
    made += isCut ? whole - 1 + (windowMs - beganMs) / (endedMs - beganMs) : whole;
  }
  return made;
}

/** Nearest rank: the smallest value that at least this share of the values does not exceed. */
function percentileOf(sorted: Float64Array, share: number): number | null {
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}

/**
 * Describes a combination of which a window failed: what other windows gave is not shown, as it would look like all.
 *
 * @param combination - Workers and threads.
 * @param error - Of the first window that failed.
 * @returns The point, without a figure.
 */
export function failedPoint(combination: Combination, error: SampleError): SweepPoint {
  return {
    ...combination,
    inferences: 0,
    windowMs: 0,
    p50Ms: null,
    p95Ms: null,
    p99Ms: null,
    billedMs: null,
    throughputPerSecond: null,
    peakRssBytes: null,
    costPer100kUsd: null,
    error,
  };
}
