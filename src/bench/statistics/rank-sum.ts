import { openDraws } from './seeded-draws.js';
import { rankTwice } from './signed-rank.js';

const shuffles = 4000;

/**
 * Tests whether values of one row tend to be larger or smaller than those of another that was measured at other times:
 * the rank-sum test of Wilcoxon, Mann and Whitney, by shuffling. It knows nothing of drift, so pairs of the same round
 * go to {@link testPairs} instead.
 *
 * @param a - Values of one row, any unit, at least one.
 * @param b - Values of the other, same unit, at least one.
 * @returns Two-sided probability, above 0 to 1; the same for the same values.
 * @see Mann and Whitney, On a test of whether one of two random variables is stochastically larger (1947).
 */
export function testApart(a: readonly number[], b: readonly number[]): number {
  // In ascending order first, so that the order in which samples came does not matter.
  const ranks = rankTwice([...a, ...b]);
  const seen = distanceOf(ranks, a.length);
  const shuffled = ranks.toSorted((left, right) => left - right);
  const draw = openDraws();
  let asFar = 1;
  for (let shuffle = 0; shuffle < shuffles; shuffle += 1) {
    for (let index = 0; index < a.length; index += 1)
      swap(shuffled, index, index + draw(shuffled.length - index));
    if (distanceOf(shuffled, a.length) >= seen) asFar += 1;
  }
  return asFar / (shuffles + 1);
}

/** How far the first ranks lie from where they would lie on average. */
function distanceOf(ranks: readonly number[], count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += ranks[index] ?? 0;
  return Math.abs(sum - count * (ranks.length + 1));
}

function swap(values: number[], left: number, right: number): void {
  const kept = values[left] ?? 0;
  values[left] = values[right] ?? 0;
  values[right] = kept;
}
