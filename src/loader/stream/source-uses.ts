import type { ArtifactExpansion } from '../../store/artifact-expansion.js';
import { partBytes } from '../../store/artifact-expansion.js';

/** A stretch of one of the artifact's files, and where its bytes go in the expanded model. */
export type SourceUse = {
  readonly kind: 'copy' | 'expand';
  /** Where it begins and ends in the artifact's file, bytes. */
  readonly start: number;
  readonly end: number;
  /** Which expanded file. */
  readonly outputIndex: number;
  /** Where in it, bytes. */
  readonly outputOffset: number;
};

/** Finds what is made of the bytes of one artifact file; stretches may overlap, as tied weights do. */
export class SourceUses {
  readonly #uses: readonly SourceUse[];
  /** The furthest end of a use and all before it. */
  readonly #reaches: readonly number[];

  /** @param uses - Of one file, in any order, none of them empty. */
  constructor(uses: readonly SourceUse[]) {
    this.#uses = uses.toSorted((left, right) => left.start - right.start);
    let reach = 0;
    this.#reaches = this.#uses.map(({ end }) => {
      reach = Math.max(reach, end);
      return reach;
    });
  }

  /**
   * Visits every use of a stretch.
   *
   * @param start - Where it begins, bytes from the start of the file.
   * @param end - Where it ends.
   * @param visit - Gets a use that has at least one byte of it.
   */
  visit(start: number, end: number, visit: (use: SourceUse) => void): void {
    for (let index = this.#firstBeyond(start); index < this.#uses.length; index += 1) {
      const use = this.#uses[index];
      if (use === undefined || use.start >= end) return;
      if (use.end > start) visit(use);
    }
  }

  #firstBeyond(offset: number): number {
    let low = 0;
    let high = this.#reaches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#reaches[middle] ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/**
 * Turns a plan round: from what each expanded file is made of to what each of the artifact's files goes into.
 *
 * @param expansion - The plan.
 * @param sourceCount - How many files the artifact has.
 * @returns The uses of each, in the order of the record's files.
 */
export function indexSourceUses(
  { files }: Pick<ArtifactExpansion, 'files'>,
  sourceCount: number,
): readonly SourceUses[] {
  const uses: SourceUse[][] = Array.from({ length: sourceCount }, () => []);
  for (const [outputIndex, { parts }] of files.entries()) {
    let outputOffset = 0;
    for (const part of parts) {
      const [kind] = part;
      if ((kind === 'copy' || kind === 'expand') && part[3] > 0) {
        const [, sourceIndex, start, length] = part;
        uses[sourceIndex]?.push({ kind, start, end: start + length, outputIndex, outputOffset });
      }
      outputOffset += partBytes(part);
    }
  }
  return uses.map((each) => new SourceUses(each));
}
