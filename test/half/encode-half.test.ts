import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHalf, encodeHalf } from '../../src/half/encode-half.js';
import { floatToHalf, halfToFloat } from '../../src/half/half-numbers.js';
import { addHalfStats, emptyHalfStats, relativeErrorOf } from '../../src/half/half-stats.js';

describe('encodeHalf', () => {
  it('counts what each kind of number became', () => {
    const source = Float32Array.of(0, 1, 1.1, 70000, -65520, 1e-9, 2 ** -24, 3e-8, Infinity, NaN);
    const target = new Uint16Array(source.length);
    const stats = encodeHalf(source, target);
    expect(stats).toMatchObject({
      overflowCount: 2,
      underflowCount: 1,
      subnormalCount: 2,
      exactCount: 5,
      largest: 70_000,
    });
    expect([...target.subarray(0, 9)]).toEqual([0, 0x3c00, 0x3c66, 0x7c00, 0xfc00, 0, 1, 1, 0x7c00]);
  });

  it('works on a view that does not start at the beginning of its buffer', () => {
    const whole = Float32Array.of(9, 9, 1.5, -2);
    const target = new Uint16Array(2);
    encodeHalf(whole.subarray(2), target);
    expect([...target]).toEqual([0x3e00, 0xc000]);
  });

  it('rounds ties to the even neighbour, up and down', () => {
    const source = Float32Array.of(1 + 2 ** -11, 1 + 3 * 2 ** -11, -(1 + 5 * 2 ** -11), 2049, 2051);
    const target = new Uint16Array(source.length);
    encodeHalf(source, target);
    expect([...target]).toEqual([0x3c00, 0x3c02, 0xbc02, 0x6800, 0x6802]);
  });

  it('measures the relative error of the whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ noNaN: true, min: Math.fround(1e-6), max: 65_000 }), { minLength: 1 }),
        (values) => {
          const target = new Uint16Array(values.length);
          const stats = encodeHalf(Float32Array.from(values), target);
          const errors = values.map((value, index) => halfToFloat(target[index] ?? 0) - value);
          expect(relativeErrorOf(stats)).toBeCloseTo(Math.hypot(...errors) / Math.hypot(...values), 12);
        },
      ),
    );
  });

  it.each([
    [[], 0],
    [[0, -0, Infinity, NaN], 0],
    [[1, 0.5], 0],
    [[1e-9, 1e-12], 1],
    [[1e-25, -1e-40], 1],
    [[1e6], 0],
    [[3, 4 + 2 ** -9], 2 ** -9 / 5],
  ])('puts the relative error of %j at %d', (values, error) => {
    const stats = encodeHalf(Float32Array.from(values), new Uint16Array(values.length));
    expect(relativeErrorOf(stats)).toBeCloseTo(error, 6);
  });

  it('agrees with the scalar function, and pieces add up to the whole', () => {
    fc.assert(
      fc.property(fc.float32Array({ maxLength: 40 }), fc.nat(40), (source, cut) => {
        const target = new Uint16Array(source.length);
        const stats = encodeHalf(source, target);
        source.forEach((value, index) => {
          if (!Number.isNaN(value)) expect(target[index]).toBe(floatToHalf(value));
        });
        const rest = new Uint16Array(source.length);
        const sum = [source.subarray(0, cut), source.subarray(cut)]
          .map((piece) => encodeHalf(piece, rest))
          .reduce(addHalfStats, emptyHalfStats);
        const { squaredError, squaredNorm, ...counts } = stats;
        expect(sum).toMatchObject(counts);
        expect(Math.abs(sum.squaredError - squaredError)).toBeLessThanOrEqual(1e-12 * squaredError);
        expect(Math.abs(sum.squaredNorm - squaredNorm)).toBeLessThanOrEqual(1e-12 * squaredNorm);
      }),
    );
  });

  it('decodes all 65,536 bit patterns as the scalar function does', () => {
    const source = Uint16Array.from({ length: 65_536 }, (_unused, half) => half);
    const target = new Float32Array(65_536);
    decodeHalf(source, target);
    source.forEach((half, index) => {
      expect(Object.is(target[index], halfToFloat(half))).toBe(true);
    });
  });
});
