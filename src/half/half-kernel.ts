import { halfKernelModule } from './half-kernel.generated.js';
import type { HalfStats } from './half-stats.js';

/** Room for one piece in the kernel's memory. */
export type KernelPair = {
  /** FP32 numbers, little-endian. */
  readonly floats: Uint8Array<ArrayBuffer>;
  /** FP16 numbers, little-endian. */
  readonly halves: Uint8Array<ArrayBuffer>;
};

/** FP32 to FP16 and back in WebAssembly SIMD, on memory that files are read into and written from. */
export type HalfKernel = {
  readonly pairs: readonly KernelPair[];
  /** Rounds the first `count` floats of a pair into its halves, as `encodeHalf` does. */
  readonly encode: (pair: number, count: number) => HalfStats;
  /** Expands the first `count` halves of a pair into its floats, exactly. */
  readonly decode: (pair: number, count: number) => void;
};

/** What half-kernel.assembly.ts exports. */
type Exports = {
  readonly encode: (floats: number, halves: number, count: number) => number;
  readonly decode: (floats: number, halves: number, count: number) => void;
};

const pageBytes = 65_536;
let compiled: WebAssembly.Module | undefined;

/**
 * Makes a kernel with memory of its own; its size is fixed, so views of it stay valid.
 *
 * @param size - `pieceElements`: numbers that a pair holds; `pairs`: how many pairs.
 * @returns The kernel.
 */
export function openHalfKernel(size: { readonly pieceElements: number; readonly pairs: number }): HalfKernel {
  const { pieceElements } = size;
  // Whole cache lines, so that no two of these share one.
  const pairBytes = Math.ceil((6 * pieceElements) / 64) * 64;
  // The first page is the kernel's own.
  const memory = new WebAssembly.Memory({ initial: 1 + Math.ceil((size.pairs * pairBytes) / pageBytes) });
  compiled ??= new WebAssembly.Module(Buffer.from(halfKernelModule, 'base64'));
  const { encode, decode } = new WebAssembly.Instance(compiled, { env: { memory } }).exports as Exports;
  const floatsAt = (pair: number): number => pageBytes + pair * pairBytes;
  const halvesAt = (pair: number): number => floatsAt(pair) + 4 * pieceElements;
  const refuse = (pair: number, count: number): void => {
    if (pair < 0 || pair >= size.pairs || count < 0 || count > pieceElements) {
      throw new RangeError(
        `${count} numbers of pair ${pair}, of ${size.pairs} pairs of ${pieceElements} numbers`,
      );
    }
  };
  return {
    pairs: Array.from({ length: size.pairs }, (_unused, pair) => ({
      floats: new Uint8Array(memory.buffer, floatsAt(pair), 4 * pieceElements),
      halves: new Uint8Array(memory.buffer, halvesAt(pair), 2 * pieceElements),
    })),
    encode: (pair, count) => {
      refuse(pair, count);
      return readStats(new Float64Array(memory.buffer, encode(floatsAt(pair), halvesAt(pair), count), 7));
    },
    decode: (pair, count) => {
      refuse(pair, count);
      decode(floatsAt(pair), halvesAt(pair), count);
    },
  };
}

function readStats(fields: Float64Array): HalfStats {
  const [overflowCount = 0, underflowCount = 0, subnormalCount = 0, exactCount = 0] = fields;
  const [largest = 0, squaredError = 0, squaredNorm = 0] = fields.subarray(4);
  return { overflowCount, underflowCount, subnormalCount, exactCount, largest, squaredError, squaredNorm };
}
