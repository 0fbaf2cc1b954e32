import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relativeWidth } from '../../../src/bench/statistics/median-width.js';
import {
  foreseeRounds,
  listWideRows,
  needsMoreSamples,
} from '../../../src/bench/statistics/sampling-rule.js';
import { samplesWith, totalsAround } from './sampled-row.js';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('relativeWidth', () => {
  it('takes the ranks of the published table: all of 6 to 8 values, the 2nd and the 9th of 10, the 10th and 21st of 30', () => {
    expect(relativeWidth(upTo(6))).toBeCloseTo(5 / 3.5, 12);
    expect(relativeWidth(upTo(8))).toBeCloseTo(7 / 4.5, 12);
    expect(relativeWidth(upTo(9))).toBeCloseTo(6 / 5, 12);
    expect(relativeWidth(upTo(10))).toBeCloseTo(7 / 5.5, 12);
    expect(relativeWidth(upTo(30))).toBeCloseTo(11 / 15.5, 12);
  });

  it('knows no width of fewer than six values', () => {
    expect(relativeWidth([])).toBeNull();
    expect(relativeWidth(upTo(5))).toBeNull();
  });

  it('does not break off where it changes over to a normal distribution', () => {
    const [before, after] = [relativeWidth(upTo(500)) ?? 0, relativeWidth(upTo(501)) ?? 0];
    expect(Math.abs(before - after)).toBeLessThan(0.03 * before);
    expect(relativeWidth(upTo(5000))).toBeCloseTo((2 * 1.96 * Math.sqrt(5000)) / 2 / 2500, 2);
  });

  it('does not depend on order or unit, and is 0 where all values are equal', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 6, maxLength: 40 }), (values) => {
        const width = relativeWidth(values);
        expect(relativeWidth([...values].reverse())).toBe(width);
        expect(relativeWidth(values.map((value) => value * 16))).toBe(width);
        expect(width).toBeGreaterThanOrEqual(0);
        expect(relativeWidth(values.map(() => 7))).toBe(0);
      }),
    );
  });
});

describe('the rule of sampling', () => {
  const narrow = samplesWith(totalsAround(100));
  const wide = samplesWith([100, 140, 90, 150, 95, 145, 100, 150, 90, 140], { variantId: 'wide' });
  const failing = samplesWith([null, null, null], { variantId: 'failing' });
  const plan = { runs: 10, targetWidth: 0.05, mostRuns: 60 };

  it('goes on while any row is wider than was aimed at, or has too few samples to know', () => {
    expect(needsMoreSamples(narrow, 0.05)).toBe(false);
    expect(needsMoreSamples([...narrow, ...wide], 0.05)).toBe(true);
    expect(needsMoreSamples([...narrow, ...wide], 0.7)).toBe(false);
    expect(needsMoreSamples(narrow.slice(0, 5), 0.05)).toBe(true);
  });

  it('does not wait for a row whose samples all fail, nor for samples that found another cache state than the rest', () => {
    expect(needsMoreSamples([...narrow, ...failing], 0.05)).toBe(false);
    const stray = samplesWith([300, 310, 320, 330], { cache: 'warm' });
    expect(needsMoreSamples([...narrow, ...stray], 0.05)).toBe(false);
  });

  it('names the wide rows with how wide they are', () => {
    expect(listWideRows([...narrow, ...wide], 0.05)).toEqual([
      { variantId: 'wide', delivery: 's3-copy', memoryMiB: null, width: (150 - 90) / 120, samples: 10 },
    ]);
    expect(listWideRows(narrow.slice(0, 5), 0.05)).toMatchObject([{ width: null, samples: 5 }]);
  });

  it('foresees rounds by the square of the width, between the least and the most', () => {
    expect(foreseeRounds([], plan)).toBe(10);
    expect(foreseeRounds(narrow, plan)).toBe(10);
    expect(foreseeRounds([...narrow, ...wide], { ...plan, targetWidth: 0.25 })).toBe(40);
    expect(foreseeRounds([...narrow, ...wide], plan)).toBe(60);
    expect(foreseeRounds(failing, plan)).toBe(10);
    expect(foreseeRounds([...narrow, ...wide], { ...plan, targetWidth: null })).toBe(10);
    expect(foreseeRounds(narrow.slice(0, 3), { ...plan, runs: 2 })).toBe(4);
  });

  it('foresees a round more exactly when it asks for one, as long as there may be more', () => {
    const anyTotals = fc.array(fc.integer({ min: 50, max: 150 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(anyTotals, fc.double({ min: 0.01, max: 1, noNaN: true }), (totals, targetWidth) => {
        const samples = samplesWith(totals);
        const rounds = foreseeRounds(samples, { runs: 1, targetWidth, mostRuns: 100 });
        expect(rounds > totals.length).toBe(needsMoreSamples(samples, targetWidth));
        expect(rounds).toBeLessThanOrEqual(100);
      }),
    );
  });
});
