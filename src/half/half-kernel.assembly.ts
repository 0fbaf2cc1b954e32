// AssemblyScript, compiled to WebAssembly by build-kernel.mjs; not part of the TypeScript program.

export { decode } from './half-expander.assembly';

/**
 * Numbers per chunk. Squares are added in FP32 within a chunk, in FP64 between chunks: few enough for the former to stay
 * exact to some 1e-7, and no 16-bit counter runs over.
 */
const chunkElements: i32 = 512;

const zero: v128 = i32x4.splat(0);

/** FP32 bits of 65520, the smallest number that rounds to infinity, less one. */
const largestKept: i32 = 0x477f_efff;
const infinity: i32 = 0x7f80_0000;

/** Vectors of one value; V8 builds such a constant in three instructions wherever it is used, but loads it in one. */
const absolute = memory.data<i32>([0x7fff_ffff, 0x7fff_ffff, 0x7fff_ffff, 0x7fff_ffff], 16);
const exponent = memory.data<i32>([0x7f80_0000, 0x7f80_0000, 0x7f80_0000, 0x7f80_0000], 16);
const thirteen = memory.data<i32>([0x0680_0000, 0x0680_0000, 0x0680_0000, 0x0680_0000], 16);
const oneHalf = memory.data<i32>([0x3f00_0000, 0x3f00_0000, 0x3f00_0000, 0x3f00_0000], 16);
const eightAndOne = memory.data<i32>([0x0008_0001, 0x0008_0001, 0x0008_0001, 0x0008_0001], 16);
const bias = memory.data<i32>([0x0001_f800, 0x0001_f800, 0x0001_f800, 0x0001_f800], 16);
const signBits = memory.data<i32>([0x8000_8000, 0x8000_8000, 0x8000_8000, 0x8000_8000], 16);
const leastNormal = memory.data<i32>([0x0400_0400, 0x0400_0400, 0x0400_0400, 0x0400_0400], 16);
const tiny = memory.data<i32>([0x2180_0000, 0x2180_0000, 0x2180_0000, 0x2180_0000], 16);

/** The rest of the first page is free. Statistics, FP64: overflows, underflows, subnormals, exact, largest, error, norm. */
const stats: usize = 0x2000;
const paddedFloats: usize = 0x3000;
const paddedHalves: usize = 0x4000;

/**
 * Rounds FP32 numbers to FP16, to nearest even, and counts what became of them.
 *
 * @param floats - Address of the FP32 numbers.
 * @param halves - Address that takes the FP16 numbers.
 * @param count - How many numbers, any.
 * @returns Address of the statistics, 7 FP64 numbers.
 */
export function encode(floats: usize, halves: usize, count: i32): usize {
  memory.fill(stats, 0, 56);
  while (count > 0) {
    const taken = min(count, chunkElements);
    if ((taken & 7) !== 0 || !roundGroups(floats, halves, taken >> 3)) roundPadded(floats, halves, taken);
    floats += (<usize>taken) << 2;
    halves += (<usize>taken) << 1;
    count -= taken;
  }
  return stats;
}

/** Rounds groups of 8 numbers; false, with the statistics untouched and `halves` void, if one is beyond FP16. */
function roundGroups(floats: usize, halves: usize, groups: i32): bool {
  let largest = zero;
  let exact = zero;
  let under = zero;
  let below = zero;
  let errors = zero;
  let norms = zero;
  do {
    const a = v128.load(floats);
    const b = v128.load(floats, 16);
    const aSize = magnitude(a);
    const bSize = magnitude(b);
    largest = i32x4.max_s(largest, i32x4.max_s(aSize, bSize));
    const aGrid = gridOf(aSize);
    const bGrid = gridOf(bSize);
    const aSum = f32x4.add(aSize, aGrid);
    const bSum = f32x4.add(bSize, bGrid);
    const kept = i16x8.narrow_i32x4_s(halfOf(aSum), halfOf(bSum));
    v128.store(halves, v128.or(kept, signs(a, b)));
    const aRound = f32x4.sub(aSum, aGrid);
    const bRound = f32x4.sub(bSum, bGrid);
    const same = i16x8.narrow_i32x4_s(f32x4.eq(aRound, aSize), f32x4.eq(bRound, bSize));
    const none = i16x8.eq(kept, zero);
    exact = i16x8.sub(exact, same);
    under = i16x8.sub(under, v128.andnot(none, same));
    below = i16x8.sub(below, v128.andnot(i16x8.lt_s(kept, v128.load(leastNormal)), none));
    const aFelt = withoutTiny(aSize);
    const bFelt = withoutTiny(bSize);
    errors = f32x4.add(errors, squares(f32x4.sub(aFelt, aRound), f32x4.sub(bFelt, bRound)));
    norms = f32x4.add(norms, squares(aFelt, bFelt));
    floats += 32;
    halves += 16;
  } while (--groups);
  if (v128.any_true(i32x4.gt_s(largest, i32x4.splat(largestKept)))) return false;
  note(largest, exact, under, below);
  add(40, addFloats(errors));
  add(48, addFloats(norms));
  return true;
}

