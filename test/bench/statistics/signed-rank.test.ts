import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testApart } from '../../../src/bench/statistics/rank-sum.js';
import { rankTwice, testPairs } from '../../../src/bench/statistics/signed-rank.js';

type Pair = [number, number];
/** Pairs whose log ratios have the ranks 1, 2, 3, …; those named are negative. */
const pairsOf = (count: number, negative: readonly number[] = []): Pair[] =>
  Array.from({ length: count }, (_, index) =>
    negative.includes(index + 1) ? [100, 101 + index] : [101 + index, 100],
  );

describe('testPairs', () => {
  it('gives the exact probabilities of the published tables', () => {
    expect(testPairs(pairsOf(5))).toBeCloseTo(2 / 32, 12);
    expect(testPairs(pairsOf(6))).toBeCloseTo(2 / 64, 12);
    // Sums up to 8 of 10 ranks: 25 of 1,024 choices of signs; the table's critical value for 5 %.
    expect(testPairs(pairsOf(10, [8]))).toBeCloseTo((2 * 25) / 1024, 12);
    expect(testPairs(pairsOf(10, [9]))).toBeGreaterThan(0.05);
  });

  it('lets equal distances share their rank and leaves equal values out', () => {
    expect(rankTwice([3, 1, 3, 2])).toEqual([7, 2, 7, 4]);
    expect(testPairs([...pairsOf(6), [5, 5], [7, 7]])).toBeCloseTo(2 / 64, 12);
    expect(testPairs([[5, 5]])).toBe(1);
    expect(testPairs([])).toBe(1);
  });

  it('holds for hundreds of pairs', () => {
    const pairs = Array.from(
      { length: 400 },
      (_, index): Pair => (index % 2 ? [100, 101 + index] : [101 + index, 100]),
    );
    expect(testPairs(pairs)).toBeGreaterThan(0.9);
    expect(testPairs(pairsOf(400))).toBeLessThan(1e-60);
  });

  it('does not depend on order, sides or unit, and is a probability', () => {
    const anyPairs = fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(anyPairs, (pairs) => {
        const probability = testPairs(pairs);
        expect(probability).toBeGreaterThan(0);
        expect(probability).toBeLessThanOrEqual(1);
        expect(testPairs([...pairs].reverse())).toBe(probability);
        expect(testPairs(pairs.map(([a, b]) => [b, a]))).toBe(probability);
        expect(testPairs(pairs.map(([a, b]) => [a * 8, b * 8]))).toBe(probability);
      }),
    );
  });
});

describe('testApart', () => {
  it('comes near the exact probability: 2 of 924 for six values all above six others', () => {
    const [a, b] = [
      [1, 2, 3, 4, 5, 6],
      [7, 8, 9, 10, 11, 12],
    ];
    expect(testApart(a, b)).toBeLessThan(0.006);
    expect(testApart(a, b)).toBeGreaterThan(0.0002);
  });

  it('is high for values that are mixed, and 1 where all are equal', () => {
    expect(testApart([1, 4, 5, 8], [2, 3, 6, 7])).toBeGreaterThan(0.9);
    expect(testApart([1, 1, 1], [1, 1, 1])).toBe(1);
  });

  it('does not depend on the order of the values', () => {
    expect(testApart([3, 1, 2, 9], [8, 2, 7])).toBe(testApart([9, 2, 1, 3], [7, 8, 2]));
  });
});
