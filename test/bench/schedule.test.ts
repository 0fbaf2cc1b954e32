import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderRound } from '../../src/bench/schedule.js';

describe('orderRound', () => {
  it('samples every row once per round and begins each round one row further on', () => {
    const rounds = [0, 1, 2, 3].map((run) => orderRound(3, run));
    expect(rounds).toEqual([
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
      [0, 1, 2],
    ]);
  });

  it('has nothing to do without rows', () => {
    expect(orderRound(0, 5)).toEqual([]);
  });

  it('holds each row exactly once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 1000 }), (rowCount, run) => {
        const round = orderRound(rowCount, run);
        expect(round.toSorted((left, right) => left - right)).toEqual([...Array(rowCount).keys()]);
      }),
    );
  });

  it('gives each row each place of a round equally often when the rounds are a multiple of the rows', () => {
    const places = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((run) =>
      orderRound(4, run).map((row, place) => `${row}@${place}`),
    );
    const counts = new Map<string, number>();
    for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
    expect([...counts.values()]).toEqual(Array.from({ length: 16 }, () => 2));
  });
});
