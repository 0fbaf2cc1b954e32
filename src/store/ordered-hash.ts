import { createHash } from 'node:crypto';
import type { ByteSink } from './byte-sink.js';

const readBackBytes = 1 << 20;

/** A hash over bytes that arrive in any order: it follows the front and reads back what came early. */
export class OrderedHash {
  readonly #hash = createHash('sha256');
  readonly #sink: ByteSink;
  readonly #partSizeBytes: number;
  /** Bytes that have arrived of each part, from its start. */
  readonly #arrived: number[] = [];
  #hashedBytes = 0;

  /**
   * @param sink - Where the bytes are written before they are announced here.
   * @param partSizeBytes - Size of a part; bytes arrive in order within a part.
   */
  constructor(sink: ByteSink, partSizeBytes: number) {
    this.#sink = sink;
    this.#partSizeBytes = partSizeBytes;
  }

  /**
   * Takes note of bytes that have just been written to the sink.
   *
   * @param offset - Where they are, bytes from the start of the object.
   * @param chunk - The bytes.
   */
  add(offset: number, chunk: Uint8Array): void {
    const part = Math.floor(offset / this.#partSizeBytes);
    this.#arrived[part] = (this.#arrived[part] ?? 0) + chunk.length;
    if (offset !== this.#hashedBytes) return;
    this.#hash.update(chunk);
    this.#hashedBytes += chunk.length;
    this.#catchUp();
  }

  #catchUp(): void {
    for (;;) {
      const part = Math.floor(this.#hashedBytes / this.#partSizeBytes);
      const end = part * this.#partSizeBytes + (this.#arrived[part] ?? 0);
      const length = Math.min(end - this.#hashedBytes, readBackBytes);
      if (length <= 0) return;
      this.#hash.update(this.#sink.read(this.#hashedBytes, length));
      this.#hashedBytes += length;
    }
  }

  /** How many bytes from the start have been hashed. */
  get hashedBytes(): number {
    return this.#hashedBytes;
  }

  /** @returns SHA-256 of everything, 64 lower-case hexadecimal digits; to be called once. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}
