import { decodeHalf } from '../../half/encode-half.js';

/** What storing an array as FP16 did to it, as the numbers before and after tell. */
export type RoundStats = {
  readonly values: number;
  /** Numbers beyond FP16, infinities and NaN that became something finite. */
  readonly clampedCount: number;
  /** Of those, infinities and NaN. */
  readonly nonFiniteCount: number;
  /** Numbers other than zero that became zero. */
  readonly vanishedCount: number;
  /** Numbers that FP16 holds with fewer than 11 significant bits. */
  readonly subnormalCount: number;
  /** Numbers that are what they were. */
  readonly exactCount: number;
  /** Largest magnitude of a finite number before, 0 if there is none. */
  readonly largest: number;
  /** Sum of (after − before)² over numbers that were finite before. */
  readonly squaredError: number;
  /** Sum of before² over the same numbers. */
  readonly squaredNorm: number;
};

/** The statistics of nothing at all: where adding starts. */
export const noRoundStats: RoundStats = {
  ...{ values: 0, clampedCount: 0, nonFiniteCount: 0, vanishedCount: 0, subnormalCount: 0, exactCount: 0 },
  ...{ largest: 0, squaredError: 0, squaredNorm: 0 },
};

/** From this magnitude on rounding to FP16 would give infinity. */
const beyondHalf = 65_520;
/** The smallest magnitude that FP16 holds with all its digits. */
const leastNormal = 2 ** -14;

/**
 * Compares numbers with the FP16 ones that were stored for them, whatever rule made those.
 *
 * @param before - The numbers, FP32 or FP64.
 * @param halves - 16 bits of each number that was stored, as many.
 * @returns What became of them.
 */
export function compareRounded(before: Float32Array | Float64Array, halves: Uint16Array): RoundStats {
  const after = new Float32Array(halves.length);
  decodeHalf(halves, after);
  // One by one: taken out of an object, they would cost half the speed.
  let clampedCount = 0;
  let nonFiniteCount = 0;
  let vanishedCount = 0;
  let subnormalCount = 0;
  let exactCount = 0;
  let largest = 0;
  let squaredError = 0;
  let squaredNorm = 0;
  for (let index = 0; index < before.length; index += 1) {
    const value = before[index] ?? 0;
    const stored = after[index] ?? 0;
    const size = Math.abs(value);
    const storedSize = Math.abs(stored);
    const isFiniteNumber = size < Number.POSITIVE_INFINITY;
    if (stored === value || (Number.isNaN(value) && Number.isNaN(stored))) exactCount += 1;
    else if (!isFiniteNumber) nonFiniteCount += 1;
    else if (size >= beyondHalf) clampedCount += 1;
    else if (storedSize === 0) vanishedCount += 1;
    if (storedSize > 0 && storedSize < leastNormal) subnormalCount += 1;
    if (!isFiniteNumber) continue;
    if (size > largest) largest = size;
    squaredError += (stored - value) * (stored - value);
    squaredNorm += value * value;
  }
  clampedCount += nonFiniteCount;
  return {
    ...{ values: before.length, clampedCount, nonFiniteCount, vanishedCount, subnormalCount, exactCount },
    ...{ largest, squaredError, squaredNorm },
  };
}

/**
 * Adds the statistics of two pieces of one array.
 *
 * @param left - One piece.
 * @param right - The other piece.
 * @returns The statistics of both together.
 */
export function addRoundStats(left: RoundStats, right: RoundStats): RoundStats {
  return {
    values: left.values + right.values,
    clampedCount: left.clampedCount + right.clampedCount,
    nonFiniteCount: left.nonFiniteCount + right.nonFiniteCount,
    vanishedCount: left.vanishedCount + right.vanishedCount,
    subnormalCount: left.subnormalCount + right.subnormalCount,
    exactCount: left.exactCount + right.exactCount,
    largest: Math.max(left.largest, right.largest),
    squaredError: left.squaredError + right.squaredError,
    squaredNorm: left.squaredNorm + right.squaredNorm,
  };
}

/**
 * Says how far an array moved when it was stored as FP16: ‖after − before‖ / ‖before‖.
 *
 * @param stats - What became of its numbers.
 * @returns 0 where all finite numbers are what they were.
 */
export function roundErrorOf({ squaredError, squaredNorm }: RoundStats): number {
  if (squaredError === 0) return 0;
  return squaredNorm === 0 ? 1 : Math.sqrt(squaredError / squaredNorm);
}

/**
 * Counts the numbers for which OpenVINO would find no place in FP16, as it does where it decides.
 *
 * @param values - The numbers, FP32 or FP64.
 * @returns How many are beyond 65504, infinite or NaN, or not 0 and nearer to it than the smallest FP16 number; and how
 *   many of them are finite and beyond FP16.
 * @see https://github.com/openvinotoolkit/openvino/blob/77e1c75b9d90af3cd5a3f01ba88c5d8d83dd2f49/src/common/transformations/src/transformations/common_optimizations/compress_float_constants.cpp
 */
export function countOutside(values: Float32Array | Float64Array): {
  readonly outside: number;
  readonly beyond: number;
} {
  let outside = 0;
  let beyond = 0;
  for (let index = 0; index < values.length; index += 1) {
    const size = Math.abs(values[index] ?? 0);
    // NaN is not below it either.
    if (!(size <= 65_504) || (size > 0 && size < 2 ** -24)) outside += 1;
    if (size >= beyondHalf && size < Number.POSITIVE_INFINITY) beyond += 1;
  }
  return { outside, beyond };
}
