import { medianOfSorted } from './median.js';

/** The chance that the true median lies beyond one end of the interval. */
const tailProbability = 0.025;
/** From here on the binomial distribution is taken for a normal one, and probabilities would underflow soon. */
const manyValues = 500;

/**
 * Says how wide the 95 % interval of a median is, from order statistics: it reaches from the k-th smallest to the k-th
 * largest value, with the largest k for which that holds the true median in at least 95 % of all cases, whatever the
 * distribution.
 *
 * @param values - Values > 0, any unit, in any order.
 * @returns Width ÷ median; null with fewer than six values, since even all of them hold it in less.
 * @see https://www.itl.nist.gov/div898/handbook/prc/section2/prc263.htm, and Conover, Practical Nonparametric
 *   Statistics, confidence interval for a quantile.
 */
export function relativeWidth(values: readonly number[]): number | null {
  const beyond = countBeyond(values.length);
  if (beyond === null) return null;
  const sorted = Float64Array.from(values).sort();
  const low = sorted[beyond] ?? Number.NaN;
  const high = sorted[sorted.length - 1 - beyond] ?? Number.NaN;
  return (high - low) / medianOfSorted(sorted);
}

/** How many values lie beyond each end: the most b with P(Binomial(n, ½) ≤ b) ≤ 2.5 %; null when not even none does. */
function countBeyond(count: number): number | null {
  if (count > manyValues) return Math.floor(count / 2 - 0.98 * Math.sqrt(count)) - 1;
  let probability = 0.5 ** count;
  let below = 0;
  let beyond = -1;
  while (below + probability <= tailProbability) {
    below += probability;
    beyond += 1;
    probability *= (count - beyond) / (beyond + 1);
  }
  return beyond < 0 ? null : beyond;
}
