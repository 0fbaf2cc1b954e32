import { priceLambda, priceStatedHost } from './cost/cost-of-inferences.js';
import { type LambdaPrices, lambdaPrices } from './cost/price-tables.js';
import type { InferencePrice } from './lib/inference-price.js';
import { OptimiseModelError } from './messages/error.js';
import type { Pipeline } from './pipeline/read-pipeline.js';

/** Prices differ by both. */
type LambdaPlace = Pick<LambdaPrices, 'region' | 'architecture'>;

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
  const { region, architecture } = placeOfPrice(price);
  const found = findLambdaPrices(price);
  const priced = found === undefined ? null : priceLambda(found, memoryMiB);
  if (priced !== null) return priced;
  const known = lambdaPrices
    .filter((each) => each.perGbSecond !== null)
    .map((each) => `${each.region} ${each.architecture}`);
  throw OptimiseModelError.of('price-unknown', { region, architecture, known });
}

/**
 * Says by whose prices a pipeline's calls are priced.
 *
 * @param price - What the pipeline says of it.
 * @returns Region and architecture; those that are quoted, and of this machine, where it says none.
 */
export function placeOfPrice(price: Pipeline['bench']['price']): LambdaPlace {
  return price !== undefined && 'region' in price
    ? price
    : { region: usualRegion, architecture: ownArchitecture() };
}

/**
 * Finds what AWS Lambda charges where a pipeline says.
 *
 * @param price - What the pipeline says of it.
 * @returns The prices; undefined when the table has none of the place.
 */
export function findLambdaPrices(price: Pipeline['bench']['price']): LambdaPrices | undefined {
  const { region, architecture } = placeOfPrice(price);
  return lambdaPrices.find((each) => each.region === region && each.architecture === architecture);
}

/** Measured here, so priced as what is here. */
function ownArchitecture(): 'x86_64' | 'arm64' {
  return process.arch === 'arm64' ? 'arm64' : 'x86_64';
}
