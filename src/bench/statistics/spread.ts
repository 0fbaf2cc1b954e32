import { fewestForP95 } from '../../lib/sample-counts.js';
import { medianOfSorted } from './median.js';

/** How one quantity spread over the samples that have it; same unit as the values. */
export type Spread = {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Nearest rank: the smallest value that at least 95 % of the values do not exceed; null of fewer than 20 values. */
  readonly p95: number | null;
  /** How many values it rests on, ≥ 1. */
  readonly count: number;
};

/**
 * Sums up the values of one quantity.
 *
 * @param values - One number per sample, any unit, in any order; not changed.
 * @returns The spread in the same unit, or null without values: a missing measurement is never a number.
 */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = Float64Array.from(values).sort();
  const min = sorted[0];
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return null;
  const count = sorted.length;
  const p95 = count < fewestForP95 ? null : rankOf(sorted, 0.95);
  return { median: medianOfSorted(sorted), min, max, p95, count };
}

function rankOf(sorted: Float64Array, share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
