import type { FileHandle } from 'node:fs/promises';

/** Flushes a file to the device while it is still being written, so that the flush at its end has little left to do. */
export class EarlyFlush {
  readonly #file: FileHandle;
  readonly #stepBytes: number;
  #waitingBytes = 0;
  #running: Promise<void> | undefined;

  /**
   * @param file - Open for writing.
   * @param stepBytes - After how much a flush begins, unless one is under way.
   */
  constructor(file: FileHandle, stepBytes: number) {
    this.#file = file;
    this.#stepBytes = stepBytes;
  }

  /**
   * Takes note of bytes that were written, and may begin a flush.
   *
   * @param sizeBytes - How many.
   */
  add(sizeBytes: number): void {
    this.#waitingBytes += sizeBytes;
    if (this.#waitingBytes < this.#stepBytes || this.#running !== undefined) return;
    this.#waitingBytes = 0;
    const running = this.#file.datasync().then(() => {
      this.#running = undefined;
    });
    // One that fails stays, so that `settle` says so and none begins after it.
    running.catch(() => undefined);
    this.#running = running;
  }

  /**
   * Waits for the flush that is under way.
   *
   * @throws The file system's own error.
   */
  async settle(): Promise<void> {
    await this.#running;
  }
}
