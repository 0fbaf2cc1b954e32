import { openHalfKernel } from './half-kernel.js';

/** Takes FP32 numbers, `offset` bytes after the first one; it is done with them when it returns, as their memory is used again. */
type TakeFloats = (offset: number, floats: Uint8Array) => void;

/** Expands FP16 numbers, little-endian, however many there are; an odd byte at their end is left out. */
export type ExpandHalves = (halves: Uint8Array, take: TakeFloats) => void;

/**
 * Opens the kernel for expanding bytes that arrive in chunks: in pieces that stay in the processor's cache between
 * being copied in, expanded and taken.
 *
 * @param pieceElements - Numbers that are expanded at a time, ≥ 1; memory is 6 bytes for each.
 * @returns The function; not to be called by what it hands numbers to.
 */
export function openHalfExpander(pieceElements: number): ExpandHalves {
  const kernel = openHalfKernel({ pieceElements, pairs: 1 });
  const { floats, halves: piece } = kernel.pairs[0] ?? { floats: new Uint8Array(), halves: new Uint8Array() };
  return (halves, take) => {
    const elements = Math.floor(halves.length / 2);
    for (let done = 0; done < elements; done += pieceElements) {
      const count = Math.min(pieceElements, elements - done);
      piece.set(halves.subarray(2 * done, 2 * (done + count)));
      kernel.decode(0, count);
      take(4 * done, floats.subarray(0, 4 * count));
    }
  };
}
