import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { estimateZippedBytes, planSamples } from '../../src/check/estimate-zip.js';

const mebibyte = 1024 ** 2;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zip-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function estimate(bytes: Uint8Array): Promise<number> {
  const sourcePath = join(folder, 'file');
  await writeFile(sourcePath, bytes);
  const file = { path: 'file', sizeBytes: bytes.byteLength, sourcePath };
  return estimateZippedBytes(file, new AbortController().signal);
}

describe('the zip estimate', () => {
  test('is exact for a small file: its deflate and the two headers', async () => {
    const bytes = Buffer.from('cold start '.repeat(1000));
    expect(await estimate(bytes)).toBe(deflateRawSync(bytes, { level: 6 }).byteLength + 76 + 8);
  });

  test('takes incompressible bytes for what they are', async () => {
    const bytes = randomBytes(8 * mebibyte);
    expect(await estimate(bytes)).toBe(8 * mebibyte + 84);
  });

  test('comes within 2 % for a file that is half noise and half zeros, from samples of a fifth of it', async () => {
    const bytes = Buffer.alloc(20 * mebibyte);
    for (let offset = 0; offset < bytes.length; offset += 2048) randomBytes(1024).copy(bytes, offset);
    const real = deflateRawSync(bytes, { level: 6 }).byteLength;
    expect(Math.abs((await estimate(bytes)) / real - 1)).toBeLessThan(0.02);
  });

  test('gives an empty file its headers', async () => {
    expect(await estimate(new Uint8Array())).toBe(84);
  });

  test('stops when it is told to', async () => {
    const sourcePath = join(folder, 'file');
    await writeFile(sourcePath, 'abc');
    const stopped = AbortSignal.abort(new Error('stop'));
    await expect(estimateZippedBytes({ path: 'file', sizeBytes: 3, sourcePath }, stopped)).rejects.toThrow(
      'stop',
    );
  });

  test('names a file that cannot be read', async () => {
    const file = { path: 'gone', sizeBytes: 3, sourcePath: join(folder, 'gone') };
    await expect(estimateZippedBytes(file, new AbortController().signal)).rejects.toMatchObject({
      code: 'file-system-refused',
      facts: { operation: 'read' },
    });
  });
});

test('samples stay inside the file, do not overlap, and reach both ends', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (sizeBytes) => {
      const samples = planSamples(sizeBytes);
      let endBefore = 0;
      for (const { offset, length } of samples) {
        expect(offset).toBeGreaterThanOrEqual(endBefore);
        endBefore = offset + length;
      }
      expect(samples[0]?.offset).toBe(0);
      expect(endBefore).toBe(sizeBytes);
    }),
  );
});
