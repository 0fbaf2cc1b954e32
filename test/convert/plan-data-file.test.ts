import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planDataFile } from '../../src/convert/write/plan-data-file.js';
import { type Piece, pieceBytes } from '../../src/onnx/piece.js';

function inMemory(sizeBytes: number, fill: number): Piece {
  return { kind: 'bytes', bytes: new Uint8Array(sizeBytes).fill(fill) };
}

function inFile(offset: number, sizeBytes: number, form: 'stored' | 'half' = 'stored'): Piece {
  return { kind: 'range', range: { path: 'w.bin', offset, sizeBytes }, form };
}

describe('planDataFile', () => {
  it('begins tensors of a page on a page, and puts small ones into the gaps', () => {
    const { offsets, rope } = planDataFile([5000, 700, 9000, 3000, 2000].map(inMemory));
    expect(offsets).toEqual([0, 5056, 8192, 17_216, 20_224]);
    expect(rope.sizeBytes).toBe(22_224);
  });

  it('holds what is the same range of a file once, in each form it is wanted in', () => {
    const pieces = [inFile(0, 8192), inFile(8192, 8192), inFile(0, 8192), inFile(0, 8192, 'half')];
    const { offsets, rope } = planDataFile([...pieces, inFile(0, 8192, 'half')]);
    expect(offsets).toEqual([0, 8192, 0, 16_384, 16_384]);
    expect(rope.sizeBytes).toBe(20_480);
  });

  it('never lets two pieces overlap, places every piece, and fills the gaps with zeros', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 30 }), (sizes) => {
        const { offsets, rope } = planDataFile(sizes.map((size, index) => inMemory(size, index + 1)));
        const file = Buffer.concat(
          rope.pieces.flatMap((piece) => (piece.kind === 'bytes' ? [piece.bytes] : [])),
        );
        expect(file).toHaveLength(rope.sizeBytes);
        expect(rope.pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0)).toBe(rope.sizeBytes);
        for (const [index, size] of sizes.entries()) {
          const offset = offsets[index] ?? Number.NaN;
          expect(offset % (size >= 4096 ? 4096 : 64)).toBe(0);
          expect(file.subarray(offset, offset + size).every((byte) => byte === index + 1)).toBe(true);
          file.fill(0, offset, offset + size);
        }
        expect(file.every((byte) => byte === 0)).toBe(true);
      }),
    );
  });
});
