import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addHalfStats, decodeHalf, emptyHalfStats, encodeHalf } from '../../src/half/encode-half.js';
import { floatToHalf, halfToFloat } from '../../src/half/half-numbers.js';

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
      maxRelativeError: 1,
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

  it('measures the largest relative error', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ noNaN: true, min: Math.fround(1e-6), max: 65_000 }), { minLength: 1 }),
        (values) => {
          const source = Float32Array.from(values);
          const target = new Uint16Array(source.length);
          const stats = encodeHalf(source, target);
          const errors = values.map(
            (value, index) => Math.abs(halfToFloat(target[index] ?? 0) - value) / value,
          );
          expect(stats.maxRelativeError).toBeCloseTo(Math.max(...errors), 12);
        },
      ),
    );
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
        expect(sum).toEqual(stats);
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
