import { type ExpandHalves, openHalfExpander } from '../../half/expand-halves.js';
import type { ExpandedFiles } from './expanded-files.js';
import type { SourceUse, SourceUses } from './source-uses.js';

/** 64 KiB of halves, 128 KiB of floats: what the processor still has at hand when it is written. */
const pieceElements = 32 * 1024;

/** Writes chunks of the artifact's files, as they arrive, to where they belong in the expanded model. */
export class ExpandingWriter {
  readonly #files: Pick<ExpandedFiles, 'write'>;
  readonly #expand: ExpandHalves = openHalfExpander(pieceElements);
  /** First-come bytes of halves that two chunks share: by expanded file, by where the number goes. */
  readonly #lone: Map<number, number>[] = [];

  /** @param files - The expanded files. */
  constructor(files: Pick<ExpandedFiles, 'write'>) {
    this.#files = files;
  }

  /**
   * Writes all that is made of a chunk. Chunks come in any order, each byte once.
   *
   * @param uses - What is made of the file that it is of.
   * @param offset - Where it is in that file, bytes.
   * @param chunk - Its bytes.
   */
  write(uses: SourceUses, offset: number, chunk: Uint8Array): void {
    uses.visit(offset, offset + chunk.length, (use) => {
      const from = Math.max(use.start, offset);
      const end = Math.min(use.end, offset + chunk.length);
      const bytes = chunk.subarray(from - offset, end - offset);
      if (use.kind === 'expand') this.#writeHalves(use, from, bytes);
      else this.#files.write(use.outputIndex, use.outputOffset + from - use.start, bytes);
    });
  }

  /** A number may begin in one chunk and end in another, which may be of another part and come first. */
  #writeHalves(use: SourceUse, from: number, bytes: Uint8Array): void {
    const isCut = (from - use.start) % 2 === 1;
    if (isCut) this.#addLone(use, from, bytes[0] ?? 0);
    const whole = isCut ? bytes.subarray(1) : bytes;
    const at = isCut ? from + 1 : from;
    if (whole.length % 2 === 1) this.#addLone(use, at + whole.length - 1, whole.at(-1) ?? 0);
    const target = use.outputOffset + 2 * (at - use.start);
    this.#expand(whole, (offset, floats) => this.#files.write(use.outputIndex, target + offset, floats));
  }

  #addLone(use: SourceUse, at: number, byte: number): void {
    const half = Math.floor((at - use.start) / 2);
    const target = use.outputOffset + 4 * half;
    const lone = this.#loneOf(use.outputIndex);
    const other = lone.get(target);
    if (other === undefined) {
      lone.set(target, byte);
      return;
    }
    lone.delete(target);
    const isFirst = (at - use.start) % 2 === 0;
    const pair = isFirst ? Uint8Array.of(byte, other) : Uint8Array.of(other, byte);
    this.#expand(pair, (_offset, floats) => this.#files.write(use.outputIndex, target, floats));
  }

  #loneOf(outputIndex: number): Map<number, number> {
    this.#lone[outputIndex] ??= new Map();
    return this.#lone[outputIndex];
  }
}
