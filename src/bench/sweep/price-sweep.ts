import { type InferencePrice, priceInferences } from '../../lib/inference-price.js';
import { type Finding, makeFinding } from '../../messages/finding.js';
import { chooseBest } from './choose-best.js';
import type { SweepPoint, SweepResult } from './sweep-result.js';

/** Processors are read from files that round them. */
const roundingCpus = 0.005;

/**
 * Puts a price on what has been measured: it changes costs and the best by cost, and no measurement. What a function
 * costs is only said of processes that had the function's processors, no more and no fewer.
 *
 * @param result - A sweep, with whatever price it had.
 * @param price - Of the profile or host; null for none.
 * @returns The same sweep with its costs, or without them and with `sweep-not-priced`.
 */
export function priceSweep(result: SweepResult, price: InferencePrice | null): SweepResult {
  const doubt = price === null ? null : findDoubt(result, price);
  const fitting = doubt === null ? price : null;
  const points = result.points.map((point) => ({ ...point, costPer100kUsd: costOf(point, fitting) }));
  const findings = [
    ...result.findings.filter(({ code }) => code !== 'sweep-not-priced'),
    ...(doubt === null ? [] : [doubt]),
  ];
  return { ...result, points, best: chooseBest(points), priceBasis: fitting?.basis ?? null, findings };
}

/** Why the price is not for what was measured; null when it is. */
function findDoubt(
  { variantId, memoryMiB, cpus, profile }: SweepResult,
  price: InferencePrice,
): Finding | null {
  if (price.kind === 'per-hour') return null;
  const facts = { variantId, memoryMiB, basis: price.basis };
  if (profile === null || !profile.cpuLimit.startsWith('cgroup')) {
    const reason = 'no control group held the processors to what the function has';
    return makeFinding('warning', 'sweep-not-priced', { ...facts, reason });
  }
  if (profile.vcpus <= cpus + roundingCpus) return null;
  const reason = `the function has ${profile.vcpus.toFixed(2)} processors, this process may use ${Number(cpus.toFixed(2))}`;
  return makeFinding('warning', 'sweep-not-priced', { ...facts, reason });
}

function costOf(point: SweepPoint, price: InferencePrice | null): number | null {
  const { workers, billedMs, throughputPerSecond } = point;
  if (price === null || billedMs === null || throughputPerSecond === null) return null;
  // What is billed by the request gets one at a time: a second worker would have nothing to do.
  if (price.kind === 'per-request' && workers > 1) return null;
  return priceInferences(price, { billedMs, throughputPerSecond });
}
