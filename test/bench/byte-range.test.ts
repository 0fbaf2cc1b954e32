import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseByteRange } from '../../src/bench/link/byte-range.js';

describe('parseByteRange', () => {
  it('reads first and last, both inclusive', () => {
    expect(parseByteRange('bytes=10-19', 100)).toEqual({ offset: 10, length: 10 });
    expect(parseByteRange('bytes=0-0', 100)).toEqual({ offset: 0, length: 1 });
  });

  it('reads open ends: from an offset on, and the last so many', () => {
    expect(parseByteRange('bytes=90-', 100)).toEqual({ offset: 90, length: 10 });
    expect(parseByteRange('bytes=-30', 100)).toEqual({ offset: 70, length: 30 });
    expect(parseByteRange('bytes=-300', 100)).toEqual({ offset: 0, length: 100 });
  });

  it('cuts a range off at the end of the object', () => {
    expect(parseByteRange('bytes=90-500', 100)).toEqual({ offset: 90, length: 10 });
  });

  it('cannot satisfy a range that begins beyond the end', () => {
    expect(parseByteRange('bytes=100-', 100)).toBe('unsatisfiable');
    expect(parseByteRange('bytes=5-3', 100)).toBe('unsatisfiable');
    expect(parseByteRange('bytes=-0', 100)).toBe('unsatisfiable');
  });

  it('sends everything for no header, several ranges or what it does not understand', () => {
    for (const header of [undefined, 'bytes=0-1,5-6', 'lines=1-2', 'bytes=-'])
      expect(parseByteRange(header, 100)).toBe('whole');
  });

  it('never leaves the object', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.nat(200), (first, last, size) => {
        const range = parseByteRange(`bytes=${first}-${last}`, size);
        if (typeof range === 'string') return;
        expect(range.length).toBeGreaterThan(0);
        expect(range.offset + range.length).toBeLessThanOrEqual(size);
      }),
    );
  });
});
