// AssemblyScript, compiled to WebAssembly by build-kernel.mjs; not part of the TypeScript program. It is a part of
// half-kernel.assembly.ts, and a module of its own for who only expands: two fifths of the bytes.

/** In the first page, where half-kernel.assembly.ts has nothing at the time. */
const paddedFloats: usize = 0x3000;
const paddedHalves: usize = 0x4000;

/**
 * Expands FP16 numbers to FP32, exactly.
 *
 * @param floats - Address that takes the FP32 numbers.
 * @param halves - Address of the FP16 numbers.
 * @param count - How many numbers, any.
 */
export function decode(floats: usize, halves: usize, count: i32): void {
  for (; count >= 8; count -= 8) {
    expandGroup(floats, halves);
    floats += 32;
    halves += 16;
  }
  memory.copy(paddedHalves, halves, (<usize>count) << 1);
  expandGroup(paddedFloats, paddedHalves);
  memory.copy(floats, paddedFloats, (<usize>count) << 2);
}

function expandGroup(floats: usize, halves: usize): void {
  const group = v128.load(halves);
  v128.store(floats, expand(i32x4.extend_low_i16x8_u(group)));
  v128.store(floats, expand(i32x4.extend_high_i16x8_u(group)), 16);
}

/** A subnormal is read as the fraction of a number from 2^-14 on, from which 2^-14 is taken away. */
function expand(halves: v128): v128 {
  const size = i32x4.shl(v128.and(halves, i32x4.splat(0x7fff)), 13);
  const rebias = i32x4.splat(0x3800_0000);
  const special = v128.and(i32x4.gt_s(size, i32x4.splat(0x0f7f_ffff)), rebias);
  const usual = i32x4.add(i32x4.add(size, rebias), special);
  const smallest = i32x4.splat(0x3880_0000);
  const subnormal = f32x4.sub(i32x4.add(size, smallest), smallest);
  const expanded = v128.bitselect(subnormal, usual, i32x4.lt_s(size, i32x4.splat(0x0080_0000)));
  return v128.or(expanded, i32x4.shl(v128.and(halves, i32x4.splat(0x8000)), 16));
}
