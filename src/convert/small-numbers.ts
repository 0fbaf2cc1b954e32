import { floatToHalf, halfToFloat } from '../half/half-numbers.js';
import type { EncodedWeight } from './encode-payload.js';

/** A tensor of so few numbers is taken for constants of a formula, such as an epsilon, rather than for weights. */
const mostConstants = 16;
/** FP16's infinity; NaN lie above it. */
const infinityBits = 0x7c00;

/**
 * Tells whether FP16 would turn a constant of a formula into 0: a root or a division by 0 may follow. In larger tensors
 * such numbers are weights that do not matter.
 *
 * @param encoded - A stored FP32 tensor as FP16.
 * @returns True for a small tensor with a number that became 0.
 */
export function losesSmallNumbers({ bytes, stats }: EncodedWeight): boolean {
  return stats.underflowCount > 0 && bytes.length / 2 <= mostConstants;
}

/**
 * Says the same of numbers in an attribute.
 *
 * @param numbers - FP32 numbers.
 * @returns True for few numbers of which one would become 0.
 */
export function hasVanishing(numbers: readonly number[]): boolean {
  const vanishes = (number: number): boolean => number !== 0 && halfToFloat(floatToHalf(number)) === 0;
  return numbers.length <= mostConstants && numbers.some(vanishes);
}

/**
 * Finds the largest magnitude of stored numbers.
 *
 * @param bytes - Little-endian FP16.
 * @returns The largest that is finite; 0 without any.
 */
export function findLargest(bytes: Uint8Array): number {
  let largest = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const magnitude = (bytes[at] ?? 0) | (((bytes[at + 1] ?? 0) & 0x7f) << 8);
    if (magnitude > largest && magnitude < infinityBits) largest = magnitude;
  }
  return halfToFloat(largest);
}
