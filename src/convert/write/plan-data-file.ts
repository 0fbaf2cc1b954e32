import { type Piece, pieceBytes, type Rope } from '../../onnx/piece.js';
import { rangeKey } from '../plan/weight.js';

/** A page of memory on every machine that Lambda runs on, bytes; a mapping begins at a multiple of it. */
export const pageBytes = 4096;
/** Smaller tensors do not fill a page: they follow each other at this alignment, a cache line. */
const lineBytes = 64;

/** A data file before it is written. */
export type DataFile = {
  /** Where each piece begins, in the order in which they were given; equal ranges begin at the same place. */
  readonly offsets: readonly number[];
  readonly rope: Rope;
};

type Placed = { readonly offset: number; readonly piece: Piece };

/**
 * Lays a data file out: tensors of a page or more begin on a page, smaller ones fill the gaps before; what is the same
 * range of a file is there once.
 *
 * @param pieces - What goes into the file, in the order of the model.
 * @returns Where each is, and the file as a whole, gaps filled with zeros.
 */
export function planDataFile(pieces: readonly Piece[]): DataFile {
  const keys = pieces.map((piece, index) =>
    piece.kind === 'range' ? `${piece.form} ${rangeKey(piece.range)}` : `alone ${index}`,
  );
  const distinct = new Map(keys.map((key, index) => [key, pieces[index]] as const));
  const placed = placeAll([...distinct].flatMap(([key, piece]) => (piece ? [{ key, piece }] : [])));
  const offsets = keys.map((key) => placed.get(key)?.offset ?? 0);
  return { offsets, rope: fillGaps([...placed.values()]) };
}

type Keyed = { readonly key: string; readonly piece: Piece };

function placeAll(items: readonly Keyed[]): Map<string, Placed> {
  const isLarge = ({ piece }: Keyed): boolean => pieceBytes(piece) >= pageBytes;
  const smallOnes = items.filter((item) => !isLarge(item));
  const placed = new Map<string, Placed>();
  let end = 0;
  let next = 0;
  for (const { key, piece } of items.filter(isLarge)) {
    const offset = alignUp(end, pageBytes);
    next = fillGap(placed, smallOnes, next, end, offset);
    placed.set(key, { offset, piece });
    end = offset + pieceBytes(piece);
  }
  fillGap(placed, smallOnes, next, end, Number.POSITIVE_INFINITY);
  return placed;
}

/** Small tensors take the room before the next page, in their order; returns how many are placed by now. */
function fillGap(
  placed: Map<string, Placed>,
  smallOnes: readonly Keyed[],
  first: number,
  start: number,
  limit: number,
): number {
  let end = start;
  let index = first;
  for (let item = smallOnes[index]; item !== undefined; item = smallOnes[index]) {
    const offset = alignUp(end, lineBytes);
    end = offset + pieceBytes(item.piece);
    if (end > limit) break;
    placed.set(item.key, { offset, piece: item.piece });
    index += 1;
  }
  return index;
}

function alignUp(offset: number, step: number): number {
  return Math.ceil(offset / step) * step;
}

function fillGaps(placed: readonly Placed[]): Rope {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { offset, piece } of [...placed].sort((left, right) => left.offset - right.offset)) {
    if (offset > end) pieces.push({ kind: 'bytes', bytes: new Uint8Array(offset - end) });
    pieces.push(piece);
    end = offset + pieceBytes(piece);
  }
  return { pieces, sizeBytes: end };
}
