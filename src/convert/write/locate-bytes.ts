import { pieceBytes, type Rope } from '../../onnx/piece.js';
import type { FileRange } from '../../onnx/tensor-content.js';
import { rangeKey } from '../plan/weight.js';

/** A file that was written, and what it was made of. */
export type WrittenFile = { readonly name: string; readonly rope: Rope };

/** Where bytes of the source are in the files that were written. */
export type Located = { readonly file: string; readonly offset: number; readonly sizeBytes: number };

type Interval = {
  readonly start: number;
  readonly end: number;
  readonly file: string;
  readonly offset: number;
};

/** Finds bytes of the source files in the files that were written. */
export type ByteMap = {
  /** The stretch that begins at an offset of a source file; undefined where that byte was not copied. */
  readonly findCopy: (path: string, start: number, end: number) => Located | undefined;
  /** Where the next copied byte at or behind an offset begins; the end when there is none before it. */
  readonly nextCopy: (path: string, start: number, end: number) => number;
  /** The FP16 form of an FP32 range. */
  readonly findHalf: (range: FileRange) => Located | undefined;
};

/**
 * Notes which bytes of the source went where.
 *
 * @param files - The files that were written.
 * @param modelPath - The source model.
 * @returns The map.
 */
export function locateBytes(files: readonly WrittenFile[], modelPath: string): ByteMap {
  const copies = new Map<string, Interval[]>();
  const halves = new Map<string, Located>();
  for (const { name, rope } of files) {
    let offset = 0;
    for (const piece of rope.pieces) {
      const place = { file: name, offset };
      if (piece.kind === 'source') add(copies, modelPath, { start: piece.start, end: piece.end, ...place });
      else if (piece.kind === 'range' && piece.form === 'stored') {
        const { path, offset: start, sizeBytes } = piece.range;
        add(copies, path, { start, end: start + sizeBytes, ...place });
      } else if (piece.kind === 'range') {
        halves.set(rangeKey(piece.range), { ...place, sizeBytes: pieceBytes(piece) });
      }
      offset += pieceBytes(piece);
    }
  }
  const reaches = new Map([...copies].map(([path, intervals]) => [path, sortByStart(intervals)] as const));
  const firstBehind = (path: string, start: number): Interval | undefined =>
    copies.get(path)?.[countUpTo(reaches.get(path) ?? [], start)];
  return {
    findHalf: (range) => halves.get(rangeKey(range)),
    nextCopy: (path, start, end) => Math.min(end, Math.max(start, firstBehind(path, start)?.start ?? end)),
    findCopy: (path, start, end) => {
      const found = firstBehind(path, start);
      if (found === undefined || found.start > start) return undefined;
      const sizeBytes = Math.min(end, found.end) - start;
      return { file: found.file, offset: found.offset + start - found.start, sizeBytes };
    },
  };
}

function add(copies: Map<string, Interval[]>, path: string, interval: Interval): void {
  if (interval.end <= interval.start) return;
  const intervals = copies.get(path) ?? [];
  intervals.push(interval);
  copies.set(path, intervals);
}

/** Sorts intervals in place; returns how far each one and those before it reach, since what tensors share may overlap. */
function sortByStart(intervals: Interval[]): readonly number[] {
  intervals.sort((left, right) => left.start - right.start);
  let reach = 0;
  return intervals.map(({ end }) => {
    reach = Math.max(reach, end);
    return reach;
  });
}

/** How many of these numbers, which never fall, are not above a limit. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
