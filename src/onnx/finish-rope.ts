import type { Piece, Rope } from './piece.js';
import {
  type Bytes,
  chunkBytes,
  headPieces,
  pushSource,
  type Range,
  type RopeDraft,
  type Source,
  smallBytes,
} from './rope-draft.js';
import { memoryAt, type SourceBytes } from './source-bytes.js';

/**
 * Turns a draft into the pieces that are written.
 *
 * @param draft - All messages of it ended.
 * @returns Few pieces: neighbours in the source are one, and so are small ones that follow each other.
 */
export function finishRope({ parts, sizeBytes, source }: RopeDraft): Rope {
  const pieces: (Bytes | Range | Source)[] = [];
  const add = (piece: Bytes | Range | Source): void => {
    if (piece.kind === 'source') pushSource(pieces, piece.start, piece.end);
    else pieces.push(piece);
  };
  for (const part of parts) {
    if (part.kind === 'head') headPieces(part).forEach(add);
    else if (part.kind === 'chunk') add({ kind: 'bytes', bytes: part.chunk.subarray(part.start, part.end) });
    else add(part);
  }
  return { pieces: gather(pieces, source), sizeBytes };
}

function gather(parts: readonly Piece[], source: SourceBytes): Piece[] {
  const pieces: Piece[] = [];
  let small: Uint8Array[] = [];
  let only: Piece | undefined;
  let size = 0;
  const flush = (): void => {
    if (only !== undefined && small.length === 1) pieces.push(only);
    else if (size > 0) pieces.push({ kind: 'bytes', bytes: Buffer.concat(small, size) });
    small = [];
    size = 0;
  };
  for (const part of parts) {
    const bytes = smallBytesOf(part, source);
    if (bytes === undefined || size + bytes.length > chunkBytes) flush();
    if (bytes === undefined) {
      pieces.push(part);
      continue;
    }
    small.push(bytes);
    size += bytes.length;
    only = part;
  }
  flush();
  return pieces;
}

function smallBytesOf(part: Piece, source: SourceBytes): Uint8Array | undefined {
  if (part.kind === 'bytes') return part.bytes.length <= smallBytes ? part.bytes : undefined;
  if (part.kind === 'range' || part.end - part.start > smallBytes) return undefined;
  return memoryAt(source, part.start, part.end);
}
