import pLimit from 'p-limit';

/**
 * A fixed number of places for parts on their way, shared by all files that are sent at the same time, each with a
 * buffer that is used again: memory is bounded by places × part size, however many files there are.
 */
export class PartSlots {
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #free: Buffer[] = [];

  /** @param count - How many parts may be on their way, ≥ 1. */
  constructor(count: number) {
    this.#limit = pLimit(count);
  }

  /** How many parts may be on their way. */
  get count(): number {
    return this.#limit.concurrency;
  }

  /**
   * Waits for a place, in the order of the calls, and works in it.
   *
   * @param sizeBytes - Size of the buffer that the work needs.
   * @param work - Gets a buffer of exactly that size, with old content; it must not be used once the work has ended.
   * @returns What the work returns.
   */
  use<T>(sizeBytes: number, work: (buffer: Buffer) => Promise<T>): Promise<T> {
    return this.#limit(async () => {
      const buffer = this.#take(sizeBytes);
      try {
        return await work(buffer.subarray(0, sizeBytes));
      } finally {
        this.#free.push(buffer);
      }
    });
  }

  #take(sizeBytes: number): Buffer {
    const fitting = this.#free.findIndex((buffer) => buffer.length >= sizeBytes);
    if (fitting >= 0) return this.#free.splice(fitting, 1)[0] ?? Buffer.allocUnsafeSlow(sizeBytes);
    // All are too small: one of them makes way, so that there are never more than places.
    this.#free.pop();
    return Buffer.allocUnsafeSlow(sizeBytes);
  }
}
