import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateBytes } from '../../src/convert/write/locate-bytes.js';
import type { Piece } from '../../src/onnx/piece.js';

const sourceBytes = 40;

function copyOf(offset: number, sizeBytes: number): Piece {
  return { kind: 'range', range: { path: 'w.bin', offset, sizeBytes }, form: 'stored' };
}

const anyCopies = fc.array(
  fc
    .tuple(fc.nat(sourceBytes), fc.nat(sourceBytes))
    .map(([one, other]) => copyOf(Math.min(one, other), Math.abs(one - other))),
  { maxLength: 8 },
);

/** For each byte that was written, the byte of the source that it is. */
function writeOut(pieces: readonly Piece[]): number[] {
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'range') return [];
    return Array.from({ length: piece.range.sizeBytes }, (_unused, at) => piece.range.offset + at);
  });
}

describe('locateBytes', () => {
  it('finds every byte that was copied, also of ranges that overlap or lie within each other', () => {
    fc.assert(
      fc.property(anyCopies, (pieces) => {
        const written = writeOut(pieces);
        const rope = { pieces, sizeBytes: written.length };
        const { findCopy, nextCopy } = locateBytes([{ name: 'model.onnx.data', rope }], 'model.onnx');
        const copied = new Set(written);
        for (let start = 0; start < sourceBytes; start += 1) {
          const found = findCopy('w.bin', start, sourceBytes);
          expect(found !== undefined).toBe(copied.has(start));
          if (found !== undefined) {
            const { offset, sizeBytes } = found;
            const wanted = Array.from({ length: sizeBytes }, (_unused, at) => start + at);
            expect(written.slice(offset, offset + sizeBytes)).toEqual(wanted);
          } else {
            const next = nextCopy('w.bin', start, sourceBytes);
            const isNext = (at: number): boolean => at >= start && copied.has(at);
            expect(next).toBe(Math.min(sourceBytes, ...[...copied].filter(isNext)));
          }
        }
      }),
    );
  });
});
