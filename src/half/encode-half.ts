import { halfToFloat, roundBits } from './half-numbers.js';

/** What rounding to FP16 did to an array. */
export type HalfStats = {
  /** Finite numbers that became infinite: |x| ≥ 65520. */
  readonly overflowCount: number;
  /** Numbers other than zero that became zero: |x| ≤ 2^-25. */
  readonly underflowCount: number;
  /** Numbers stored as FP16 subnormals, with fewer than 11 significant bits. */
  readonly subnormalCount: number;
  /** Numbers that FP16 holds exactly, zeros, infinities and NaN among them. */
  readonly exactCount: number;
  /** Largest |rounded − x| / |x| over finite numbers that stayed finite, 1 where one became zero; 0 if all are exact. */
  readonly maxRelativeError: number;
};

/** The statistics of nothing at all: where adding starts. */
export const emptyHalfStats: HalfStats = {
  overflowCount: 0,
  underflowCount: 0,
  subnormalCount: 0,
  exactCount: 0,
  maxRelativeError: 0,
};

/**
 * Rounds FP32 numbers to FP16, to nearest even, keeping subnormals, and says what was lost.
 *
 * @param source - The numbers.
 * @param target - Takes the 16 bits of each; at least as long as `source`.
 * @returns What the rounding did.
 */
export function encodeHalf(source: Float32Array, target: Uint16Array): HalfStats {
  const words = new Uint32Array(source.buffer, source.byteOffset, source.length);
  let overflowCount = 0;
  let underflowCount = 0;
  let subnormalCount = 0;
  let exactCount = 0;
  let maxRelativeError = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? 0;
    const half = roundBits(word);
    target[index] = half;
    const magnitude = word & 0x7fff_ffff;
    const stored = half & 0x7fff;
    if (magnitude === 0 || magnitude >= 0x7f80_0000) exactCount += 1;
    else if (stored === 0x7c00) overflowCount += 1;
    else if (stored >= 0x400 && (word & 0x1fff) === 0) exactCount += 1;
    else {
      if (stored === 0) underflowCount += 1;
      else if (stored < 0x400) subnormalCount += 1;
      const value = Math.abs(source[index] ?? 0);
      const error = Math.abs(halfToFloat(stored) - value) / value;
      if (error === 0) exactCount += 1;
      else if (error > maxRelativeError) maxRelativeError = error;
    }
  }
  return { overflowCount, underflowCount, subnormalCount, exactCount, maxRelativeError };
}

/**
 * Adds the statistics of two pieces of one array.
 *
 * @param left - One piece.
 * @param right - The other piece.
 * @returns The statistics of both together.
 */
export function addHalfStats(left: HalfStats, right: HalfStats): HalfStats {
  return {
    overflowCount: left.overflowCount + right.overflowCount,
    underflowCount: left.underflowCount + right.underflowCount,
    subnormalCount: left.subnormalCount + right.subnormalCount,
    exactCount: left.exactCount + right.exactCount,
    maxRelativeError: Math.max(left.maxRelativeError, right.maxRelativeError),
  };
}

let table: Float32Array | undefined;

/**
 * Expands FP16 numbers to FP32, exactly, by a table of all 65,536 of them made at the first call.
 *
 * @param source - 16 bits of each number.
 * @param target - Takes the numbers; at least as long as `source`.
 */
export function decodeHalf(source: Uint16Array, target: Float32Array): void {
  table ??= Float32Array.from({ length: 65_536 }, (_unused, half) => halfToFloat(half));
  for (let index = 0; index < source.length; index += 1) target[index] = table[source[index] ?? 0] ?? 0;
}
