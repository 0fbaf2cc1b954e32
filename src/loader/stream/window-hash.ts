import type { ByteSink } from '../../store/byte-sink.js';
import { OrderedHash } from '../../store/ordered-hash.js';

/** How far bytes may come early. */
export type HashWindow = {
  /** Size of the whole object, bytes. */
  readonly sizeBytes: number;
  readonly partSizeBytes: number;
  /** A part may be asked for when its first byte is closer than so many parts to the first byte that is not hashed. */
  readonly windowParts: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
};

type Waiting = { readonly offset: number; readonly resolve: () => void };

/**
 * A hash over bytes that arrive in any order and are kept nowhere else: what comes early is held in a ring of memory,
 * and parts wait until there is room for them.
 */
export class WindowHash {
  readonly #signal: AbortSignal;
  readonly #windowBytes: number;
  readonly #hash: OrderedHash;
  readonly #ring: ByteSink;
  #waiting: Waiting[] = [];

  /** @param window - How much may be held. */
  constructor(window: HashWindow) {
    const { sizeBytes, partSizeBytes, windowParts, signal } = window;
    this.#signal = signal;
    this.#windowBytes = windowParts * partSizeBytes;
    // The part at the front is hashed as it comes and never held: those after it fit into the window.
    this.#ring = ringSink(Math.min(this.#windowBytes, sizeBytes));
    this.#hash = new OrderedHash(this.#ring, partSizeBytes);
  }

  /**
   * Waits until a part may be asked for.
   *
   * @param offset - Where it begins, bytes from the start of the object.
   * @throws The signal's reason.
   */
  async ready(offset: number): Promise<void> {
    if (this.#isNear(offset)) return;
    const signal = this.#signal;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      const begin = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      this.#waiting.push({ offset, resolve: begin });
    });
  }

  /**
   * Takes bytes; within a part they come in order.
   *
   * @param offset - Where they are, bytes from the start of the object.
   * @param chunk - The bytes; their memory may be used again afterwards.
   */
  add(offset: number, chunk: Uint8Array): void {
    if (offset !== this.#hash.hashedBytes) this.#ring.write(offset, chunk);
    this.#hash.add(offset, chunk);
    if (this.#waiting.length === 0) return;
    const near = this.#waiting.filter((part) => this.#isNear(part.offset));
    if (near.length === 0) return;
    this.#waiting = this.#waiting.filter((part) => !near.includes(part));
    for (const { resolve } of near) resolve();
  }

  /** @returns SHA-256 of everything, 64 lower-case hexadecimal digits; to be called once. */
  digest(): string {
    return this.#hash.digest();
  }

  #isNear(offset: number): boolean {
    return offset < this.#hash.hashedBytes + this.#windowBytes;
  }
}

/**
 * Memory in which an offset is found again until as many bytes after it have been written; made when first needed. It is
 * of whole parts, so that no chunk goes beyond its end.
 */
function ringSink(sizeBytes: number): ByteSink {
  let ring: Uint8Array | undefined;
  const read = (offset: number, length: number): Uint8Array => {
    const start = offset % sizeBytes;
    return ring?.subarray(start, start + length) ?? new Uint8Array();
  };
  return {
    write: (offset, chunk) => {
      ring ??= Buffer.allocUnsafeSlow(sizeBytes);
      ring.set(chunk, offset % sizeBytes);
    },
    read: (offset, length) => {
      const first = read(offset, length);
      if (first.length === length) return first;
      return Buffer.concat([first, read(offset + first.length, length - first.length)]);
    },
  };
}
