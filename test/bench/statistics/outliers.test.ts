import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flagOutliers } from '../../../src/bench/statistics/outliers.js';

const anyValues = fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 30 });

describe('flagOutliers', () => {
  it('flags what lies more than 3.5 × 1.4826 × MAD from the median, on both sides, and nothing at the bound', () => {
    // Median 100, MAD 2: the bound lies at 10.3782.
    const near = [98, 102, 98, 102, 98, 102, 100];
    expect(flagOutliers([...near, 110.378, 89.622])).toEqual([]);
    expect(flagOutliers([110.379, ...near, 89.621])).toEqual([0, 8]);
  });

  it('is not blinded by the outliers themselves, as a mean would be', () => {
    expect(flagOutliers([10, 11, 12, 10, 11, 1000, 1000, 1000])).toEqual([5, 6, 7]);
  });

  it('does not flag whatever differs when more than half of the values are equal', () => {
    expect(flagOutliers([5, 5, 5, 5, 6, 4])).toEqual([]);
    expect(flagOutliers([5, 5, 5, 5, 5, 5, 5, 5, 6])).toEqual([8]);
    expect(flagOutliers([5, 5, 5, 5])).toEqual([]);
  });

  it('flags nothing among fewer than six values, of which two may be equal by chance', () => {
    expect(flagOutliers([])).toEqual([]);
    expect(flagOutliers([100, 100, 101])).toEqual([]);
    expect(flagOutliers([10, 10, 10, 11, 1000])).toEqual([]);
    expect(flagOutliers([10, 10, 10, 11, 10, 1000])).toEqual([5]);
    expect(flagOutliers([1, 1000])).toEqual([]);
  });

  it('flags the same after a shift, a scaling and a reversal, never more than half, and leaves the values alone', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const before = [...values];
        const flagged = flagOutliers(values);
        expect(values).toEqual(before);
        expect(flagOutliers(values.map((value) => value * 4 + 64))).toEqual(flagged);
        const reversed = flagOutliers([...values].reverse()).map((index) => values.length - 1 - index);
        expect(reversed.reverse()).toEqual(flagged);
        expect(flagged.length).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });
});
