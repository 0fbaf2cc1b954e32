const firstTries = 20;
const bytesPerTry = 8 * 1024 ** 2;

/**
 * How often a download may try again, over all its ranges and files: 20 times, and once more for every 8 MiB received.
 * So a long download survives many breaks, and a server that gives a few bytes at a time does not keep it for ever.
 */
export class RetryBudget {
  #receivedBytes = 0;
  #used = 0;

  /**
   * Takes note of bytes that arrived.
   *
   * @param sizeBytes - How many.
   */
  earn(sizeBytes: number): void {
    this.#receivedBytes += sizeBytes;
  }

  /** @returns Whether one more try is allowed; it counts as made then. */
  take(): boolean {
    if (this.#used >= firstTries + Math.floor(this.#receivedBytes / bytesPerTry)) return false;
    this.#used += 1;
    return true;
  }
}
