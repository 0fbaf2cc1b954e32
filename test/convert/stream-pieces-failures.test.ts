import { type FileHandle, readdir, readlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Piece } from '../../src/onnx/piece.js';
import { catchError } from '../fixtures/catch-error.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { largeBytes, makeSource, makeWeights, override, write } from './streamed-rope.js';

const tempFolder = useTempFolder();

describe('writePieces when something is wrong', () => {
  /** Counts what the handle was asked to do and has not done yet. */
  function watch(): { readonly wrap: (file: FileHandle) => FileHandle; readonly pending: () => number } {
    let pending = 0;
    // Each takes a while, so that there is something to wait for.
    const count = async <T>(work: Promise<T>): Promise<T> => {
      pending += 1;
      await delay(20);
      return work.finally(() => {
        pending -= 1;
      });
    };
    const wrap = (file: FileHandle): FileHandle =>
      override(file, {
        write: (from: Uint8Array, at: number, length: number, position: number) =>
          count(file.write(from, at, length, position)),
        datasync: () => count(file.datasync()),
      });
    return { wrap, pending: () => pending };
  }

  it('stops between blocks when asked, with nothing under way', async () => {
    const folder = await tempFolder();
    const source = await makeSource(folder, makeWeights(largeBytes));
    const pieces = Array.from({ length: 8 }, (): Piece => ({ kind: 'source', start: 0, end: largeBytes }));
    const controller = new AbortController();
    let seen = 0;
    const { wrap, pending } = watch();
    const onBytes = (sizeBytes: number): void => {
      seen += sizeBytes;
      if (seen > 40 << 20) controller.abort();
    };
    const stopped = write(folder, source, pieces, { signal: controller.signal, onBytes, wrap });
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
    expect(pending()).toBe(0);
    expect(seen).toBeLessThan(46 << 20);
  });

  it.each(['shorter', 'longer', 'touched'])(
    'refuses a model that is %s than when it was read',
    async (how) => {
      const folder = await tempFolder();
      const source = await makeSource(folder, makeWeights(100_000));
      if (how === 'shorter') await truncate(source.path, 99_999);
      if (how === 'longer') await writeFile(source.path, 'x', { flag: 'a' });
      await utimes(source.path, 1, 1);
      const error = await catchError(() => write(folder, source, [{ kind: 'source', start: 0, end: 10 }]));
      expect(error).toMatchObject({ code: 'model-changed', facts: { path: source.path } });
    },
  );

  it('refuses a data file that is too short', async () => {
    const folder = await tempFolder();
    const source = await makeSource(folder, Uint8Array.of(0));
    const path = join(folder, 'weights.bin');
    await writeFile(path, makeWeights(largeBytes));
    const range = { path, offset: 4, sizeBytes: largeBytes };
    const { wrap, pending } = watch();
    const pieces: Piece[] = [{ kind: 'range', range, form: 'half' }];
    const error = await catchError(() => write(folder, source, pieces, { wrap }));
    expect(error).toMatchObject({ code: 'model-changed', facts: { path } });
    expect(error.message).toContain(path);
    expect(pending()).toBe(0);
  });

  it.each([
    ['shrinks', (path: string) => truncate(path, largeBytes - 4)],
    ['grows', (path: string) => writeFile(path, 'x', { flag: 'a' })],
  ])('refuses a data file that %s while it is read', async (_how, change) => {
    const folder = await tempFolder();
    const source = await makeSource(folder, Uint8Array.of(0));
    const path = join(folder, 'weights.bin');
    await writeFile(path, makeWeights(largeBytes));
    let changing: Promise<void> | undefined;
    const onBytes = (): void => {
      changing ??= change(path);
    };
    const range = { path, offset: 0, sizeBytes: largeBytes };
    const pieces: Piece[] = [
      { kind: 'range', range, form: 'half' },
      { kind: 'range', range, form: 'stored' },
    ];
    const error = await catchError(() => write(folder, source, pieces, { onBytes }));
    await changing;
    expect(error).toMatchObject({ code: 'model-changed', facts: { path } });
  });

  it.skipIf(process.platform !== 'linux')('closes what it opened, whether it ends well or not', async () => {
    const folder = await tempFolder();
    const source = await makeSource(folder, makeWeights(100_000));
    const range = { path: join(folder, 'weights.bin'), offset: 0, sizeBytes: 40_000 };
    await writeFile(range.path, makeWeights(40_000));
    const pieces: Piece[] = [
      { kind: 'source', start: 0, end: 100_000 },
      { kind: 'range', range, form: 'half' },
    ];
    const listOpen = async (): Promise<readonly string[]> => {
      const numbers = await readdir('/proc/self/fd');
      const paths = numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => ''));
      return (await Promise.all(paths)).filter((path) => path.startsWith(folder));
    };
    await write(folder, source, pieces);
    expect(await listOpen()).toEqual([]);
    await truncate(range.path, 10);
    await catchError(() => write(folder, source, pieces));
    await truncate(source.path, 10);
    await catchError(() => write(folder, source, pieces));
    expect(await listOpen()).toEqual([]);
  });

  it('passes on that a data file is missing, and that the target refuses', async () => {
    const folder = await tempFolder();
    const source = await makeSource(folder, makeWeights(largeBytes));
    const range = { path: join(folder, 'none.bin'), offset: 0, sizeBytes: 8 };
    await expect(write(folder, source, [{ kind: 'range', range, form: 'half' }])).rejects.toMatchObject({
      code: 'ENOENT',
    });
    const refuse = (name: string) => (file: FileHandle) =>
      override(file, { [name]: () => Promise.reject(new Error(`no ${name}`)) });
    const pieces = Array.from({ length: 8 }, (): Piece => ({ kind: 'source', start: 0, end: largeBytes }));
    const few = pieces.slice(0, 1).map((piece) => ({ ...piece, end: 100 }));
    for (const some of [pieces, few]) {
      await expect(write(folder, source, some, { wrap: refuse('write') })).rejects.toThrow('no write');
    }
    await expect(write(folder, source, pieces, { wrap: refuse('datasync') })).rejects.toThrow('no datasync');
  });
});
