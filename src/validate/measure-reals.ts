/** Two outputs of real numbers, of the same length. */
export type RealPairs = { readonly reference: RealArray; readonly candidate: RealArray };

/** Real numbers as they are compared. */
export type RealArray = Float32Array | Float64Array;

/** How many elements are no finite numbers. */
export type SpecialCounts = {
  readonly nanReference: number;
  readonly nanCandidate: number;
  readonly nanBoth: number;
  readonly infReference: number;
  readonly infCandidate: number;
};

/** Largest errors over pairs that are finite on both sides; null when there is no such pair. */
export type LargestErrors = { readonly maxAbsError: number | null; readonly maxRelError: number | null };

/**
 * Counts NaN and infinities.
 *
 * @param pairs - Both outputs.
 * @returns The counts, of elements.
 */
export function countSpecials({ reference, candidate }: RealPairs): SpecialCounts {
  const counts = { nanReference: 0, nanCandidate: 0, nanBoth: 0, infReference: 0, infCandidate: 0 };
  for (let at = 0; at < reference.length; at += 1) {
    const left = reference[at] ?? 0;
    const right = candidate[at] ?? 0;
    // x − x is 0 for finite numbers only, which spares most elements the other questions.
    if (left - left === 0 && right - right === 0) continue;
    const isNanLeft = Number.isNaN(left);
    const isNanRight = Number.isNaN(right);
    if (isNanLeft) counts.nanReference += 1;
    else if (!Number.isFinite(left)) counts.infReference += 1;
    if (isNanRight) counts.nanCandidate += 1;
    else if (!Number.isFinite(right)) counts.infCandidate += 1;
    if (isNanLeft && isNanRight) counts.nanBoth += 1;
  }
  return counts;
}

/**
 * Finds the largest absolute and relative error.
 *
 * @param pairs - Both outputs.
 * @returns The errors; a relative one does not exist where the reference alone is 0.
 */
export function findLargestErrors({ reference, candidate }: RealPairs): LargestErrors {
  let maxAbs = -1;
  let maxRel = -1;
  for (let at = 0; at < reference.length; at += 1) {
    const left = reference[at] ?? 0;
    const right = candidate[at] ?? 0;
    if (left - left !== 0 || right - right !== 0) continue;
    const difference = Math.abs(left - right);
    if (difference > maxAbs) maxAbs = difference;
    const relative = difference === 0 ? 0 : difference / Math.abs(left);
    if (relative > maxRel && (left !== 0 || difference === 0)) maxRel = relative;
  }
  return { maxAbsError: nullIfUnset(maxAbs), maxRelError: nullIfUnset(maxRel) };
}

function nullIfUnset(largest: number): number | null {
  // Differences of doubles can overflow, and JSON has no infinity.
  return largest < 0 ? null : Math.min(largest, Number.MAX_VALUE);
}

/**
 * Measures the angle between both outputs, taken as vectors of the elements that are finite on both sides.
 *
 * @param pairs - Both outputs.
 * @returns The cosine, −1 to 1, in double precision; 1 for two zero vectors, 0 when only one is zero, null when no
 *   pair is finite.
 */
export function measureCosine({ reference, candidate }: RealPairs): number | null {
  const scale = findScale(reference, candidate);
  let product = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  let count = 0;
  for (let at = 0; at < reference.length; at += 1) {
    const left = reference[at] ?? 0;
    const right = candidate[at] ?? 0;
    if (left - left !== 0 || right - right !== 0) continue;
    count += 1;
    const scaledLeft = left / scale;
    const scaledRight = right / scale;
    product += scaledLeft * scaledRight;
    leftSquares += scaledLeft * scaledLeft;
    rightSquares += scaledRight * scaledRight;
  }
  if (count === 0) return null;
  if (leftSquares === 0 || rightSquares === 0) return leftSquares === rightSquares ? 1 : 0;
  // The root of the product gives exactly 1 for equal vectors, where a product of roots may fall short of it.
  return Math.max(-1, Math.min(1, product / Math.sqrt(leftSquares * rightSquares)));
}

/** Squares of very large or very small doubles would overflow or vanish; a common power of two changes no angle. */
function findScale(reference: RealArray, candidate: RealArray): number {
  if (reference instanceof Float32Array) return 1;
  let largest = 0;
  for (const values of [reference, candidate]) {
    for (const value of values) {
      const size = Math.abs(value);
      if (size > largest && size !== Number.POSITIVE_INFINITY) largest = size;
    }
  }
  return largest === 0 ? 1 : 2 ** Math.max(-1000, Math.floor(Math.log2(largest)));
}
