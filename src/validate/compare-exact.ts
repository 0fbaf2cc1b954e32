import type { TensorData } from '../lib/tensor.js';

/** How two outputs of integers, bools or strings differ. */
export type ExactComparison = {
  readonly outsideCount: number;
  /** Place of the largest difference, of the first one for strings. */
  readonly worstIndex: number | null;
  /** Null for strings, and when there is no element. */
  readonly maxAbsError: number | null;
};

/**
 * Compares what has to be exactly equal.
 *
 * @param reference - Elements.
 * @param candidate - As many elements of the same type.
 * @returns What differs; a difference of integers beyond 2^53 is rounded.
 */
export function compareExact(reference: TensorData, candidate: TensorData): ExactComparison {
  let outsideCount = 0;
  let worstIndex: number | null = null;
  let largest = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const left = reference[at] ?? 0;
    const right = candidate[at] ?? 0;
    if (left === right) continue;
    outsideCount += 1;
    const difference = measureDifference(left, right);
    if (worstIndex === null || difference > largest) {
      worstIndex = at;
      largest = difference;
    }
  }
  const isMeasurable = reference.length > 0 && typeof reference[0] !== 'string';
  return { outsideCount, worstIndex, maxAbsError: isMeasurable ? largest : null };
}

function measureDifference(left: number | bigint | string, right: number | bigint | string): number {
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return Number(left > right ? left - right : right - left);
  }
  return typeof left === 'number' && typeof right === 'number' ? Math.abs(left - right) : 0;
}
