import { createHash } from 'node:crypto';
import { ArrivalFront } from './arrival-front.js';
import type { ByteSink } from './byte-sink.js';

const readBackBytes = 1 << 20;

/** A hash over bytes that arrive in any order: it follows the front and reads back what came early. */
export class OrderedHash {
  readonly #hash = createHash('sha256');
  readonly #sink: ByteSink;
  readonly #front: ArrivalFront;
  #hashedBytes = 0;

  /**
   * @param sink - Where the bytes are written before they are announced here.
   * @param partSizeBytes - Size of a part; bytes arrive in order within a part.
   */
  constructor(sink: ByteSink, partSizeBytes: number) {
    this.#sink = sink;
    this.#front = new ArrivalFront(partSizeBytes);
  }

  /**
   * Takes note of bytes that have just been written to the sink.
   *
   * @param offset - Where they are, bytes from the start of the object.
   * @param chunk - The bytes.
   */
  add(offset: number, chunk: Uint8Array): void {
    if (!this.#front.add(offset, chunk.length)) return;
    this.#hash.update(chunk);
    this.#hashedBytes += chunk.length;
    while (this.#hashedBytes < this.#front.bytes) {
      const length = Math.min(this.#front.bytes - this.#hashedBytes, readBackBytes);
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
