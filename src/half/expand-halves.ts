import { halfExpanderModule } from './half-expander.generated.js';

/** Takes FP32 numbers, `offset` bytes after the first one; it is done with them when it returns, as their memory is used again. */
type TakeFloats = (offset: number, floats: Uint8Array) => void;

/** Expands FP16 numbers, little-endian, however many there are; an odd byte at their end is left out. */
export type ExpandHalves = (halves: Uint8Array, take: TakeFloats) => void;

/** What half-expander.assembly.ts exports. */
type Exports = { readonly decode: (floats: number, halves: number, count: number) => void };

const pageBytes = 65_536;
let compiled: WebAssembly.Module | undefined;

/**
 * Opens the kernel for expanding bytes that arrive in chunks: in pieces that stay in the processor's cache between
 * being copied in, expanded and taken. Of the kernel it has what expands alone, since whoever loads a model is to bundle
 * no more.
 *
 * @param pieceElements - Numbers that are expanded at a time, ≥ 1; memory is 6 bytes for each.
 * @returns The function; not to be called by what it hands numbers to.
 */
export function openHalfExpander(pieceElements: number): ExpandHalves {
  // The first page is the kernel's own.
  const memory = new WebAssembly.Memory({ initial: 1 + Math.ceil((6 * pieceElements) / pageBytes) });
  compiled ??= new WebAssembly.Module(Buffer.from(halfExpanderModule, 'base64'));
  const { decode } = new WebAssembly.Instance(compiled, { env: { memory } }).exports as Exports;
  const piece = pageBytes + 4 * pieceElements;
  const floats = new Uint8Array(memory.buffer, pageBytes, 4 * pieceElements);
  const memoryOfHalves = new Uint8Array(memory.buffer, piece, 2 * pieceElements);
  return (halves, take) => {
    const elements = Math.floor(halves.length / 2);
    for (let done = 0; done < elements; done += pieceElements) {
      const count = Math.min(pieceElements, elements - done);
      memoryOfHalves.set(halves.subarray(2 * done, 2 * (done + count)));
      decode(pageBytes, piece, count);
      take(4 * done, floats.subarray(0, 4 * count));
    }
  };
}
