const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/**
 * Rounds one number to FP16, to nearest even, keeping subnormals, the sign of zero and NaN.
 *
 * @param value - Any number; it is first rounded to FP32.
 * @returns The 16 bits; infinity from |value| ≥ 65520 on.
 * @see IEEE 754-2008, binary16.
 */
export function floatToHalf(value: number): number {
  float[0] = value;
  return roundBits(bits[0] ?? 0);
}

/**
 * Rounds the bits of an FP32 number to those of FP16, to nearest even.
 *
 * @param source - 32 bits of the FP32 number, as an unsigned integer.
 * @returns 16 bits of the FP16 number; every NaN becomes a quiet one.
 */
export function roundBits(source: number): number {
  const sign = (source >>> 16) & 0x8000;
  const magnitude = source & 0x7fff_ffff;
  if (magnitude >= 0x4780_0000) {
    if (magnitude <= 0x7f80_0000) return sign | 0x7c00;
    return sign | 0x7e00 | ((magnitude >>> 13) & 0x1ff);
  }
  if (magnitude >= 0x3880_0000) {
    return sign | ((magnitude - 0x3800_0000 + 0xfff + ((magnitude >>> 13) & 1)) >>> 13);
  }
  if (magnitude < 0x3300_0000) return sign;
  const shift = 126 - (magnitude >>> 23);
  const mantissa = (magnitude & 0x7f_ffff) | 0x80_0000;
  const kept = mantissa >>> shift;
  const rest = mantissa & ((1 << shift) - 1);
  const tie = 1 << (shift - 1);
  return sign | (kept + Number(rest > tie || (rest === tie && (kept & 1) === 1)));
}

/**
 * Expands the bits of an FP16 number to those of FP32, exactly.
 *
 * @param half - The 16 bits.
 * @returns 32 bits of the FP32 number, as an unsigned integer; NaN keep what they carry.
 */
export function expandBits(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 31) return (sign | 0x7f80_0000 | (fraction << 13)) >>> 0;
  if (exponent > 0) return (sign | ((exponent + 112) << 23) | (fraction << 13)) >>> 0;
  float[0] = fraction * 2 ** -24;
  return (sign | (bits[0] ?? 0)) >>> 0;
}

/**
 * Reads one FP16 number.
 *
 * @param half - The 16 bits.
 * @returns Its value, exactly.
 */
export function halfToFloat(half: number): number {
  bits[0] = expandBits(half);
  return float[0] ?? 0;
}
