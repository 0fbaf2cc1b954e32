import { formatError } from '../lib/format-tolerance.js';
import type { OutputParity } from './parity-result.js';

/**
 * Tells whether an output passed bounds that prove nothing about it; equal elements need no bounds.
 *
 * @param output - A compared or skipped output.
 * @returns True when zeros or one number throughout would have passed as well.
 */
export function isUndiscriminated({ status, passedBy }: OutputParity): boolean {
  return status === 'within' && passedBy !== null;
}

/**
 * Says what keeps bounds from proving anything.
 *
 * @param seen - What was measured of the reference, and the bound that swallows it.
 * @returns One clause, such as `within the bounds, but so would zeros be: largest |reference| 3e-4, 100 % …`.
 */
export function describeUndiscriminated(
  seen: Pick<OutputParity, 'maxAbsReference' | 'belowAtolShare' | 'passedBy'> & { readonly atol: number },
): string {
  const standIn = seen.passedBy === 'zeros' ? 'zeros' : 'one number throughout';
  // Rounded down, so that 100 % is all of them.
  const percent = Math.floor((seen.belowAtolShare ?? 0) * 1000) / 10;
  return `within the bounds, but so would ${standIn} be: largest |reference| ${formatError(seen.maxAbsReference ?? 0)}, ${percent} % of the elements not above atol ${seen.atol}`;
}
