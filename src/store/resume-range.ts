import { setTimeout as sleep } from 'node:timers/promises';
import type { ByteRange } from './store.js';

const tries = 3;
const firstPauseMs = 100;

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
 * A try that brought bytes starts the count of tries anew, so that a long download survives several breaks.
 *
 * @param transport - Opens ranges.
 * @param range - The range wanted.
 * @param signal - Stops reading and waiting.
 * @returns The range's bytes, in order, exactly `range.length` of them.
 * @throws The transport's error after 3 tries without progress.
 */
export async function* readResuming(
  transport: RangeTransport,
  range: ByteRange,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  let seen = 0;
  let failures = 0;
  while (seen < range.length) {
    const seenBefore = seen;
    try {
      const rest = { ...range, offset: range.offset + seen, length: range.length - seen };
      for await (const chunk of await transport.open(rest)) {
        seen += chunk.length;
        if (seen > range.length) throw transport.shortBody(range.length, seen);
        yield chunk;
      }
      if (seen < range.length) throw transport.shortBody(range.length, seen);
    } catch (error) {
      signal?.throwIfAborted();
      failures = seen > seenBefore ? 1 : failures + 1;
      if (failures >= tries || !transport.isWorthRetrying(error)) throw error;
      await pause(failures, signal);
    }
  }
}

/**
 * Waits before another try: 0.1 s, then 0.4 s.
 *
 * @param failures - How many tries failed so far, ≥ 1.
 * @param signal - Stops the waiting.
 */
export async function pause(failures: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(firstPauseMs * 4 ** (failures - 1), undefined, signal === undefined ? {} : { signal });
}
