import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureDiscrimination } from '../../src/validate/measure-discrimination.js';
import { measurePair } from '../../src/validate/measure-pair.js';

const bounds = { rtol: 0.01, atol: 0.001 };
const nan = Number.NaN;
const inf = Number.POSITIVE_INFINITY;

function measure(values: readonly number[], more = {}) {
  return measureDiscrimination(Float64Array.from(values), { ...bounds, ...more });
}

describe('measureDiscrimination', () => {
  it('measures the scale of the reference and the share that atol swallows', () => {
    expect(measure([0.001, -0.5, 0, nan, -inf])).toMatchObject({
      maxAbsReference: 0.5,
      belowAtolShare: 2 / 3,
      isConstant: false,
    });
  });

  it.each([
    ['all elements are within atol', [0.0003, -0.0002], {}, 'zeros'],
    ['one element is beyond it', [0.0003, -0.2], {}, null],
    ['only an element that is not finite is beyond it', [0.0003, 0.0001, nan, inf], {}, 'zeros'],
    ['a cosine is asked for, which zeros do not have', [0.0003, -0.0002], { cosine: 0.9 }, null],
    ['max |Δ| is stricter than atol', [0.0003, -0.0002], { maxAbs: 1e-5 }, null],
    ['the variation is within rtol', [100, 100.4, 99.8], {}, 'constant'],
    ['the variation is within rtol, and so is the cosine', [100, 100.4], { cosine: 0.9999 }, 'constant'],
    ['only the middle, not the mean, is near enough to all', [0, 0, 0, 0, 0.0019], {}, 'constant'],
    ['the variation is beyond rtol', [100, 103], {}, null],
    ['a constant is below atol', [0.0005, 0.0005], {}, 'zeros'],
    ['a constant is above atol', [3, 3], {}, null],
    ['the reference is zero, where zeros are right', [0, 0], {}, null],
  ] as const)('when %s: %j %j is passed by %s', (_title, values, more, passedBy) => {
    expect(measure(values, more).passedBy).toBe(passedBy);
  });

  it('knows a reference that is one number throughout', () => {
    expect(measure([3, 3, nan]).isConstant).toBe(true);
    expect(measure([3, 4]).isConstant).toBe(false);
  });

  it('measures nothing where nothing is finite', () => {
    for (const values of [[], [nan, inf]])
      expect(measure(values)).toEqual({
        maxAbsReference: null,
        belowAtolShare: null,
        isConstant: false,
        passedBy: null,
      });
  });

  it('never trusts bounds that zeros or the mean of a varied reference pass', () => {
    const element = fc.double({ min: -3, max: 3, noNaN: true });
    const anyBounds = fc.record({
      rtol: fc.double({ min: 0, max: 1, noNaN: true }),
      atol: fc.double({ min: 0, max: 3, noNaN: true }),
      cosine: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(element, { minLength: 2, maxLength: 20 }), anyBounds, (values, asked) => {
        const reference = Float64Array.from(values);
        const { passedBy, isConstant } = measureDiscrimination(reference, asked);
        if (isConstant || passedBy !== null) return;
        const mean = values.reduce((sum, each) => sum + each / values.length, 0);
        for (const standIn of [0, mean]) {
          const candidate = new Float64Array(values.length).fill(standIn);
          expect(measurePair({ reference, candidate }, asked).broken).not.toEqual([]);
        }
      }),
    );
  });
});