function magnitude(floats: v128): v128 {
  return v128.and(floats, v128.load(absolute));
}

/**
 * 2^13 times each number's power of two, at least 1/2: where this is added, FP32's own rounding leaves the 11 bits that
 * FP16 keeps, subnormals included; taking it away again gives the rounded number.
 */
function gridOf(sizes: v128): v128 {
  const powers = v128.and(sizes, v128.load(exponent));
  return i32x4.max_s(i32x4.add(powers, v128.load(thirteen)), v128.load(oneHalf));
}

/** The upper 16 bits of a sum with the grid hold the exponent, the lower ones the significand: 8 times those and these. */
function halfOf(sums: v128): v128 {
  return i32x4.sub(i32x4.dot_i16x8_s(sums, v128.load(eightAndOne)), v128.load(bias));
}

function signs(a: v128, b: v128): v128 {
  return v128.and(i16x8.narrow_i32x4_s(i32x4.shr_s(a, 16), i32x4.shr_s(b, 16)), v128.load(signBits));
}

/** Squares of numbers up to 2^-60 may be FP32 subnormals, with which processors take many times as long. */
function withoutTiny(sizes: v128): v128 {
  return v128.and(sizes, i32x4.gt_s(sizes, v128.load(tiny)));
}

function squares(a: v128, b: v128): v128 {
  return f32x4.add(f32x4.mul(a, a), f32x4.mul(b, b));
}

/** Rounds up to a chunk of numbers where some are beyond FP16 or the last group is not full: these take part as zeros. */
function roundPadded(floats: usize, halves: usize, count: i32): void {
  const padded = (count + 7) & ~7;
  memory.fill(paddedFloats, 0, (<usize>padded) << 2);
  let overflows = 0;
  for (let index = 0; index < count; index++) {
    const word = load<i32>(floats + ((<usize>index) << 2));
    const size = word & 0x7fff_ffff;
    if (size <= largestKept) {
      store<i32>(paddedFloats + ((<usize>index) << 2), word);
    } else if (size < infinity) {
      overflows++;
      raise(i32x4.splat(size));
    }
  }
  roundGroups(paddedFloats, paddedHalves, padded >> 3);
  memory.copy(halves, paddedHalves, (<usize>count) << 1);
  for (let index = 0; index < count; index++) {
    const word = load<i32>(floats + ((<usize>index) << 2));
    const size = word & 0x7fff_ffff;
    if (size <= largestKept) continue;
    const kept = size <= infinity ? 0x7c00 : 0x7e00 | ((size >> 13) & 0x1ff);
    store<u16>(halves + ((<usize>index) << 1), <u16>(((word >> 16) & 0x8000) | kept));
  }
  add(0, overflows);
  add(24, count - padded - overflows);
}

function add(field: usize, value: f64): void {
  store<f64>(stats + field, load<f64>(stats + field) + value);
}

function note(largest: v128, exact: v128, under: v128, below: v128): void {
  add(8, addWords(under));
  add(16, addWords(below));
  add(24, addWords(exact));
  raise(largest);
}

/** Takes note of magnitudes, as FP32 bits. */
function raise(sizes: v128): void {
  const two = i32x4.max_s(sizes, v128.shuffle<i64>(sizes, sizes, 1, 1));
  const size = f64(reinterpret<f32>(max(i32x4.extract_lane(two, 0), i32x4.extract_lane(two, 1))));
  store<f64>(stats + 32, max(load<f64>(stats + 32), size));
}

function addWords(words: v128): i32 {
  const sums = i32x4.extadd_pairwise_i16x8_s(words);
  const two = i32x4.add(sums, v128.shuffle<i64>(sums, sums, 1, 1));
  return i32x4.extract_lane(two, 0) + i32x4.extract_lane(two, 1);
}

function addFloats(floats: v128): f64 {
  const high = f64x2.promote_low_f32x4(v128.shuffle<i64>(floats, floats, 1, 1));
  const two = f64x2.add(f64x2.promote_low_f32x4(floats), high);
  return f64x2.extract_lane(two, 0) + f64x2.extract_lane(two, 1);
}
