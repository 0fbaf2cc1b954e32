import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choosePartSize, planParts } from '../../src/store/plan-parts.js';

const mebibyteBytes = 1024 ** 2;

describe('parts of an object', () => {
  it('adjoin, and are together exactly the object', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 999 }), (sizeBytes, partSizeBytes) => {
        let end = 0;
        for (const { offset, length } of planParts(sizeBytes, partSizeBytes)) {
          expect(offset).toBe(end);
          expect(length).toBeGreaterThan(0);
          expect(length).toBeLessThanOrEqual(partSizeBytes);
          end += length;
        }
        expect(end).toBe(sizeBytes);
      }),
    );
  });

  it('are chosen so that there are at most 10,000, of 5 MiB to 5 GiB each, for all that S3 takes', () => {
    const largest = 10_000 * 5 * 1024 ** 3;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: largest }), (sizeBytes) => {
        const partSizeBytes = choosePartSize(sizeBytes);
        expect(partSizeBytes % mebibyteBytes).toBe(0);
        expect(Math.ceil(sizeBytes / partSizeBytes)).toBeLessThanOrEqual(10_000);
        expect(partSizeBytes).toBeGreaterThanOrEqual(5 * mebibyteBytes);
        expect(partSizeBytes).toBeLessThanOrEqual(5 * 1024 ** 3);
      }),
    );
  });

  it.each([
    [0, 8],
    [128 * mebibyteBytes, 8],
    [128 * mebibyteBytes + 1, 16],
    [6 * 1024 ** 3, 16],
    [160_000 * mebibyteBytes, 16],
    [160_000 * mebibyteBytes + 1, 17],
  ])('of %i bytes have %i MiB', (sizeBytes, partMiB) => {
    expect(choosePartSize(sizeBytes)).toBe(partMiB * mebibyteBytes);
  });
});
