import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatToHalf, halfToFloat } from '../../src/half/half-numbers.js';

describe('FP16 numbers', () => {
  it.each([
    [0, 0],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65519.996, 0x7bff],
    [65520, 0x7c00],
    [-65520, 0xfc00],
    [Number.POSITIVE_INFINITY, 0x7c00],
    [2 ** -14, 0x400],
    [2 ** -24, 1],
    [2 ** -25, 0],
    [2 ** -25 * (1 + 2 ** -20), 1],
    [1.5 * 2 ** -24, 2],
    [2.98e-8, 0],
    [3e-8, 1],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [1.1, 0x3c66],
  ])('rounds %d to nearest even', (value, half) => {
    expect(floatToHalf(value)).toBe(half);
  });

  it('keeps NaN and its sign', () => {
    expect(halfToFloat(floatToHalf(Number.NaN))).toBeNaN();
  });

  it('gives every FP16 number back as it was', () => {
    for (let half = 0; half < 65_536; half += 1) {
      const value = halfToFloat(half);
      if (!Number.isNaN(value)) expect(floatToHalf(value)).toBe(half);
    }
  });

  it('never finds a neighbour that is closer than the one it chose', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, min: Math.fround(-65519), max: Math.fround(65519) }), (value) => {
        const half = floatToHalf(value);
        const distance = Math.abs(halfToFloat(half) - value);
        for (const step of [-1, 1]) {
          const magnitude = (half & 0x7fff) + step;
          if (magnitude < 0 || magnitude >= 0x7c00) continue;
          const neighbour = halfToFloat((half & 0x8000) | magnitude);
          const other = Math.abs(neighbour - value);
          expect(other > distance || (other === distance && (half & 1) === 0)).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
