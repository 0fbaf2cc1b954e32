import type { FileRange } from './tensor-content.js';

/** A stretch of a file that is written. */
export type Piece =
  /** Bytes of the source `.onnx` as they are, from `start` to before `end`; may span payloads that are not in memory. */
  | { readonly kind: 'source'; readonly start: number; readonly end: number }
  /** New bytes. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** A tensor's bytes from a file: as they are, or FP32 rounded to FP16 (half as many). */
  | { readonly kind: 'range'; readonly range: FileRange; readonly form: 'stored' | 'half' };

/** Pieces in the order in which they are written. */
export type Rope = { readonly pieces: readonly Piece[]; readonly sizeBytes: number };

/**
 * Says how much a piece takes where it is written.
 *
 * @param piece - The piece.
 * @returns Bytes.
 */
export function pieceBytes(piece: Piece): number {
  if (piece.kind === 'source') return piece.end - piece.start;
  if (piece.kind === 'bytes') return piece.bytes.length;
  return piece.form === 'half' ? piece.range.sizeBytes / 2 : piece.range.sizeBytes;
}
