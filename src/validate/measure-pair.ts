import { formatCosine, formatError } from '../lib/format-tolerance.js';
import { judgeReals, type RealJudgement } from './judge-reals.js';
import {
  countSpecials,
  findLargestErrors,
  type LargestErrors,
  measureCosine,
  type RealPairs,
  type SpecialCounts,
} from './measure-reals.js';
import type { ParityBounds } from './parity-result.js';

/** Two outputs of real numbers, measured, and each bound that they break, in words. */
export type MeasuredPair = {
  readonly measured: SpecialCounts & LargestErrors & RealJudgement & { readonly cosine: number | null };
  readonly broken: readonly string[];
};

/**
 * Measures two outputs of real numbers and holds them against every bound that is given.
 *
 * @param pairs - Both outputs.
 * @param bounds - What counts as the same.
 * @returns The figures, and what they break; nothing broken means that the pair passes.
 */
export function measurePair(pairs: RealPairs, bounds: ParityBounds): MeasuredPair {
  const measured = {
    ...countSpecials(pairs),
    ...findLargestErrors(pairs),
    cosine: measureCosine(pairs),
    ...judgeReals(pairs, bounds),
  };
  return { measured, broken: listBroken(measured, pairs.reference.length, bounds) };
}

function listBroken(measured: MeasuredPair['measured'], count: number, bounds: ParityBounds): string[] {
  const { outsideCount, maxAbsError, cosine, nanReference, nanCandidate, nanBoth } = measured;
  const broken: string[] = [];
  if (outsideCount > 0) {
    const strayNan = nanReference + nanCandidate - 2 * nanBoth;
    const ofNan = strayNan === 0 ? '' : `, ${strayNan} of them NaN on one side only`;
    broken.push(`${outsideCount} of ${count} elements are beyond the tolerance${ofNan}`);
  }
  if (bounds.maxAbs !== undefined && maxAbsError !== null && maxAbsError > bounds.maxAbs)
    broken.push(`max |Δ| ${formatError(maxAbsError)} is above ${bounds.maxAbs}`);
  if (bounds.cosine !== undefined && cosine !== null && !(cosine >= bounds.cosine))
    broken.push(`the cosine ${formatCosine(cosine)} is below ${bounds.cosine}`);
  return broken;
}
