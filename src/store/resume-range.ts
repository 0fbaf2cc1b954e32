import { setTimeout as sleep } from 'node:timers/promises';
import { RetryBudget } from './retry-budget.js';
import type { ByteRange } from './store.js';

const tries = 3;
const firstPauseMs = 200;

/** How a transport opens a range, and which of its errors are worth another try. */
export type RangeTransport = {
  readonly open: (range: ByteRange) => Promise<AsyncIterable<Uint8Array>>;
  readonly isWorthRetrying: (error: unknown) => boolean;
  /** Makes the error of a body that ended early. */
  readonly shortBody: (expectedBytes: number, seenBytes: number) => Error;
};

/**
 * Reads a range and, when the connection breaks, goes on from where it stopped.
 *
 * A try that brought bytes starts the count of tries anew, so that a long download survives several breaks; how many
 * there are altogether is limited by the budget that the ranges of a download share.
 *
 * @param transport - Opens ranges.
 * @param range - The range wanted.
 * @param signal - Stops reading and waiting.
 * @returns The range's bytes, in order, exactly `range.length` of them.
 * @throws The transport's error after 3 tries without progress, or when the budget is used up.
 */
export async function* readResuming(
  transport: RangeTransport,
  range: ByteRange,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  const { retries = new RetryBudget() } = range;
  let seen = 0;
  let failures = 0;
  while (seen < range.length) {
    const seenBefore = seen;
    try {
      const rest = { ...range, retries, offset: range.offset + seen, length: range.length - seen };
      for await (const chunk of await transport.open(rest)) {
        seen += chunk.length;
        retries.earn(chunk.length);
        if (seen > range.length) throw transport.shortBody(range.length, seen);
        yield chunk;
      }
      if (seen < range.length) throw transport.shortBody(range.length, seen);
    } catch (error) {
      signal?.throwIfAborted();
      failures = seen > seenBefore ? 1 : failures + 1;
      if (failures >= tries || !transport.isWorthRetrying(error) || !retries.take()) throw error;
      await pause(failures, signal);
    }
  }
}

/**
 * Waits before another try: up to 0.2 s, then up to 0.8 s, by chance at least half of that, so that ranges whose
 * connections broke together do not come back together.
 *
 * @param failures - How many tries failed so far, ≥ 1.
 * @param signal - Stops the waiting.
 */
export async function pause(failures: number, signal: AbortSignal | undefined): Promise<void> {
  const longestMs = firstPauseMs * 4 ** (failures - 1);
  const durationMs = longestMs * (0.5 + Math.random() / 2);
  await sleep(durationMs, undefined, signal === undefined ? {} : { signal });
}
