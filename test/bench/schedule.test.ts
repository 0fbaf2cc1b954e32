import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interleaveTurns } from '../../src/bench/schedule.js';

describe('interleaveTurns', () => {
  it('samples every row once per round and begins each round one row further on', () => {
    const rows = interleaveTurns(3, 4).map((turn) => turn.row);
    expect(rows).toEqual([0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2]);
  });

  it('finishes a round before the next begins', () => {
    expect(interleaveTurns(2, 2).map((turn) => turn.run)).toEqual([0, 0, 1, 1]);
  });

  it('has nothing to do without rows or without runs', () => {
    expect(interleaveTurns(0, 5)).toEqual([]);
    expect(interleaveTurns(5, 0)).toEqual([]);
  });

  it('holds each pair of row and run exactly once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }), (rowCount, runs) => {
        const turns = interleaveTurns(rowCount, runs);
        expect(turns).toHaveLength(rowCount * runs);
        expect(new Set(turns.map((turn) => `${turn.row}/${turn.run}`)).size).toBe(rowCount * runs);
      }),
    );
  });

  it('gives each row each place of a round equally often when the runs are a multiple of the rows', () => {
    const places = interleaveTurns(4, 8).map((turn, index) => `${turn.row}@${index % 4}`);
    const counts = new Map<string, number>();
    for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
    expect([...counts.values()]).toEqual(Array.from({ length: 16 }, () => 2));
  });
});
