import { describe, expect, test } from 'vitest';
import { candidate, measure, measures, pick, sampled } from './candidates.js';

const row = (variantId: string, total: number, costPer100k: number, deployedBytes = 1000) =>
  candidate({ variantId, deployedBytes, measures: measures({ total, costPer100k }) });
const weights = { total: 0.7, costPer100k: 0.3 };

describe('weights', () => {
  test('minimise how many times the lowest each metric is, and say what each loser is made of', () => {
    const result = pick([row('fast', 200, 0.8), row('cheap', 400, 0.4)], { objective: { weights } });
    expect(result.objective).toEqual({ weights });
    expect(result.winner).toMatchObject({ variantId: 'fast', unit: 'score' });
    expect(result.winner?.value).toBeCloseTo(2 ** 0.3, 9);
    expect(result.winner?.reason).toBe('lowest score, 1.231; next is cheap by s3-copy at 1.625');
    expect(result.losers).toMatchObject([
      { variantId: 'cheap', reason: "1.32 × the winner's score (total 2.00 ×, costPer100k 0.50 ×)" },
    ]);
    const cost = pick([row('fast', 200, 0.8), row('cheap', 400, 0.4)], {
      objective: { weights: { total: 0.3, costPer100k: 0.7 } },
    });
    expect(cost.winner?.variantId).toBe('cheap');
  });

  test('give 1 to what is the lowest in everything, and the metric itself decides when it is alone', () => {
    const rows = [row('best', 200, 0.4), row('rest', 300, 0.5)];
    expect(pick(rows, { objective: { weights } }).winner).toMatchObject({ variantId: 'best', value: 1 });
    const alone = pick(rows, { objective: { weights: { total: 5 } } });
    expect(alone.losers).toMatchObject([{ variantId: 'rest', value: 1.5 }]);
  });

  test('of 0 do not count, so what such a metric lacks refuses nobody', () => {
    const unpriced = candidate({ measures: measures({ total: 200 }) });
    const objective = { weights: { total: 1, costPer100k: 0 } };
    expect(pick([unpriced], { objective }).winner?.value).toBe(1);
    expect(pick([unpriced], { objective: { weights } }).losers[0]?.reason).toBe(
      'no measurement of costPer100k',
    );
  });

  test('cannot weigh what is nothing, and compare nothing that leaves a weighed metric out', () => {
    const free = candidate({ measures: measures({ total: 200, costPer100k: 0 }) });
    expect(pick([free], { objective: { weights } }).losers[0]?.reason).toBe(
      'costPer100k of 0 cannot be weighed',
    );
    const gap = { objective: 'ready', reason: 'environment creation is not seen' } as const;
    const layer = { ...row('layer', 1, 1), notComparable: [gap, { ...gap, objective: 'total' as const }] };
    expect(pick([layer], { objective: { weights: { ...weights, ready: 1 } } }).notComparable).toMatchObject([
      { variantId: 'layer', reason: 'environment creation is not seen' },
    ]);
    expect(pick([layer], { objective: 'costPer100k' }).winner?.variantId).toBe('layer');
  });

  test('do not let a third candidate turn two others around', () => {
    const two = [row('a', 100, 2), row('b', 190, 1)];
    const objective = { weights: { total: 1, costPer100k: 1 } };
    // By an arithmetic mean, 51 against 95.5, a would be ahead of b beside it.
    const third = row('c', 1, 1000);
    const order = (rows: typeof two) => {
      const { winner, losers } = pick(rows, { objective });
      const ids = [winner?.variantId, ...losers.map(({ variantId }) => variantId)];
      return ids.filter((id) => id !== 'c');
    };
    expect(order(two)).toEqual(['b', 'a']);
    expect(order([...two, third])).toEqual(['b', 'a']);
  });

  test('read noise from the rounds that all metrics were measured in', () => {
    const asked: unknown[] = [];
    const noisy = (variantId: string, factor: number) =>
      candidate({
        variantId,
        measures: measures({
          total: sampled([100 * factor, 110 * factor, 120 * factor]),
          steady: sampled([10, 11]),
          costPer100k: measure(0.5),
        }),
      });
    const objective = { weights: { total: 1, steady: 1, costPer100k: 2 } };
    pick([noisy('a', 1), noisy('b', 2)], { objective }, (left, right) => {
      asked.push(left, right);
      return 'same';
    });
    expect(asked[1]).toHaveLength(2);
    expect(asked.slice(0, 2)).toMatchObject([
      [{ round: 0, value: expect.closeTo(((200 / 110) * (10 / 11)) ** 0.25, 9) }, { round: 1 }],
      [{ round: 0, value: expect.closeTo(((100 / 110) * (10 / 11)) ** 0.25, 9) }, { round: 1 }],
    ]);
  });

  test('without samples read it from the ranges', () => {
    const spread = (variantId: string, value: number, deployedBytes: number) =>
      candidate({
        variantId,
        deployedBytes,
        measures: measures({ total: measure(value, { min: 90, max: 110 }), costPer100k: 1 }),
      });
    const result = pick([spread('large', 100, 2000), spread('small', 101, 1000)], { objective: { weights } });
    expect(result.winner?.variantId).toBe('small');
    expect(result.findings).toMatchObject([{ code: 'pick-within-noise', facts: { unit: 'score' } }]);
  });
});

test('a cost is minimised and written in USD', () => {
  const result = pick([row('a', 1, 0.59), row('b', 1, 0.5912), row('c', 1, 2.05)], {
    objective: 'costPer100k',
  });
  expect(result.winner).toMatchObject({ variantId: 'a', unit: 'usd' });
  expect(result.winner?.reason).toBe('lowest costPer100k, 0.5900 USD; next is b by s3-copy at 0.5912 USD');
  expect(result.losers.map(({ reason }) => reason)).toEqual([
    "0.0012 USD more than the winner's costPer100k",
    "3.47 × the winner's costPer100k",
  ]);
});
