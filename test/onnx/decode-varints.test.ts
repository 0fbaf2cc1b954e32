import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeVarints } from '../../src/onnx/decode-varints.js';

/** A varint of any length that holds the 64 bits of a number. */
function encode(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('decodeVarints', () => {
  it('gives 64-bit numbers exactly', () => {
    fc.assert(
      fc.property(fc.array(wide), (values) => {
        const decoded = decodeVarints(Uint8Array.from(values.flatMap(encode)), 8) ?? new Uint8Array(1);
        expect(Array.from(new BigInt64Array(decoded.buffer))).toEqual(values);
      }),
    );
  });

  it.each([1, 2, 4] as const)('takes the lowest %i bytes of each number', (entryBytes) => {
    fc.assert(
      fc.property(fc.array(wide), (values) => {
        const decoded = decodeVarints(Uint8Array.from(values.flatMap(encode)), entryBytes);
        const whole = new Uint8Array(BigInt64Array.from(values).buffer);
        expect(decoded).toEqual(whole.filter((_unused, index) => index % 8 < entryBytes));
      }),
    );
  });

  it('takes numbers that are longer than they need be, up to 10 bytes', () => {
    expect(decodeVarints(Uint8Array.of(0x85, 0x80, 0, 7), 4)).toEqual(Uint8Array.of(5, 0, 0, 0, 7, 0, 0, 0));
    expect(decodeVarints(Uint8Array.of(...Array(9).fill(0x80), 0), 1)).toEqual(Uint8Array.of(0));
    expect(decodeVarints(Uint8Array.of(...Array(10).fill(0x80), 0), 1)).toBeUndefined();
    expect(decodeVarints(Uint8Array.of(1, 0x80), 1)).toBeUndefined();
  });
});
