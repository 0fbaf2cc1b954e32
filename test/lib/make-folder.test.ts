import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/lib/make-folder.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'make-'));
});

describe('making a folder', () => {
  it('makes those above it too, and leaves one that is there', async () => {
    const path = join(folder, 'a', 'b', 'c');
    await makeFolder(path);
    await makeFolder(path);
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('survives others who make the same folders at the same time', async () => {
    const path = join(folder, 'x', 'y', 'z');
    await Promise.all(Array.from({ length: 10 }, () => makeFolder(path)));
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('says that something else is there', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeFolder(join(folder, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.skipIf(process.platform !== 'linux')('ends on a file system that makes no folders', async () => {
    await expect(makeFolder('/proc/optimise-model/below')).rejects.toMatchObject({ syscall: 'mkdir' });
  });

  it('makes folders that have missing ones above them in common, at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const paths = ['a', 'b', 'a/c', 'a'].map((name) => join(folder, String(round), 'x', 'y', name));
      await Promise.all(paths.map((path) => makeFolder(path)));
    }
    expect((await readdir(join(folder, '19', 'x', 'y'), { recursive: true })).sort()).toEqual([
      'a',
      'a/c',
      'b',
    ]);
  });
});
