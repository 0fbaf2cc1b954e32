import { type InferencePrice, priceInferences } from '../lib/inference-price.js';
import { countBilledGb } from './lambda-memory.js';
import type { HostPrice, LambdaPrices, PriceSource } from './price-tables.js';

/**
 * States what one request on AWS Lambda costs at a memory setting, in the first tier and without the free one.
 *
 * @param prices - Of a region and architecture.
 * @param memoryMiB - Memory of the function, MiB.
 * @returns The price per millisecond and per request; null where the table does not have it.
 */
export function priceLambda(prices: LambdaPrices, memoryMiB: number): InferencePrice | null {
  const { region, architecture, perGbSecond, perMillionRequests } = prices;
  if (perGbSecond === null || perMillionRequests === null) return null;
  return {
    kind: 'per-request',
    basis: `AWS Lambda, ${region}, ${architecture}, ${memoryMiB} MiB, on demand; ${citeSource(perGbSecond.source)}`,
    usdPerMs: (perGbSecond.usd * countBilledGb(memoryMiB)) / 1000,
    usdPerRequest: perMillionRequests.usd / 1e6,
  };
}

/**
 * States what a host costs that the table has.
 *
 * @param host - Name and price.
 * @returns The price per hour.
 */
export function priceHost({ host, perHour }: HostPrice): InferencePrice {
  const basis = `${host} host at ${perHour.usd} USD per hour; ${citeSource(perHour.source)}`;
  return { kind: 'per-hour', basis, usdPerHour: perHour.usd };
}

/**
 * States what a host costs by a price that the user gives.
 *
 * @param usdPerHour - USD, > 0.
 * @returns The price per hour.
 */
export function priceStatedHost(usdPerHour: number): InferencePrice {
  return { kind: 'per-hour', basis: `${usdPerHour} USD per host-hour, as stated`, usdPerHour };
}

/**
 * Computes what 100,000 inferences cost on AWS Lambda, one request at a time per environment.
 *
 * @param prices - Of a region and architecture.
 * @param memoryMiB - Memory of the function, MiB.
 * @param latencyMs - Of one request, milliseconds; billed in whole ones, rounded up.
 * @returns USD, not rounded; null where the table lacks a price.
 */
export function costOnLambda(prices: LambdaPrices, memoryMiB: number, latencyMs: number): number | null {
  const price = priceLambda(prices, memoryMiB);
  const speed = { billedMs: Math.ceil(latencyMs), throughputPerSecond: 1000 / latencyMs };
  return price === null ? null : priceInferences(price, speed);
}

/**
 * Computes what 100,000 inferences cost on a host that is kept busy.
 *
 * @param usdPerHour - Of the host, USD.
 * @param throughputPerSecond - Inferences per second of all its workers, > 0.
 * @returns USD, not rounded: price ÷ 3600 × 100,000 ÷ throughput.
 */
export function costOnHost(usdPerHour: number, throughputPerSecond: number): number {
  const billedMs = 1000 / throughputPerSecond;
  return priceInferences(priceStatedHost(usdPerHour), { billedMs, throughputPerSecond });
}

/**
 * Says where a price was read, and of when it is.
 *
 * @param source - The price's source.
 * @returns Such as `AWS Price List API, as of 2025-10-01`.
 */
export function citeSource({ name, asOf }: PriceSource): string {
  return `${name}, ${asOf === null ? 'undated' : `as of ${asOf}`}`;
}
