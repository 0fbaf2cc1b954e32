import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writePieces } from '../../src/convert/stream-pieces.js';
import { encodeHalf } from '../../src/half/encode-half.js';
import type { HalfStats } from '../../src/half/half-stats.js';
import type { Piece } from '../../src/onnx/piece.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { largeBytes, makeSource, makeWeights, override, write } from './streamed-rope.js';

const tempFolder = useTempFolder();

function roundTo(bytes: Uint8Array): { readonly halves: Uint8Array; readonly stats: HalfStats } {
  const floats = new Float32Array(new Uint8Array(bytes).buffer);
  const halves = new Uint16Array(floats.length);
  const stats = encodeHalf(floats, halves);
  return { halves: new Uint8Array(halves.buffer), stats };
}

function expectStats(stats: HalfStats | undefined, expected: HalfStats): void {
  const { squaredError, squaredNorm, ...counts } = expected;
  expect(stats).toMatchObject(counts);
  expect(Math.abs((stats?.squaredError ?? 0) - squaredError)).toBeLessThanOrEqual(1e-6 * squaredError);
  expect(Math.abs((stats?.squaredNorm ?? 0) - squaredNorm)).toBeLessThanOrEqual(1e-6 * squaredNorm);
}

/** What a rope stands for, put together the simple way. */
function assemble(
  source: Uint8Array,
  data: ReadonlyMap<string, Uint8Array>,
  pieces: readonly Piece[],
): Uint8Array {
  return Buffer.concat(
    pieces.map((piece) => {
      if (piece.kind === 'bytes') return piece.bytes;
      if (piece.kind === 'source') return source.subarray(piece.start, piece.end);
      const { path, offset, sizeBytes } = piece.range;
      const stored = (data.get(path) ?? source).subarray(offset, offset + sizeBytes);
      return piece.form === 'half' ? roundTo(stored).halves : stored;
    }),
  );
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

describe('writePieces', () => {
  it('gathers small pieces, of new bytes and of the source, in few writes', async () => {
    const folder = await tempFolder();
    const bytes = makeWeights(100_000);
    const source = await makeSource(folder, bytes, [[0, bytes.length]]);
    const pieces = Array.from({ length: 100_000 }, (_unused, index): Piece => {
      if (index % 2 === 0) return { kind: 'bytes', bytes: Uint8Array.of(index, index >> 8, 7) };
      return { kind: 'source', start: index - (index % 97), end: index };
    });
    let writes = 0;
    const count = (file: FileHandle) => (from: Uint8Array, at: number, length: number, position: number) => {
      writes += 1;
      return file.write(from, at, length, position);
    };
    const wrap = (file: FileHandle) => override(file, { write: count(file) });
    const written = await write(folder, source, pieces, { wrap });
    expect(isSame(written.bytes, assemble(bytes, new Map(), pieces))).toBe(true);
    expect(writes).toBeLessThan(10);
  });

  it('copies a source that is not in memory, whole and in parts', async () => {
    const folder = await tempFolder();
    const bytes = makeWeights(largeBytes + 3);
    const source = await makeSource(folder, bytes, [[0, 5000]]);
    const pieces: Piece[] = [
      { kind: 'source', start: 0, end: bytes.length },
      { kind: 'source', start: 4000, end: 6000 },
      { kind: 'source', start: 10, end: 20 },
      { kind: 'source', start: 77, end: 77 },
      { kind: 'source', start: 1_234_567, end: bytes.length },
    ];
    const written = await write(folder, source, pieces);
    expect(isSame(written.bytes, assemble(bytes, new Map(), pieces))).toBe(true);
    expect(written.progress.length).toBeGreaterThan(4);
  });

  it('rounds ranges of any size from any offset, and says once for each what that did', async () => {
    const folder = await tempFolder();
    const data = join(folder, 'weights.bin');
    const weights = makeWeights(largeBytes, 5);
    const shifted = Buffer.concat([Buffer.alloc(3), weights]);
    await writeFile(data, shifted);
    const source = await makeSource(folder, weights);
    const range = (path: string, offset: number, sizeBytes: number): Piece => ({
      kind: 'range',
      form: 'half',
      range: { path, offset, sizeBytes },
    });
    const pieces: Piece[] = [
      range(data, 3, largeBytes),
      { kind: 'bytes', bytes: Uint8Array.of(1, 2, 3) },
      range(source.path, 0, largeBytes),
      range(data, 3 + 400, 4),
      range(data, 3 + 404, 0),
      range(data, 3 + 404, 1020),
      { kind: 'bytes', bytes: new Uint8Array(500_001) },
      range(source.path, 4096, 5 * (1 << 20)),
    ];
    const written = await write(folder, source, pieces);
    expect(isSame(written.bytes, assemble(weights, new Map([[data, shifted]]), pieces))).toBe(true);
    expect(written.half.map(([index]) => index)).toEqual([0, 2, 3, 4, 5, 7]);
    for (const [index, stats] of written.half) {
      const piece = pieces[index];
      if (piece?.kind !== 'range') throw new Error('not a range');
      const from = piece.range.path === data ? shifted : weights;
      const { offset, sizeBytes } = piece.range;
      expectStats(stats, roundTo(from.subarray(offset, offset + sizeBytes)).stats);
    }
  });

  it('writes what the pieces say, whatever they are', async () => {
    const folder = await tempFolder();
    const bytes = makeWeights(1 << 20);
    const source = await makeSource(folder, bytes, [
      [0, 3000],
      [200_000, 500_000],
    ]);
    const path = join(folder, 'weights.bin');
    const data = makeWeights(1 << 22, 9);
    await writeFile(path, data);
    const sizes = fc.oneof(fc.nat(50), fc.nat(8000), fc.nat(200_000), fc.nat(1 << 20));
    const cut = (total: number) =>
      fc.tuple(fc.nat(total), sizes).map(([start, size]) => [start, Math.min(total, start + size)] as const);
    const stretch = fc.oneof(
      cut(1 << 20).map(([start, end]) => ({ path: source.path, start, end })),
      cut(1 << 22).map(([start, end]) => ({ path, start, end })),
    );
    const anyPiece = fc.oneof(
      fc.uint8Array({ maxLength: 100 }).map((some): Piece => ({ kind: 'bytes', bytes: some })),
      cut(1 << 20).map(([start, end]): Piece => ({ kind: 'source', start, end })),
      fc.tuple(stretch, fc.boolean()).map(([{ path: of, start, end }, isHalf]): Piece => {
        const sizeBytes = isHalf ? (end - start) & ~3 : end - start;
        return {
          kind: 'range',
          range: { path: of, offset: start, sizeBytes },
          form: isHalf ? 'half' : 'stored',
        };
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyPiece, { maxLength: 60 }), async (pieces) => {
        const written = await write(folder, source, pieces);
        expect(isSame(written.bytes, assemble(bytes, new Map([[path, data]]), pieces))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('reads neighbours in a data file in one go, padding between them included', async () => {
    const folder = await tempFolder();
    const data = makeWeights(1000 * 256, 3);
    const path = join(folder, 'weights.bin');
    await writeFile(path, data);
    const source = await makeSource(folder, Uint8Array.of(0));
    const pieces = Array.from({ length: 1000 }, (_unused, index): Piece => {
      const range = { path, offset: index * 256, sizeBytes: 200 };
      return { kind: 'range', range, form: index % 3 === 0 ? 'stored' : 'half' };
    });
    const written = await write(folder, source, pieces);
    expect(isSame(written.bytes, assemble(data, new Map([[path, data]]), pieces))).toBe(true);
    expect(written.half).toHaveLength(666);
  });

  it('writes nothing for no pieces, and hashes only when asked', async () => {
    const folder = await tempFolder();
    const source = await makeSource(folder, Uint8Array.of(1, 2, 3));
    expect(await write(folder, source, [])).toMatchObject({ sizeBytes: 0, half: [] });
    const file = await open(join(folder, 'other'), 'w');
    const job = { source, signal: new AbortController().signal, hash: false };
    const quiet = { ...job, onBytes: () => undefined, onHalf: () => undefined };
    const pieces: Piece[] = [{ kind: 'source', start: 1, end: 3 }];
    const { flushed, ...written } = await writePieces(file, { pieces, sizeBytes: 2 }, quiet);
    await flushed;
    expect(written).toEqual({ sizeBytes: 2, sha256: undefined });
    await file.close();
    expect([...(await readFile(join(folder, 'other')))]).toEqual([2, 3]);
  });

  it('goes on after a write that took only a part', async () => {
    const folder = await tempFolder();
    const bytes = makeWeights(largeBytes);
    const source = await makeSource(folder, bytes);
    const shorten = (file: FileHandle) => (from: Uint8Array, at: number, length: number, position: number) =>
      file.write(from, at, Math.min(length, 300_001), position);
    const wrap = (file: FileHandle) => override(file, { write: shorten(file) });
    const pieces: Piece[] = [{ kind: 'source', start: 0, end: bytes.length }];
    expect(isSame((await write(folder, source, pieces, { wrap })).bytes, bytes)).toBe(true);
  });
});
