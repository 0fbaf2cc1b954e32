/** What time on a machine costs, reduced to what the cost of an inference is computed from. */
export type InferencePrice =
  | {
      /** A function that takes one request at a time per environment; each is billed by the millisecond. */
      readonly kind: 'per-request';
      /** What the price rests on, for people: place, memory, source and date. */
      readonly basis: string;
      readonly usdPerMs: number;
      readonly usdPerRequest: number;
    }
  | {
      /** A host that is paid by the hour, whatever it does. */
      readonly kind: 'per-hour';
      readonly basis: string;
      readonly usdPerHour: number;
    };

/** How fast inferences are, as far as their cost goes. */
export type InferenceSpeed = {
  /** Mean of the inferences' durations, each rounded up to the millisecond; ms, > 0. */
  readonly billedMs: number;
  /** All workers of the host together, inferences per second, > 0. */
  readonly throughputPerSecond: number;
};

const inferences = 100_000;

/**
 * Prices 100,000 inferences.
 *
 * @param price - By request or by hour.
 * @param speed - Of which the first kind takes the billed time, the second the throughput.
 * @returns USD, not rounded.
 */
export function priceInferences(price: InferencePrice, speed: InferenceSpeed): number {
  if (price.kind === 'per-request')
    return inferences * (price.usdPerRequest + price.usdPerMs * speed.billedMs);
  return ((price.usdPerHour / 3600) * inferences) / speed.throughputPerSecond;
}
