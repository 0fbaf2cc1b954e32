import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { UploadSource } from '../aws/upload-source.js';
import { OptimiseModelError } from '../messages/error.js';
import { refuseUnlessFile } from './refuse-unless-file.js';

/** The file that is to be sent, and what it must be. */
export type AnnouncedFile = { readonly path: string; readonly sizeBytes: number; readonly sha256: string };

/** A file that is being sent: hashed while it is read, and compared with what was announced before it counts. */
export class CheckedSource implements UploadSource {
  readonly #announced: AnnouncedFile;
  readonly #file: FileHandle;
  readonly #modifiedNs: bigint;
  readonly #hash = createHash('sha256');
  /** Parts are read one after the other, whoever waits for them. */
  #reading: Promise<void> = Promise.resolve();
  #seenBytes = 0;

  private constructor(announced: AnnouncedFile, file: FileHandle, modifiedNs: bigint) {
    this.#announced = announced;
    this.#file = file;
    this.#modifiedNs = modifiedNs;
  }

  /**
   * Opens a file that is to be sent.
   *
   * @param announced - The file, with the size and SHA-256 it must have.
   * @returns The source; to be closed.
   * @throws The file system's own error, `not-a-file`.
   */
  static async open(announced: AnnouncedFile): Promise<CheckedSource> {
    const { path } = announced;
    // Looked at before it is opened: opening a pipe would wait for its writer.
    refuseUnlessFile(path, await stat(path));
    const file = await open(path);
    try {
      const { mtimeNs } = await file.stat({ bigint: true });
      return new CheckedSource(announced, file, mtimeNs);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Bytes read so far. */
  get seenBytes(): number {
    return this.#seenBytes;
  }

  /**
   * Reads the next part; to be asked for in order.
   *
   * @param offset - Where the part begins, bytes.
   * @param buffer - Filled with the part.
   * @throws `source-changed` when the file ends early; the file system's own error.
   */
  readPart(offset: number, buffer: Uint8Array): Promise<void> {
    const reading = this.#reading.then(() => this.#readNow(offset, buffer));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #readNow(offset: number, buffer: Uint8Array): Promise<void> {
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#file.read(buffer, filled, buffer.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.#hash.update(buffer.subarray(0, filled));
    this.#seenBytes += filled;
    if (filled < buffer.length) throw await this.#changed('it ends early');
  }

  /**
   * Compares what was read with what was announced; to be called once, when all has been read.
   *
   * @throws `source-changed` when it was written to meanwhile; `artifact-wrong` when it was another before.
   */
  async refuseIfChanged(): Promise<void> {
    const { path, sizeBytes, sha256 } = this.#announced;
    // By its path: what lies there now is what people take to have been sent.
    const now = await stat(path, { bigint: true });
    if (this.#seenBytes !== sizeBytes || Number(now.size) !== sizeBytes) {
      throw await this.#changed('its size is another');
    }
    if (now.mtimeNs !== this.#modifiedNs) throw await this.#changed('it was written to');
    const seen = this.#hash.digest('hex');
    if (seen === sha256) return;
    const problems = [`${basename(path)} has SHA-256 ${seen}, its record says ${sha256}`];
    throw OptimiseModelError.of('artifact-wrong', { folder: dirname(path), problems });
  }

  /** @returns The error of a file that is not what it was when its checksums were computed. */
  explainChange(): Promise<OptimiseModelError> {
    return this.#changed('its content is another than a moment ago');
  }

  async #changed(problem: string): Promise<OptimiseModelError> {
    const { path, sizeBytes: expectedBytes } = this.#announced;
    const { size: nowBytes } = await stat(path);
    const facts = { path, expectedBytes, seenBytes: this.#seenBytes, nowBytes, problem };
    return OptimiseModelError.of('source-changed', facts);
  }

  /** Lets the file go. */
  async close(): Promise<void> {
    await this.#reading;
    await this.#file.close();
  }
}
