import type { KernelPair } from '../half/half-kernel.js';
import type { Piece, Rope } from '../onnx/piece.js';
import { memoryAt, type SourceBytes } from '../onnx/source-bytes.js';
import type { FileRange } from '../onnx/tensor-content.js';

/** Copies of this size and more are read to where they are written from; smaller ones share reads with their neighbours. */
const directBytes = 1 << 16;

/** Ranges of one file with no more than this between them are read in one go. */
const gapBytes = 4096;

const nothing = new Uint8Array(0);

/** A read that fills a part of a block. */
type BlockRead = {
  readonly path: string;
  /** In the file, bytes. */
  readonly start: number;
  /** Of the block's pair. */
  readonly area: 'floats' | 'halves';
  readonly at: number;
  sizeBytes: number;
};

/** What is done to a block once its reads have come in; places are bytes from the beginning of floats and of halves. */
type BlockMove =
  | {
      readonly kind: 'copy';
      readonly floatsAt: number;
      readonly halvesAt: number;
      readonly sizeBytes: number;
    }
  | {
      readonly kind: 'half';
      readonly floatsAt: number;
      readonly halvesAt: number;
      readonly count: number;
      readonly piece: HalfPiece;
      /** Whether this is the last part of the piece. */
      readonly isLast: boolean;
    };

/** A tensor that is rounded on the way. */
export type HalfPiece = Extract<Piece, { readonly kind: 'range' }>;

/** A stretch of the output, at most as long as a pair's halves, in which it is put together. */
export type PieceBlock = {
  readonly reads: readonly BlockRead[];
  readonly moves: readonly BlockMove[];
  readonly sizeBytes: number;
};

/** How far a rope has been put into blocks. */
export type RopeCursor = {
  readonly rope: Rope;
  readonly source: SourceBytes;
  index: number;
  /** What has been taken of the piece at `index`, in bytes of its own. */
  taken: number;
};

/** A block that is being filled. */
type Draft = {
  readonly pair: KernelPair;
  readonly source: SourceBytes;
  readonly reads: BlockRead[];
  readonly moves: BlockMove[];
  floatsUsed: number;
  halvesUsed: number;
};

/**
 * Takes as many pieces as fit into a block; those that are in memory are put there at once.
 *
 * @param cursor - The rope; moved on.
 * @param pair - Where the block is put together; nothing else uses it.
 * @returns What is left to be done for the block; undefined when the rope is at its end.
 */
export function fillBlock(cursor: RopeCursor, pair: KernelPair): PieceBlock | undefined {
  const { pieces } = cursor.rope;
  if (cursor.index === pieces.length) return undefined;
  const { source } = cursor;
  const draft: Draft = { pair, source, reads: [], moves: [], floatsUsed: 0, halvesUsed: 0 };
  for (let piece = pieces[cursor.index]; piece !== undefined; piece = pieces[cursor.index]) {
    cursor.taken += takePiece(draft, piece, cursor.taken);
    if (cursor.taken < sizeOf(piece)) break;
    cursor.index += 1;
    cursor.taken = 0;
  }
  return { reads: draft.reads, moves: draft.moves, sizeBytes: draft.halvesUsed };
}

/** Before rounding. */
function sizeOf(piece: Piece): number {
  if (piece.kind === 'bytes') return piece.bytes.length;
  return piece.kind === 'source' ? piece.end - piece.start : piece.range.sizeBytes;
}

function takePiece(draft: Draft, piece: Piece, taken: number): number {
  if (piece.kind === 'bytes')
    return takeBytes(draft, taken === 0 ? piece.bytes : piece.bytes.subarray(taken));
  if (piece.kind === 'source') {
    const start = piece.start + taken;
    return takeStored(draft, { path: draft.source.path, offset: start, sizeBytes: piece.end - start });
  }
  if (piece.form === 'half') return takeHalf(draft, piece, taken);
  const { path, offset, sizeBytes } = piece.range;
  return takeStored(draft, { path, offset: offset + taken, sizeBytes: sizeBytes - taken });
}

function takeBytes(draft: Draft, bytes: Uint8Array): number {
  const sizeBytes = Math.min(bytes.length, roomFor(draft));
  draft.pair.halves.set(sizeBytes < bytes.length ? bytes.subarray(0, sizeBytes) : bytes, draft.halvesUsed);
  draft.halvesUsed += sizeBytes;
  return sizeBytes;
}

function takeStored(draft: Draft, { path, offset, sizeBytes }: FileRange): number {
  const taken = Math.min(sizeBytes, roomFor(draft));
  const bytes = inMemory(draft, { path, offset, sizeBytes: taken });
  if (bytes !== undefined) return takeBytes(draft, bytes);
  if (taken >= directBytes) {
    draft.reads.push({ path, start: offset, area: 'halves', at: draft.halvesUsed, sizeBytes: taken });
    draft.halvesUsed += taken;
    return taken;
  }
  const floatsAt = placeRead(draft, { path, offset, sizeBytes: taken });
  if (floatsAt === undefined) return 0;
  draft.moves.push({ kind: 'copy', floatsAt, halvesAt: draft.halvesUsed, sizeBytes: taken });
  draft.halvesUsed += taken;
  return taken;
}

function takeHalf(draft: Draft, piece: HalfPiece, taken: number): number {
  const { path, offset, sizeBytes } = piece.range;
  const room = Math.min(2 * roomFor(draft), draft.pair.floats.length - draft.floatsUsed - gapBytes);
  const part = {
    path,
    offset: offset + taken,
    sizeBytes: Math.min(sizeBytes - taken, Math.max(0, room)) & ~3,
  };
  if (part.sizeBytes === 0 && sizeBytes > 0) return 0;
  const bytes = inMemory(draft, part);
  const floatsAt = bytes === undefined ? placeRead(draft, part) : draft.floatsUsed;
  if (floatsAt === undefined) return 0;
  if (bytes !== undefined) {
    draft.pair.floats.set(bytes, floatsAt);
    draft.floatsUsed += bytes.length;
  }
  const isLast = taken + part.sizeBytes === sizeBytes;
  const count = part.sizeBytes / 4;
  draft.moves.push({ kind: 'half', floatsAt, halvesAt: draft.halvesUsed, count, piece, isLast });
  draft.halvesUsed += part.sizeBytes / 2;
  return part.sizeBytes;
}

function roomFor({ pair, halvesUsed }: Draft): number {
  return pair.halves.length - halvesUsed;
}

function inMemory({ source }: Draft, { path, offset, sizeBytes }: FileRange): Uint8Array | undefined {
  if (sizeBytes === 0) return nothing;
  return path === source.path ? memoryAt(source, offset, offset + sizeBytes) : undefined;
}

/** Finds a place among the floats for a part of a file, in the read before it if that ends where it begins, or nearly so. */
function placeRead(draft: Draft, { path, offset, sizeBytes }: FileRange): number | undefined {
  const { reads, pair } = draft;
  const last = reads.findLast(({ area }) => area === 'floats');
  const isNext = last?.path === path && last.at + last.sizeBytes === draft.floatsUsed;
  const gap = isNext ? offset - last.start - last.sizeBytes : -1;
  const skipped = gap >= 0 && gap <= gapBytes ? gap : 0;
  const at = draft.floatsUsed + skipped;
  if (at + sizeBytes > pair.floats.length) return undefined;
  if (last !== undefined && gap === skipped) last.sizeBytes += gap + sizeBytes;
  else reads.push({ path, start: offset, area: 'floats', at, sizeBytes });
  draft.floatsUsed = at + sizeBytes;
  return at;
}
