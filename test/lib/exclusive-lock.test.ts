import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../src/lib/exclusive-lock.js';

const deadPid = 4_194_303;
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  path = join(folder, 'run.lock');
});

describe('an exclusive lock', () => {
  it('is held until it is given back, and names its holder', async () => {
    const first = await takeLock(path);
    expect(await takeLock(path)).toEqual({ heldBy: process.pid });
    if ('release' in first) await first.release();
    expect(await takeLock(path)).toHaveProperty('release');
  });

  it.each([String(deadPid), '', 'not a number'])(
    'is taken over from a holder that is gone: %j',
    async (content) => {
      await writeFile(path, content);
      expect(await takeLock(path)).toHaveProperty('release');
    },
  );

  it('is taken by exactly one of many who find it left behind', async () => {
    await writeFile(path, String(deadPid));
    const attempts = await Promise.all(Array.from({ length: 20 }, () => takeLock(path)));
    expect(attempts.filter((attempt) => 'release' in attempt)).toHaveLength(1);
  });

  it('leaves nothing beside itself', async () => {
    await writeFile(path, String(deadPid));
    const lock = await takeLock(path);
    await takeLock(path);
    if ('release' in lock) await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });
});
