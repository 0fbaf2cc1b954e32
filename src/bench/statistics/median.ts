/**
 * Takes the middle of some values.
 *
 * @param values - In any order; not changed.
 * @returns The middle one, between the two in the middle their mean; NaN without values.
 */
export function medianOf(values: Iterable<number>): number {
  return medianOfSorted(Float64Array.from(values).sort());
}

/**
 * Takes the middle of values in order.
 *
 * @param sorted - Ascending.
 * @returns The middle one, between the two in the middle their mean; NaN without values.
 */
export function medianOfSorted(sorted: Float64Array): number {
  const upper = sorted[sorted.length >> 1] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  return middleOf(sorted[(sorted.length >> 1) - 1] ?? Number.NaN, upper);
}

/**
 * Takes the middle between two values.
 *
 * @param lower - One value.
 * @param upper - The other, ≥ `lower`.
 * @returns Their mean.
 */
export function middleOf(lower: number, upper: number): number {
  // Not (lower + upper) / 2, which overflows for huge values.
  return lower + (upper - lower) / 2;
}
