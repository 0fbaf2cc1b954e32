import { setTimeout as sleep } from 'node:timers/promises';
import { RetryBudget } from './retry-budget.js';
import type { ByteRange } from './store.js';

const tries = 3;
const firstPauseMs = 200;

/** How a transport opens a range, and which of its errors are worth another try. */
export type RangeTransport<Body> = {
  readonly open: (range: ByteRange) => Promise<Body>;
  readonly isWorthRetrying: (error: unknown) => boolean;
  /** Makes the error of a body that ended early. */
  readonly shortBody: (expectedBytes: number, seenBytes: number) => Error;
};

/** Takes bytes as they arrive; it is done with them when it returns, as their memory is used again. */
export type TakeChunk = (chunk: Uint8Array) => void;

/** How far a range has come, over all tries. */
class RangeProgress<Body> {
  readonly #transport: RangeTransport<Body>;
  readonly #range: ByteRange;
  readonly #retries: RetryBudget;
  #seen = 0;
  #seenBefore = 0;
  #failures = 0;

  constructor(transport: RangeTransport<Body>, range: ByteRange) {
    this.#transport = transport;
    this.#range = range;
    this.#retries = range.retries ?? new RetryBudget();
  }

  get isDone(): boolean {
    return this.#seen >= this.#range.length;
  }

  open(): Promise<Body> {
    const [range, seen] = [this.#range, this.#seen];
    this.#seenBefore = seen;
    const rest = { offset: range.offset + seen, length: range.length - seen };
    return this.#transport.open({ ...range, ...rest, retries: this.#retries });
  }

  add(chunk: Uint8Array): void {
    this.#seen += chunk.length;
    this.#retries.earn(chunk.length);
    if (this.#seen > this.#range.length) throw this.#transport.shortBody(this.#range.length, this.#seen);
  }

  refuseIfShort(): void {
    if (!this.isDone) throw this.#transport.shortBody(this.#range.length, this.#seen);
  }

  async recover(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.#failures = this.#seen > this.#seenBefore ? 1 : this.#failures + 1;
    const isLast = this.#failures >= tries || !this.#transport.isWorthRetrying(error);
    if (isLast || !this.#retries.take()) throw error;
    await pause(this.#failures, signal);
  }
}

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
  transport: RangeTransport<AsyncIterable<Uint8Array>>,
  range: ByteRange,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  const progress = new RangeProgress(transport, range);
  while (!progress.isDone) {
    try {
      for await (const chunk of await progress.open()) {
        progress.add(chunk);
        yield chunk;
      }
      progress.refuseIfShort();
    } catch (error) {
      await progress.recover(error, signal);
    }
  }
}

/**
 * Does the same as {@link readResuming} for a transport that hands its bytes over as they arrive.
 *
 * @param transport - Opens ranges.
 * @param range - The range wanted.
 * @param take - Takes the range's bytes, in order.
 * @param signal - Stops reading and waiting.
 * @throws As {@link readResuming}; at once what `take` throws.
 */
export async function receiveResuming(
  transport: RangeTransport<{ readonly receive: (take: TakeChunk) => Promise<void> }>,
  range: ByteRange,
  take: TakeChunk,
  signal: AbortSignal | undefined,
): Promise<void> {
  const progress = new RangeProgress(transport, range);
  let refusal: { readonly error: unknown } | undefined;
  const pass = (chunk: Uint8Array): void => {
    progress.add(chunk);
    try {
      take(chunk);
    } catch (error) {
      refusal = { error };
      throw error;
    }
  };
  while (!progress.isDone) {
    try {
      await (await progress.open()).receive(pass);
      progress.refuseIfShort();
    } catch (error) {
      // No other try helps where the bytes could not be kept.
      if (refusal !== undefined) throw refusal.error;
      await progress.recover(error, signal);
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
