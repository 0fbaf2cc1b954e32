import { type InferencePrice, priceInferences } from '../../lib/inference-price.js';
import { chooseBest } from './choose-best.js';
import type { SweepPoint, SweepResult } from './sweep-result.js';

/**
 * Puts a price on what has been measured: it changes costs and the best by cost, and no measurement.
 *
 * @param result - A sweep, with whatever price it had.
 * @param price - Of the profile or host; null for none.
 * @returns The same sweep with its costs.
 */
export function priceSweep(result: SweepResult, price: InferencePrice | null): SweepResult {
  const points = result.points.map((point) => ({ ...point, costPer100kUsd: costOf(point, price) }));
  return { ...result, points, best: chooseBest(points), priceBasis: price?.basis ?? null };
}

function costOf(point: SweepPoint, price: InferencePrice | null): number | null {
  const { workers, billedMs, throughputPerSecond } = point;
  if (price === null || billedMs === null || throughputPerSecond === null) return null;
  // What is billed by the request gets one at a time: a second worker would have nothing to do.
  if (price.kind === 'per-request' && workers > 1) return null;
  return priceInferences(price, { billedMs, throughputPerSecond });
}
