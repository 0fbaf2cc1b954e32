import type { MatchedRounds } from './match-rounds.js';
import { middleOf } from './median.js';
import { openDraws } from './seeded-draws.js';

/** The values of one row in ascending order, and which unit of resampling each belongs to. */
type Side = { readonly values: Float64Array; readonly units: Uint32Array };

/**
 * Draws the ratio of medians again and again from rounds that are drawn with replacement. A round that both rows have
 * is drawn as a whole, so that a slow moment of the machine stays on both sides; rounds that one row alone has are
 * drawn among themselves.
 *
 * @param rounds - What both rows measured, values > 0, at least one on each side.
 * @param count - How many ratios, ≥ 1.
 * @returns Median of the first ÷ median of the second for each draw, ascending; the same for the same rounds.
 */
export function resampleRatios(rounds: MatchedRounds, count: number): Float64Array {
  const { pairs, onlyA, onlyB } = rounds;
  const strata = [pairs.length, onlyA.length, onlyB.length];
  const sideA = orderSide([...pairs.map(([a]) => a), ...onlyA], 0, pairs.length);
  const sideB = orderSide([...pairs.map(([, b]) => b), ...onlyB], onlyA.length, pairs.length);
  const draw = openDraws();
  const weights = new Uint32Array(pairs.length + onlyA.length + onlyB.length);
  const ratios = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    weights.fill(0);
    let start = 0;
    for (const size of strata) {
      for (let turn = 0; turn < size; turn += 1) {
        const unit = start + draw(size);
        weights[unit] = (weights[unit] ?? 0) + 1;
      }
      start += size;
    }
    ratios[index] = weightedMedian(sideA, weights) / weightedMedian(sideB, weights);
  }
  return ratios.sort();
}

/** Values come with those of pairs first; units of the rest begin `offset` later. */
function orderSide(values: readonly number[], offset: number, pairCount: number): Side {
  const order = values
    .map((_, index) => index)
    .sort((left, right) => (values[left] ?? 0) - (values[right] ?? 0));
  return {
    values: Float64Array.from(order, (index) => values[index] ?? Number.NaN),
    units: Uint32Array.from(order, (index) => (index < pairCount ? index : index + offset)),
  };
}

/** The median of as many values as the side has, each taken as often as its unit was drawn. */
function weightedMedian({ values, units }: Side, weights: Uint32Array): number {
  const lowerRank = (values.length - 1) >> 1;
  const upperRank = values.length >> 1;
  let passed = 0;
  let lower = Number.NaN;
  for (let index = 0; index < values.length; index += 1) {
    passed += weights[units[index] ?? 0] ?? 0;
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(lower) && passed > lowerRank) lower = value;
    if (passed > upperRank) return middleOf(lower, value);
  }
  return Number.NaN;
}
