import { decodeHalf } from '../half/encode-half.js';
import type { ElementType, Tensor } from '../lib/tensor.js';
import type { RealArray } from './measure-reals.js';

/**
 * Tells whether a type holds real numbers, which are compared by tolerance; all others are compared exactly.
 *
 * @param type - An element type.
 * @returns True for the floating-point types.
 */
export function isRealType(type: ElementType): boolean {
  return type === 'float32' || type === 'float64' || type === 'float16' || type === 'bfloat16';
}

/**
 * Reads a tensor of real numbers.
 *
 * @param tensor - Of a type for which {@link isRealType} holds.
 * @returns Its elements; float32 and float64 without a copy.
 */
export function toReals({ type, data }: Tensor): RealArray {
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  if (!(data instanceof Uint16Array)) throw new TypeError(`${type} holds no real numbers`);
  const reals = new Float32Array(data.length);
  if (type === 'float16') {
    decodeHalf(data, reals);
  } else {
    // bfloat16 is the upper half of a float32.
    const bits = new Uint32Array(reals.buffer);
    for (let at = 0; at < data.length; at += 1) bits[at] = (data[at] ?? 0) << 16;
  }
  return reals;
}
