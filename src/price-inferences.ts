import { priceLambda, priceStatedHost } from './cost/cost-of-inferences.js';
import { lambdaPrices } from './cost/price-tables.js';
import type { InferencePrice } from './lib/inference-price.js';
import { OptimiseModelError } from './messages/error.js';
import type { Pipeline } from './pipeline/read-pipeline.js';

/** Where nobody names a region: its prices are the ones that are quoted. */
const usualRegion = 'us-east-1';

/**
 * Finds what inferences are priced by.
 *
 * @param price - What the pipeline says of it.
 * @param memoryMiB - Memory of the function; null for a host.
 * @returns The price; null for a host of which none is stated.
 * @throws `price-unknown` when the table has none for the region and architecture; `price-needs-memory` for a region
 *   where no memory is imitated.
 */
export function findPrice(
  price: Pipeline['bench']['price'],
  memoryMiB: number | null,
): InferencePrice | null {
  if (price !== undefined && 'usdPerHour' in price) return priceStatedHost(price.usdPerHour);
  if (memoryMiB === null) {
    if (price === undefined) return null;
    throw OptimiseModelError.of('price-needs-memory', { region: price.region });
  }
  const { region, architecture } = price ?? { region: usualRegion, architecture: ownArchitecture() };
  const found = lambdaPrices.find((each) => each.region === region && each.architecture === architecture);
  const priced = found === undefined ? null : priceLambda(found, memoryMiB);
  if (priced !== null) return priced;
  const known = lambdaPrices
    .filter((each) => each.perGbSecond !== null)
    .map((each) => `${each.region} ${each.architecture}`);
  throw OptimiseModelError.of('price-unknown', { region, architecture, known });
}

/** Measured here, so priced as what is here. */
function ownArchitecture(): 'x86_64' | 'arm64' {
  return process.arch === 'arm64' ? 'arm64' : 'x86_64';
}
