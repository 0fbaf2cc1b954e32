import { type FileHandle, open } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import { isSame, type SourceBytes } from '../onnx/source-bytes.js';

type OpenFile = { readonly handle: FileHandle; readonly sizeBytes: number; readonly modifiedNs: bigint };

/** The files that a model is made from, each opened once, when first read, and held to what it was then. */
export class SourceFiles {
  readonly #model: SourceBytes;
  readonly #files = new Map<string, Promise<OpenFile>>();

  /** @param model - The source `.onnx` file; it must still be the one that was read. */
  constructor(model: SourceBytes) {
    this.#model = model;
  }

  /**
   * Reads a range of a file.
   *
   * @param path - The file.
   * @param start - Where the range begins, bytes.
   * @param target - Takes the bytes; as long as the range.
   * @throws `model-changed` when the file is shorter, or the model not the one that was read; the file system's own error.
   */
  async read(path: string, start: number, target: Uint8Array): Promise<void> {
    const { handle } = await this.#open(path);
    for (let done = 0; done < target.length; ) {
      const { bytesRead } = await handle.read(target, done, target.length - done, start + done);
      if (bytesRead === 0) throw OptimiseModelError.of('model-changed', { path });
      done += bytesRead;
    }
  }

  /**
   * Makes sure that what was read belongs together.
   *
   * @throws `model-changed` when a file was written to since it was opened.
   */
  async refuseIfChanged(): Promise<void> {
    for (const [path, opening] of this.#files) {
      const file = await opening;
      const now = await file.handle.stat({ bigint: true });
      if (!isSame(file, now)) throw OptimiseModelError.of('model-changed', { path });
    }
  }

  /** Closes all files; to be called once no read is under way. */
  async close(): Promise<void> {
    for (const opening of this.#files.values()) {
      const file = await opening.catch(() => undefined);
      await file?.handle.close();
    }
  }

  #open(path: string): Promise<OpenFile> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const opening = this.#openFresh(path);
    this.#files.set(path, opening);
    return opening;
  }

  async #openFresh(path: string): Promise<OpenFile> {
    const handle = await open(path, 'r');
    try {
      const now = await handle.stat({ bigint: true });
      const isModel = path === this.#model.path;
      if (isModel && !isSame(this.#model, now)) throw OptimiseModelError.of('model-changed', { path });
      return { handle, sizeBytes: Number(now.size), modifiedNs: now.mtimeNs };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
}
