import { floatToHalf, halfToFloat } from '../half/half-numbers.js';
import type { ValueFacts } from './half-plan.js';
import { hasVanishing, losesSmallNumbers } from './small-numbers.js';
import type { Weight } from './weight-store.js';

/** Smallest number that FP16 holds with all its 11 bits: 2^-14. */
const smallestNormal = 2 ** -14;

/**
 * Says what FP16 would do to a stored FP32 tensor.
 *
 * A single number below FP16's normal range is taken for an epsilon, which keeps a division from meeting 0, and so are
 * a few numbers of which FP16 takes one for 0; in larger tensors such numbers are weights that do not matter.
 *
 * @param weight - The tensor.
 * @returns `wide` when a finite number would become infinite, `tiny` for an epsilon.
 */
export async function constantFacts(weight: Weight): Promise<ValueFacts> {
  const encoded = await weight.encode();
  const { stats, bytes } = encoded;
  if (stats.overflowCount > 0) return { isConstant: true, mark: 'wide' };
  const half = bytes.length === 2 ? (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) : undefined;
  const isTiny = losesSmallNumbers(encoded) || (half !== undefined && isEpsilon(halfToFloat(half)));
  return { isConstant: true, mark: isTiny ? 'tiny' : 'none' };
}

/**
 * Says the same of numbers in an attribute.
 *
 * @param numbers - FP32 numbers.
 * @returns `wide` when a finite number would become infinite, `tiny` for an epsilon.
 */
export function numberFacts(numbers: readonly number[]): ValueFacts {
  const isLost = (number: number): boolean =>
    Number.isFinite(number) && !Number.isFinite(halfToFloat(floatToHalf(number)));
  if (numbers.some(isLost)) return { isConstant: true, mark: 'wide' };
  const isTiny = hasVanishing(numbers) || (numbers.length === 1 && isEpsilon(numbers[0] ?? 0));
  return { isConstant: true, mark: isTiny ? 'tiny' : 'none' };
}

function isEpsilon(number: number): boolean {
  return number !== 0 && Math.abs(number) < smallestNormal;
}
