import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addRoundStats,
  compareRounded,
  countOutside,
  noRoundStats,
  roundErrorOf,
} from '../../../src/convert/openvino/round-stats.js';
import { floatToHalf } from '../../../src/half/half-numbers.js';

/** As OpenVINO stores numbers: what is beyond FP16, infinite or NaN becomes ±65504. */
function clamp(value: number): number {
  if (Number.isNaN(value)) return floatToHalf(65_504);
  return floatToHalf(Math.max(-65_504, Math.min(65_504, value)));
}

function compare(values: readonly number[]) {
  return compareRounded(Float32Array.from(values), Uint16Array.from(values, clamp));
}

const numbers = fc.array(fc.float(), { maxLength: 40 });

describe('compareRounded', () => {
  it('tells what was clamped, became 0, lost digits or is as it was', () => {
    const stats = compare([
      1e5,
      -2e5,
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      65_519,
      1e-9,
      2 ** -20,
      0.5,
      -0,
      0.1,
    ]);
    expect(stats).toMatchObject({
      ...{
        values: 10,
        clampedCount: 4,
        nonFiniteCount: 2,
        vanishedCount: 1,
        subnormalCount: 1,
        exactCount: 3,
      },
      largest: 2e5,
    });
  });

  it('takes FP64 as well', () => {
    const stats = compareRounded(Float64Array.of(1e6, 0.1, 2), Uint16Array.of(0x7bff, 0x2e66, 0x4000));
    expect(stats).toMatchObject({ values: 3, clampedCount: 1, exactCount: 1, largest: 1e6 });
    expect(roundErrorOf(stats)).toBeCloseTo(0.934496, 5);
  });

  it('knows no numbers that FP16 holds and are not as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2048, max: 2048 })), (values) => {
        const stats = compare(values);
        expect(stats).toMatchObject({ exactCount: values.length, clampedCount: 0, squaredError: 0 });
        expect(roundErrorOf(stats)).toBe(0);
      }),
    );
  });

  it('gives the same for an array and for its pieces together', () => {
    fc.assert(
      fc.property(numbers, numbers, (left, right) => {
        const { squaredError, squaredNorm, ...counts } = compare([...left, ...right]);
        const added = addRoundStats(compare(left), compare(right));
        expect(added).toMatchObject(counts);
        expect(Math.abs(added.squaredNorm - squaredNorm)).toBeLessThanOrEqual(squaredNorm * 1e-12);
        expect(Math.abs(added.squaredError - squaredError)).toBeLessThanOrEqual(squaredError * 1e-12);
      }),
    );
  });
});

it('a constant that became 0 as a whole has moved by all of it, one without numbers by nothing', () => {
  expect(roundErrorOf(compare([1e-9, -1e-9]))).toBe(1);
  expect(roundErrorOf(noRoundStats)).toBe(0);
});

it('counts what has no place in FP16, and what of it is finite and beyond', () => {
  const values = [
    65_504,
    65_505,
    65_520,
    -1e9,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** -24,
    2 ** -25,
    0,
    -0,
  ];
  expect(countOutside(Float32Array.from(values))).toEqual({ outside: 6, beyond: 2 });
});
