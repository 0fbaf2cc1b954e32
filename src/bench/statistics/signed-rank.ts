/**
 * Tests whether the first of each pair tends to be larger or smaller than the second: Wilcoxon's signed-rank test on
 * the logarithms of the ratios, exact, ties included. Where both sides are the same, each sign is a fair coin whatever
 * the noise is like, as long as what disturbs a round may hit either side of it; so no assumption about tails or drift
 * is needed.
 *
 * @param pairs - Two values > 0 of the same unit each.
 * @returns Two-sided probability, 0 to 1; never below 0.05 with fewer than six pairs.
 * @see Wilcoxon, Individual comparisons by ranking methods (1945), with pairs of equal values left out.
 */
export function testPairs(pairs: readonly (readonly [number, number])[]): number {
  // (a − b) ÷ (a + b) orders and signs as log(a ÷ b) does, without a function that engines may round differently.
  const shifts = pairs.map(([a, b]) => (a - b) / (a + b)).filter((shift) => shift !== 0);
  const ranks = rankTwice(shifts.map(Math.abs));
  const sum = ranks.reduce((total, rank) => total + rank, 0);
  const positive = ranks.reduce((total, rank, index) => total + ((shifts[index] ?? 0) > 0 ? rank : 0), 0);
  return tailOf(countSums(ranks, sum), Math.min(positive, sum - positive));
}

/**
 * Ranks values; equal ones share the mean of their ranks.
 *
 * @param values - In any order.
 * @returns Twice the rank of each, from 2, so that all are integers.
 */
export function rankTwice(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  return values.map((value) => sorted.indexOf(value) + sorted.lastIndexOf(value) + 2);
}

/** Shares of all choices of signs that give each sum of positive ranks. */
function countSums(ranks: readonly number[], sum: number): Float64Array {
  const shares = new Float64Array(sum + 1);
  shares[0] = 1;
  let reached = 0;
  for (const rank of ranks) {
    reached += rank;
    for (let at = reached; at >= 0; at -= 1) {
      shares[at] = ((shares[at] ?? 0) + (at >= rank ? (shares[at - rank] ?? 0) : 0)) / 2;
    }
  }
  return shares;
}

function tailOf(shares: Float64Array, smaller: number): number {
  return Math.min(1, 2 * shares.subarray(0, smaller + 1).reduce((total, share) => total + share, 0));
}
