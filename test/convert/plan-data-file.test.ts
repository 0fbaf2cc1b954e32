import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planDataFile } from '../../src/convert/plan-data-file.js';
import type { TensorPlace } from '../../src/onnx/graph-walk.js';

const place = {} as TensorPlace;

function payload(sizeBytes: number, fill: number) {
  const bytes = new Uint8Array(sizeBytes).fill(fill);
  return { place, payload: { kind: 'inline', bytes, sizeBytes } as const };
}

describe('planDataFile', () => {
  it('begins tensors of a page on a page, and puts small ones into the gaps', async () => {
    const sizes = [5000, 700, 9000, 3000, 2000].map((size, index) => payload(size, index));
    const ranges = await planDataFile(sizes);
    expect(ranges.map(({ offset, payload: { sizeBytes } }) => [offset, sizeBytes])).toEqual([
      [0, 5000],
      [5056, 700],
      [8192, 9000],
      [17_216, 3000],
      [20_224, 2000],
    ]);
  });

  it('never lets two ranges overlap and places every tensor once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 30 }), async (sizes) => {
        const ranges = await planDataFile(sizes.map((size, index) => payload(size, index)));
        expect(ranges.flatMap(({ places }) => places)).toHaveLength(sizes.length);
        let end = 0;
        for (const { offset, payload: range } of ranges) {
          expect(offset).toBeGreaterThanOrEqual(end);
          expect(offset % (range.sizeBytes >= 4096 ? 4096 : 64)).toBe(0);
          end = offset + range.sizeBytes;
        }
      }),
    );
  });
});
