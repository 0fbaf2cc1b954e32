import { halfKernelModule } from './half-kernel.generated.js';
import type { HalfStats } from './half-stats.js';

/** Room for one piece in the kernel's memory. */
export type KernelPair = {
  /** FP32 numbers, little-endian. */
  readonly floats: Uint8Array<ArrayBuffer>;
  /** FP16 numbers, little-endian. */
  readonly halves: Uint8Array<ArrayBuffer>;
};

/** Where numbers begin in a pair, bytes from the beginning of its floats and of its halves; any. */
type PairOffsets = { readonly floatsAt: number; readonly halvesAt: number };

/** FP32 to FP16 and back in WebAssembly SIMD, on memory that files are read into and written from. */
export type HalfKernel = {
  readonly pairs: readonly KernelPair[];
  /** Rounds `count` floats of a pair, the first ones unless told otherwise, into its halves, as `encodeHalf` does. */
  readonly encode: (pair: number, count: number, from?: PairOffsets) => HalfStats;
  /** Expands `count` halves of a pair into its floats, exactly. */
  readonly decode: (pair: number, count: number, from?: PairOffsets) => void;
};

/** What half-kernel.assembly.ts exports. */
type Exports = {
  readonly encode: (floats: number, halves: number, count: number) => number;
  readonly decode: (floats: number, halves: number, count: number) => void;
};

const pageBytes = 65_536;
const beginnings: PairOffsets = { floatsAt: 0, halvesAt: 0 };
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
  const pairAt = (pair: number): number => pageBytes + pair * pairBytes;
  const locate = (pair: number, count: number, { floatsAt, halvesAt }: PairOffsets): [number, number] => {
    const elements = count + Math.ceil(Math.max(floatsAt / 4, halvesAt / 2));
    if (
      pair < 0 ||
      pair >= size.pairs ||
      Math.min(count, floatsAt, halvesAt) < 0 ||
      elements > pieceElements
    ) {
      throw new RangeError(
        `${elements} numbers of pair ${pair}, of ${size.pairs} with ${pieceElements} each`,
      );
    }
    return [pairAt(pair) + floatsAt, pairAt(pair) + 4 * pieceElements + halvesAt];
  };
  return {
    pairs: Array.from({ length: size.pairs }, (_unused, pair) => ({
      floats: new Uint8Array(memory.buffer, pairAt(pair), 4 * pieceElements),
      halves: new Uint8Array(memory.buffer, pairAt(pair) + 4 * pieceElements, 2 * pieceElements),
    })),
    encode: (pair, count, from = beginnings) =>
      readStats(new Float64Array(memory.buffer, encode(...locate(pair, count, from), count), 7)),
    decode: (pair, count, from = beginnings) => decode(...locate(pair, count, from), count),
  };
}

function readStats(fields: Float64Array): HalfStats {
  return {
    overflowCount: fields[0] ?? 0,
    underflowCount: fields[1] ?? 0,
    subnormalCount: fields[2] ?? 0,
    exactCount: fields[3] ?? 0,
    largest: fields[4] ?? 0,
    squaredError: fields[5] ?? 0,
    squaredNorm: fields[6] ?? 0,
  };
}
