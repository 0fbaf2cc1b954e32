import { citeSource, priceLambda, priceStatedHost } from './cost/cost-of-inferences.js';
import { costOfMonth } from './cost/cost-of-month.js';
import type { LambdaPrices } from './cost/price-tables.js';
import { type InferencePrice, priceInferences } from './lib/inference-price.js';
import type { StartMode } from './lib/start-mode.js';
import type { Evidence } from './pick/pick-candidate.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { findLambdaPrices, placeOfPrice } from './price-inferences.js';

/** Calls in a month, and how many of them start a process or restore one. */
type Traffic = NonNullable<Pipeline['pick']['traffic']>;

/** What calls are priced by; `unknown` says why by nothing. */
export type CallPrices =
  | {
      readonly kind: 'lambda';
      readonly prices: LambdaPrices;
      readonly memoryMiB: number;
      readonly price: InferencePrice;
      /** Null when nobody states it: then only calls that meet a ready process are priced. */
      readonly traffic: Traffic | null;
      readonly readyProcesses: number;
    }
  | { readonly kind: 'host'; readonly price: InferencePrice }
  | { readonly kind: 'unknown'; readonly reason: string };

/** How long calls are billed, ms. */
export type CallTimes = {
  /** Mean of calls that meet a ready process, each rounded up. */
  readonly callMs: number;
  /** The same, not rounded up. */
  readonly meanMs: number;
  /** Of a call that starts a process or restores one. */
  readonly coldCallMs: number;
};

/**
 * Finds what the calls of a run's candidates are priced by.
 *
 * @param pipeline - Its price, traffic and ready processes.
 * @param memoryMiB - Memory of the function; null for the whole machine.
 * @returns The prices, or why there are none.
 */
export function findCallPrices(
  { bench: { price }, pick: { traffic, startModes } }: Pipeline,
  memoryMiB: number | null,
): CallPrices {
  if (price !== undefined && 'usdPerHour' in price) {
    return { kind: 'host', price: priceStatedHost(price.usdPerHour) };
  }
  if (memoryMiB === null) {
    return { kind: 'unknown', reason: 'no memory is imitated (`bench.memoryMiB`), so there is no price' };
  }
  const prices = findLambdaPrices(price);
  const { region, architecture } = placeOfPrice(price);
  const found = prices === undefined ? null : priceLambda(prices, memoryMiB);
  if (prices === undefined || found === null) {
    return { kind: 'unknown', reason: `no price of ${region} ${architecture} is known` };
  }
  return {
    ...{ kind: 'lambda', prices, memoryMiB, price: found },
    traffic: traffic ?? null,
    readyProcesses: startModes.provisioned?.processes ?? 1,
  };
}

/**
 * Says why calls of a start mode have no price.
 *
 * @param prices - What they are priced by.
 * @param startMode - How processes are started.
 * @returns One clause; null when they have one.
 */
export function explainNoPrice(prices: CallPrices, startMode: StartMode): string | null {
  if (prices.kind === 'unknown') return prices.reason;
  if (startMode === 'on-demand') return null;
  if (prices.kind === 'host') return `a host that is paid by the hour has no ${startMode}`;
  if (prices.traffic === null) {
    return `a month of ${startMode} cannot be shared out among calls (\`pick.traffic\` is not stated)`;
  }
  const any = { callMs: 1, meanMs: 1, coldCallMs: 1 };
  if (priceCalls(prices, startMode, any) !== null) return null;
  const { region, architecture } = prices.prices;
  return `the price of ${startMode} in ${region} on ${architecture} is not known`;
}

/**
 * Prices 100,000 calls.
 *
 * @param prices - What they are priced by.
 * @param startMode - How processes are started.
 * @param times - How long they are billed.
 * @returns USD, not rounded; null where {@link explainNoPrice} says why.
 */
export function priceCalls(prices: CallPrices, startMode: StartMode, times: CallTimes): number | null {
  if (prices.kind === 'unknown') return null;
  const speed = { billedMs: times.callMs, throughputPerSecond: 1000 / times.meanMs };
  if (prices.kind === 'host') return startMode === 'on-demand' ? priceInferences(prices.price, speed) : null;
  const { traffic, memoryMiB, readyProcesses } = prices;
  if (traffic === null) return startMode === 'on-demand' ? priceInferences(prices.price, speed) : null;
  const use = { ...traffic, readyProcesses, callMs: times.callMs, coldCallMs: times.coldCallMs };
  const usd = costOfMonth(prices.prices, memoryMiB, startMode, use);
  return usd === null ? null : (usd / traffic.callsPerMonth) * 100_000;
}

/**
 * Says what a cost rests on besides how long calls take.
 *
 * @param prices - What calls are priced by.
 * @param startMode - How processes are started.
 * @returns The price, and what is said of the traffic.
 */
export function citePrices(prices: CallPrices, startMode: StartMode): readonly Evidence[] {
  if (prices.kind === 'unknown') return [];
  const kind = isListed(prices, startMode) ? 'listed' : 'assumed';
  const price: Evidence = { kind, what: 'price', source: citePrice(prices, startMode) };
  if (prices.kind === 'host') return [price];
  const { traffic, readyProcesses } = prices;
  if (traffic === null) {
    return [price, { kind: 'assumed', what: 'no cold start', source: '`pick.traffic` is not stated' }];
  }
  const calls = `${traffic.callsPerMonth} calls a month`;
  const source =
    startMode === 'provisioned'
      ? `${calls}, each meets one of ${readyProcesses} ready`
      : `${calls}, ${traffic.coldStartsPerMonth} of them cold, as stated`;
  return [price, { kind: 'assumed', what: 'traffic', source }];
}

/** An hourly rate that somebody names is no price list, nor is one that nobody dates. */
function isListed(prices: Exclude<CallPrices, { kind: 'unknown' }>, startMode: StartMode): boolean {
  if (prices.kind === 'host') return false;
  const { perMillionRequests, perGbSecond, snapshotPerGbSecond, restorePerGb } = prices.prices;
  const { provisionedPerGbSecond, provisionedDurationPerGbSecond } = prices.prices;
  const used = {
    'on-demand': [perGbSecond],
    snapstart: [perGbSecond, snapshotPerGbSecond, restorePerGb],
    provisioned: [provisionedPerGbSecond, provisionedDurationPerGbSecond],
  } as const;
  return [perMillionRequests, ...used[startMode]].every((price) => (price?.source.asOf ?? null) !== null);
}

function citePrice(prices: Exclude<CallPrices, { kind: 'unknown' }>, startMode: StartMode): string {
  if (prices.kind === 'host' || startMode === 'on-demand') return prices.price.basis;
  const { region, architecture, snapshotPerGbSecond, provisionedPerGbSecond } = prices.prices;
  const own = startMode === 'snapstart' ? snapshotPerGbSecond : provisionedPerGbSecond;
  const from = own === null ? '' : `; ${citeSource(own.source)}`;
  return `AWS Lambda, ${region}, ${architecture}, ${prices.memoryMiB} MiB, ${startMode}${from}`;
}
