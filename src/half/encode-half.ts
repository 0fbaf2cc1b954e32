import { expandBits, halfToFloat, roundBits } from './half-numbers.js';
import { addHalfStats, emptyHalfStats, type HalfStats } from './half-stats.js';

/** Squares of smaller numbers add nothing that matters, and the kernel is slow at them. */
const leastSquared = 2 ** -60;

/** Numbers per call of the inner loop, which is compiled for speed sooner than one long loop would be. */
const chunkElements = 1024;

/** FP32 bits of all 65,536 FP16 numbers, made when first needed. */
let table: Uint32Array | undefined;

/**
 * Rounds FP32 numbers to FP16, to nearest even, keeping subnormals, and says what was lost.
 *
 * The scalar twin of the kernel: for what is too small to be worth copying into the kernel's memory.
 *
 * @param source - The numbers.
 * @param target - Takes the 16 bits of each; at least as long as `source`.
 * @returns What the rounding did.
 */
export function encodeHalf(source: Float32Array, target: Uint16Array): HalfStats {
  let stats = emptyHalfStats;
  for (let start = 0; start < source.length; start += chunkElements) {
    const chunk = source.subarray(start, start + chunkElements);
    stats = addHalfStats(stats, encodeChunk(chunk, target.subarray(start, start + chunkElements)));
  }
  return stats;
}

function encodeChunk(source: Float32Array, target: Uint16Array): HalfStats {
  const words = new Int32Array(source.buffer, source.byteOffset, source.length);
  // One by one: taken out of an array, they would cost half the speed.
  let overflowCount = 0;
  let underflowCount = 0;
  let subnormalCount = 0;
  let exactCount = 0;
  let largest = 0;
  let squaredError = 0;
  let squaredNorm = 0;
  for (let index = 0; index < source.length; index += 1) {
    const half = roundBits(words[index] ?? 0);
    target[index] = half;
    const value = Math.abs(source[index] ?? 0);
    if (value > largest && value < Number.POSITIVE_INFINITY) largest = value;
    const size = half & 0x7fff;
    if (size >= 0x7c00) {
      if (value < Number.POSITIVE_INFINITY) overflowCount += 1;
      else exactCount += 1;
      continue;
    }
    const error = value - halfToFloat(size);
    if (error === 0) exactCount += 1;
    else if (size === 0) underflowCount += 1;
    if (size > 0 && size < 0x400) subnormalCount += 1;
    if (value > leastSquared) {
      squaredError += error * error;
      squaredNorm += value * value;
    }
  }
  return { overflowCount, underflowCount, subnormalCount, exactCount, largest, squaredError, squaredNorm };
}

/**
 * Expands FP16 numbers to FP32, exactly, NaN with what they carry.
 *
 * @param source - 16 bits of each number.
 * @param target - Takes the numbers; at least as long as `source`.
 */
export function decodeHalf(source: Uint16Array, target: Float32Array): void {
  table ??= Uint32Array.from({ length: 65_536 }, (_unused, half) => expandBits(half));
  const words = new Uint32Array(target.buffer, target.byteOffset, source.length);
  for (let index = 0; index < source.length; index += 1) words[index] = table[source[index] ?? 0] ?? 0;
}
