/**
 * Finds what none of the others beats: a point is beaten by one that is lower in something and higher in nothing.
 *
 * @param points - As many figures for each, all the lower the better, in any units.
 * @returns Positions of those that are not beaten, in order; equal ones are all among them.
 */
export function findParetoFront(points: readonly (readonly number[])[]): number[] {
  return points.flatMap((point, index) => (points.some((other) => beats(other, point)) ? [] : [index]));
}

/**
 * Tells whether one point beats another.
 *
 * @param left - Figures, the lower the better.
 * @param right - The same figures of the other.
 * @returns True when `left` is lower in at least one and higher in none.
 */
export function beats(left: readonly number[], right: readonly number[]): boolean {
  const differences = left.map((value, index) => value - (right[index] ?? Number.NaN));
  return (
    differences.every((difference) => difference <= 0) && differences.some((difference) => difference < 0)
  );
}
