import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCosine, formatError, formatTolerance } from '../../src/lib/format-tolerance.js';

it('prints a tolerance that is enough', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e30, noNaN: true }), (value) => {
      const printed = Number(formatTolerance(value));
      expect(printed).toBeGreaterThanOrEqual(value);
      expect(printed).toBeLessThanOrEqual(value * 1.1 + Number.MIN_VALUE);
    }),
  );
});

it('never prints a cosine above what it is', () => {
  expect([0.999985, 0.5, 1, 0.9999999, -1].map(formatCosine)).toEqual(
    ['0.9999850', '0.5', '1', '0.999999900', '-1'].map((text) => String(Number(text))),
  );
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (value) => {
      expect(Number(formatCosine(value))).toBeLessThanOrEqual(value);
    }),
  );
});

it('prints errors with two digits', () => {
  expect([0, 0.5, 0.000314, 12_345].map(formatError)).toEqual(['0', '0.5', '3.1e-4', '1.2e4']);
});
