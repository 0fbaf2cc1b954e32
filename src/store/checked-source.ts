import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import { refuseUnlessFile } from './refuse-unless-file.js';
import type { PutFile } from './store.js';

const chunkBytes = 1 << 20;

/** A file that is being sent: hashed while it is read, and compared with what was announced before it counts. */
export class CheckedSource {
  readonly #file: PutFile;
  readonly #hash = createHash('sha256');
  #modifiedNs: bigint | undefined;
  #seenBytes = 0;

  /** @param file - The file, with the size and SHA-256 it must have. */
  constructor(file: PutFile) {
    this.#file = file;
  }

  /** Bytes read so far. */
  get seenBytes(): number {
    return this.#seenBytes;
  }

  /** @returns The file's content, in order; to be read once. */
  async *chunks(): AsyncIterable<Uint8Array> {
    const { path, signal } = this.#file;
    signal.throwIfAborted();
    const found = await stat(path, { bigint: true });
    refuseUnlessFile(path, found);
    this.#modifiedNs = found.mtimeNs;
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes, signal })) {
      this.#hash.update(chunk);
      this.#seenBytes += chunk.length;
      yield chunk;
    }
  }

  /**
   * Compares what was read with what was announced; to be called once, when all has been read.
   *
   * @throws `source-changed`.
   */
  async refuseIfChanged(): Promise<void> {
    const { path, sizeBytes: expectedBytes } = this.#file;
    const now = await stat(path, { bigint: true });
    const problem = this.#findChange(now);
    if (problem === undefined) return;
    const sizes = { expectedBytes, seenBytes: this.#seenBytes, nowBytes: Number(now.size) };
    throw OptimiseModelError.of('source-changed', { path, ...sizes, problem });
  }

  #findChange(now: { readonly size: bigint; readonly mtimeNs: bigint }): string | undefined {
    const { sizeBytes, sha256 } = this.#file;
    if (this.#seenBytes !== sizeBytes || Number(now.size) !== sizeBytes) return 'its size is another';
    if (this.#hash.digest('hex') !== sha256) return 'its content is not what its record says';
    return now.mtimeNs === this.#modifiedNs ? undefined : 'it was written to';
  }
}
