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
 * Numbers in FP16's normal range, nearly all of a model's, take a path of integer steps only.
 *
 * @param source - The numbers.
 * @param target - Takes the 16 bits of each; at least as long as `source`.
 * @returns What the rounding did.
 */
export function encodeHalf(source: Float32Array, target: Uint16Array): HalfStats {
  const words = new Uint32Array(source.buffer, source.byteOffset, source.length);
  const rare: number[] = [];
  let rareStats = emptyHalfStats;
  let overflowCount = 0;
  let exactCount = 0;
  let maxRelativeError = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? 0;
    const magnitude = word & 0x7fff_ffff;
    if (magnitude === 0 || magnitude < 0x3880_0000 || magnitude >= 0x4780_0000) {
      target[index] = roundBits(word);
      if (magnitude === 0) exactCount += 1;
      else if (rare.push(word) === 4096) rareStats = addHalfStats(rareStats, countRare(rare.splice(0)));
      continue;
    }
    const half = (magnitude - 0x3800_0000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13;
    target[index] = half | ((word >>> 16) & 0x8000);
    const rest = magnitude & 0x1fff;
    if (rest === 0) exactCount += 1;
    else if (half === 0x7c00) overflowCount += 1;
    else {
      const distance = rest > 0x1000 ? 0x2000 - rest : rest;
      const error = distance / ((magnitude & 0x7f_ffff) | 0x80_0000);
      if (error > maxRelativeError) maxRelativeError = error;
    }
  }
  const usual = { ...emptyHalfStats, overflowCount, exactCount, maxRelativeError };
  return addHalfStats(addHalfStats(usual, rareStats), countRare(rare));
}

/** Numbers outside FP16's normal range, by their FP32 bits; none of them is zero. */
function countRare(words: readonly number[]): HalfStats {
  let stats = { ...emptyHalfStats };
  const floats = new Float32Array(Uint32Array.from(words).buffer);
  for (const [index, word] of words.entries()) {
    const stored = roundBits(word) & 0x7fff;
    const value = Math.abs(floats[index] ?? 0);
    if (!Number.isFinite(value)) stats = { ...stats, exactCount: stats.exactCount + 1 };
    else if (stored === 0x7c00) stats = { ...stats, overflowCount: stats.overflowCount + 1 };
    else stats = addHalfStats(stats, countSubnormal(stored, value));
  }
  return stats;
}

function countSubnormal(stored: number, value: number): HalfStats {
  const error = Math.abs(halfToFloat(stored) - value) / value;
  return {
    overflowCount: 0,
    underflowCount: Number(stored === 0),
    subnormalCount: Number(stored > 0 && stored < 0x400),
    exactCount: Number(error === 0),
    maxRelativeError: error,
  };
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
