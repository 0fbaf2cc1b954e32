import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadOf } from '../../src/bench/statistics/spread.js';

const anyValues = fc.array(fc.double({ noNaN: true, min: -1e308, max: 1e308 }), { minLength: 1 });

describe('spreadOf', () => {
  it('gives no spread without values, never a zero', () => {
    expect(spreadOf([])).toBeNull();
  });

  it('takes the middle value, and between the two middle ones their mean', () => {
    expect(spreadOf([3, 1, 2])?.median).toBe(2);
    expect(spreadOf([4, 1, 3, 2])?.median).toBe(2.5);
  });

  it('takes p95 by nearest rank from 20 values on; of fewer it would be the highest, and is none', () => {
    const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    expect(spreadOf(upTo(19))?.p95).toBeNull();
    expect(spreadOf(upTo(20))?.p95).toBe(19);
    expect(spreadOf(upTo(100))?.p95).toBe(95);
  });

  it('sorts by number, not by text', () => {
    expect(spreadOf([10, 9, 100])).toEqual({ median: 10, min: 9, max: 100, p95: null, count: 3 });
  });

  it('does not depend on the order and leaves the values alone', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const before = [...values];
        expect(spreadOf([...values].reverse())).toEqual(spreadOf(values));
        expect(values).toEqual(before);
      }),
    );
  });

  it('keeps min ≤ median ≤ p95 ≤ max for twenty values or more, each but the median one of the values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), { minLength: 20, maxLength: 60 }),
        (values) => {
          const spread = spreadOf(values);
          if (spread === null || spread.p95 === null) throw new Error('no spread');
          const { p95 } = spread;
          expect(spread.min).toBeLessThanOrEqual(spread.median);
          expect(spread.median).toBeLessThanOrEqual(p95);
          expect(p95).toBeLessThanOrEqual(spread.max);
          expect(values).toContain(p95);
          const covered = values.filter((value) => value <= p95).length;
          expect(covered / values.length).toBeGreaterThanOrEqual(0.95);
        },
      ),
    );
  });

  it('shifts and scales with the values', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 20 }), (values) => {
        const plain = spreadOf(values);
        const moved = spreadOf(values.map((value) => value * 2 + 8));
        expect(moved?.median).toBe((plain?.median ?? Number.NaN) * 2 + 8);
        expect(moved?.p95).toBe((plain?.p95 ?? Number.NaN) * 2 + 8);
      }),
    );
  });
});
