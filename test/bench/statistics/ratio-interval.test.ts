import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RatioInterval } from '../../../src/bench/bench-result.js';
import type { RunValue } from '../../../src/bench/statistics/match-rounds.js';
import { medianOf } from '../../../src/bench/statistics/median.js';
import { compareSamples } from '../../../src/bench/statistics/ratio-interval.js';
import { slowDown } from './simulated-machine.js';

const row = (...values: number[]): RunValue[] => values.map((value, run) => ({ run, value }));
const compare = (a: readonly RunValue[], b: readonly RunValue[], comparisons = 1): RatioInterval => {
  const found = compareSamples(a, b, comparisons);
  if (found === null) throw new Error('nothing was compared');
  return found;
};
const opposite = {
  slower: 'faster',
  faster: 'slower',
  'no-measurable-difference': 'no-measurable-difference',
  'too-few-samples': 'too-few-samples',
};
const steady = row(100, 101, 99, 100, 102, 98, 100, 101);

/** Rows that share some rounds, miss others, and have equal values. */
const anyRow = fc.uniqueArray(fc.record({ run: fc.nat(12), value: fc.integer({ min: 1, max: 60 }) }), {
  minLength: 1,
  maxLength: 12,
  selector: ({ run }) => run,
});

describe('compareSamples', () => {
  it('compares nothing without a value on either side', () => {
    expect(compareSamples([], steady, 1)).toBeNull();
    expect(compareSamples(steady, [], 1)).toBeNull();
  });

  it('says slower and faster of rows that differ in every round, no matter how far the machine drifts', () => {
    const drifting = row(100, 110, 125, 150, 180, 210, 260, 300);
    expect(compare(slowDown(steady, 1.1), steady)).toMatchObject({ verdict: 'slower' });
    expect(compare(slowDown(drifting, 1.1), drifting)).toMatchObject({ verdict: 'slower' });
    expect(compare(drifting, slowDown(drifting, 1.1))).toMatchObject({ verdict: 'faster' });
    expect(compare(slowDown(drifting, 1.1), drifting).ratio).toBeCloseTo(1.1, 12);
  });

  it('pairs samples by round: the same values out of step with each other say nothing', () => {
    const drifting = row(100, 110, 125, 150, 180, 210, 260, 300);
    const slower = slowDown(drifting, 1.1);
    const outOfStep = slower.map(({ value }, run) => ({ run: (run + 4) % 8, value }));
    const [inStep, apart] = [compare(slower, drifting), compare(outOfStep, drifting)];
    expect(inStep.high / inStep.low).toBeLessThan(1.000001);
    expect(apart.high / apart.low).toBeGreaterThan(2);
    expect(apart.verdict).toBe('no-measurable-difference');
  });

  it('judges nothing by fewer than six samples of either row, and gives the widest interval that they allow', () => {
    const few = steady.slice(0, 5);
    expect(compare(slowDown(few, 2), few)).toEqual({
      ratio: 2,
      low: (2 * 99) / 102,
      high: (2 * 102) / 99,
      samples: 5,
      verdict: 'too-few-samples',
    });
    expect(compare(steady, few)).toMatchObject({ samples: 5, verdict: 'too-few-samples' });
    expect(compare(slowDown(steady.slice(0, 6), 2), steady)).toMatchObject({ samples: 6, verdict: 'slower' });
  });

  it('does not let the interval alone decide: one contrary round of six is too many', () => {
    const a = row(110, 110, 110, 110, 110, 99);
    const b = row(100, 100, 100, 100, 100, 100);
    const found = compare(a, b);
    expect(found.verdict).toBe('no-measurable-difference');
    expect(found.ratio).toBe(1.1);
  });

  it('compares rows that share no round too', () => {
    const later = steady.map(({ run, value }) => ({ run: run + 100, value }));
    expect(compare(slowDown(later, 1.1), steady).verdict).toBe('slower');
    expect(compare(later, steady).verdict).toBe('no-measurable-difference');
  });

  it('wants more of a difference among many rows, and gives the same interval', () => {
    const a = row(103, 104, 98, 103, 107, 101, 108, 102, 98, 109);
    const b = row(100, 101, 99, 100, 102, 98, 101, 101, 99, 100);
    const [alone, many] = [compare(a, b), compare(a, b, 66)];
    expect(alone.verdict).toBe('slower');
    expect(many).toEqual({ ...alone, verdict: 'no-measurable-difference' });
    expect(compare(slowDown(a, 2), b, 66).verdict).toBe('slower');
  });

  it('is a function of the data: no order of the samples changes it, and swapped rows give the reciprocal', () => {
    fc.assert(
      fc.property(anyRow, anyRow, (a, b) => {
        const found = compare(a, b);
        expect(compare([...a].reverse(), [...b].reverse())).toEqual(found);
        const swapped = compare(b, a);
        expect(swapped.ratio).toBeCloseTo(1 / found.ratio, 9);
        expect(swapped.low).toBeCloseTo(1 / found.high, 9);
        expect(swapped.high).toBeCloseTo(1 / found.low, 9);
        expect(swapped.verdict).toBe(opposite[found.verdict]);
      }),
      { numRuns: 60 },
    );
  });

  it('has the ratio of the medians within its interval, and does not depend on the unit', () => {
    fc.assert(
      fc.property(anyRow, anyRow, (a, b) => {
        const found = compare(a, b);
        const [middleA, middleB] = [a, b].map((side) => medianOf(side.map(({ value }) => value)));
        expect(found.ratio).toBeCloseTo((middleA ?? 0) / (middleB ?? 0), 9);
        expect(found.low).toBeLessThanOrEqual(found.ratio);
        expect(found.high).toBeGreaterThanOrEqual(found.ratio);
        expect(compare(slowDown(a, 1024), slowDown(b, 1024))).toEqual(found);
      }),
      { numRuns: 60 },
    );
  });

  it('finds no difference between a row and itself', () => {
    fc.assert(
      fc.property(anyRow, (a) => {
        const verdict = a.length < 6 ? 'too-few-samples' : 'no-measurable-difference';
        expect(compare(a, a)).toMatchObject({ ratio: 1, verdict });
      }),
      { numRuns: 60 },
    );
  });
});
