import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type StreamedPieces, type StreamJob, writePieces } from '../../src/convert/stream-pieces.js';
import type { HalfStats } from '../../src/half/half-stats.js';
import { type Piece, pieceBytes } from '../../src/onnx/piece.js';
import type { SourceBytes } from '../../src/onnx/source-bytes.js';

/** More than several blocks. */
export const largeBytes = 9 * (1 << 20) + 4;

/** What was written, and what was said about it. */
export type Written = StreamedPieces & {
  readonly bytes: Uint8Array;
  /** Index of each piece that was rounded, and what that did. */
  readonly half: readonly (readonly [number, HalfStats])[];
  readonly progress: readonly number[];
};

/** Bytes that look like weights when they are read as FP32 from any multiple of 4 on. */
export function makeWeights(sizeBytes: number, seed = 1): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(sizeBytes / 4)).map(
    (_unused, index) => (Math.imul(index + seed, 0x9e37_79b1) & 0x8fff_ffff) | 0x3000_0000,
  );
  return new Uint8Array(words.buffer, 0, sizeBytes);
}

/** Writes a file and reads it as a model is read: with the given parts of it in memory. */
export async function makeSource(
  folder: string,
  bytes: Uint8Array,
  inMemory: readonly (readonly [number, number])[] = [],
): Promise<SourceBytes> {
  const path = join(folder, 'source.onnx');
  await writeFile(path, bytes);
  const { mtimeNs } = await stat(path, { bigint: true });
  const runs = inMemory.map(([start, end]) => ({ start, bytes: bytes.slice(start, end) }));
  return { path, sizeBytes: bytes.length, modifiedNs: mtimeNs, runs, holes: [] };
}

/** Parts of the job, and what is put in front of the target. */
type Options = Partial<StreamJob> & { readonly wrap?: (file: FileHandle) => FileHandle };

/** Writes pieces into a file of the folder, and checks what is said about it. */
export async function write(
  folder: string,
  source: SourceBytes,
  pieces: readonly Piece[],
  { wrap = (file) => file, ...job }: Options = {},
): Promise<Written> {
  const target = join(folder, 'target');
  const half: [number, HalfStats][] = [];
  const progress: number[] = [];
  const file = await open(target, 'w');
  try {
    const rope = { pieces, sizeBytes: pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0) };
    const written = await writePieces(wrap(file), rope, {
      source,
      signal: new AbortController().signal,
      hash: true,
      onBytes: (sizeBytes) => progress.push(sizeBytes),
      onHalf: (piece, stats) => half.push([pieces.indexOf(piece), stats]),
      ...job,
    });
    await written.flushed;
    const bytes = await readFile(target);
    expect(written.sizeBytes).toBe(rope.sizeBytes);
    expect(written.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(progress.reduce((sum, sizeBytes) => sum + sizeBytes, 0)).toBe(rope.sizeBytes);
    return { ...written, bytes, half, progress };
  } finally {
    await file.close();
  }
}

/** A handle of which some methods are replaced. */
export function override(file: FileHandle, methods: Readonly<Record<string, unknown>>): FileHandle {
  return new Proxy(file, {
    get: (real, name) => {
      if (typeof name === 'string' && name in methods) return methods[name];
      const value: unknown = Reflect.get(real, name, real);
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
}
