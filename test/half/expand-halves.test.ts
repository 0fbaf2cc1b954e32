import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHalf } from '../../src/half/encode-half.js';
import { openHalfExpander } from '../../src/half/expand-halves.js';

/** What the expander hands over, put together by the offsets it says. */
function collect(halves: Uint8Array, pieceElements: number): { bytes: Buffer; offsets: number[] } {
  const bytes = Buffer.alloc(4 * Math.floor(halves.length / 2));
  const offsets: number[] = [];
  openHalfExpander(pieceElements)(halves, (offset, floats) => {
    offsets.push(offset);
    bytes.set(floats, offset);
  });
  return { bytes, offsets };
}

function decode(halves: Uint8Array): Buffer {
  const even = Uint8Array.from(halves.subarray(0, halves.length - (halves.length % 2)));
  const floats = new Float32Array(even.length / 2);
  decodeHalf(new Uint16Array(even.buffer), floats);
  return Buffer.from(floats.buffer);
}

describe('expanding halves in pieces', () => {
  it('gives what the scalar twin gives, whatever the piece and wherever the bytes are in memory', () => {
    const place = fc.record({ bytes: fc.uint8Array({ maxLength: 300 }), skipped: fc.nat(3) });
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 40 }), ({ bytes, skipped }, pieceElements) => {
        const halves = bytes.subarray(skipped);
        const found = collect(halves, pieceElements);
        expect(found.bytes.equals(decode(halves))).toBe(true);
        const pieces = Math.ceil(Math.floor(halves.length / 2) / pieceElements);
        expect(found.offsets).toEqual(
          Array.from({ length: pieces }, (_, index) => index * 4 * pieceElements),
        );
      }),
    );
  });

  it('leaves out an odd byte at the end, and hands over nothing for less than a number', () => {
    expect(collect(Uint8Array.of(0x00, 0x3c, 0xff), 8).bytes).toEqual(
      Buffer.from(new Float32Array([1]).buffer),
    );
    for (const bytes of [new Uint8Array(), Uint8Array.of(1)]) expect(collect(bytes, 8).offsets).toEqual([]);
  });
});
