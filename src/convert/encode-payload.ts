import { addHalfStats, emptyHalfStats, encodeHalf, type HalfStats } from '../half/encode-half.js';
import { type Payload, readPieces } from '../onnx/tensor-payload.js';

/** FP32 numbers per piece: 16 MiB in, 8 MiB out. */
const pieceElements = 4 * 1024 * 1024;

/** A weight as FP16. */
export type EncodedWeight = {
  /** Little-endian FP16. */
  readonly bytes: Uint8Array;
  readonly stats: HalfStats;
};

/**
 * Rounds a stored FP32 tensor to FP16 piece by piece, so that a data file is never in memory as a whole.
 *
 * @param payload - FP32, little-endian.
 * @param signal - Stops the work between two pieces.
 * @returns The FP16 bytes and what the rounding did.
 */
export async function encodePayload(payload: Payload, signal: AbortSignal): Promise<EncodedWeight> {
  const halves = new Uint16Array(payload.sizeBytes / 4);
  let stats = emptyHalfStats;
  let done = 0;
  for await (const piece of readPieces(payload, pieceElements * 4)) {
    signal.throwIfAborted();
    const source = viewFloats(piece);
    stats = addHalfStats(stats, encodeHalf(source, halves.subarray(done)));
    done += source.length;
  }
  return { bytes: new Uint8Array(halves.buffer), stats };
}

/** Tensors in a model begin at any byte; numbers can be viewed only from a multiple of four on. */
function viewFloats(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
