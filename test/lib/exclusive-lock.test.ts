import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../src/lib/exclusive-lock.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  path = join(folder, 'run.lock');
});

/** A lock as this process writes it, with something changed. */
async function leaveLock(change: Record<string, unknown>): Promise<void> {
  const lock = await takeLock(path);
  const holder = JSON.parse(await readFile(path, 'utf8'));
  if ('release' in lock) await lock.release();
  await writeFile(path, JSON.stringify({ ...holder, ...change }));
}

describe('an exclusive lock', () => {
  it('is held until it is given back, and names its holder', async () => {
    const first = await takeLock(path);
    expect(await takeLock(path)).toEqual({ heldBy: process.pid });
    if ('release' in first) await first.release();
    expect(await takeLock(path)).toHaveProperty('release');
  });

  it.each(['', 'not a number', '{"pid":'])(
    'is taken over when nobody can be read from it: %j',
    async (content) => {
      await writeFile(path, content);
      expect(await takeLock(path)).toHaveProperty('release');
    },
  );

  it('is taken over from a process that is gone', async () => {
    await leaveLock({ pid: 4_194_303 });
    expect(await takeLock(path)).toHaveProperty('release');
  });

  it('is taken over when its process id now belongs to a process that started later', async () => {
    await leaveLock({ started: '1' });
    expect(await takeLock(path)).toHaveProperty('release');
  });

  it('is believed to be held in another container for half a minute after its last sign of life', async () => {
    await leaveLock({ pid: 1, world: 'another' });
    expect(await takeLock(path)).toEqual({ heldBy: 1 });
    const before = new Date(Date.now() - 31_000);
    await utimes(path, before, before);
    expect(await takeLock(path)).toHaveProperty('release');
  });

  it('is taken by exactly one of many who find it left behind', async () => {
    await leaveLock({ pid: 4_194_303 });
    const attempts = await Promise.all(Array.from({ length: 20 }, () => takeLock(path)));
    expect(attempts.filter((attempt) => 'release' in attempt)).toHaveLength(1);
  });

  it('is never held by two at once while many take it over, work and die', async () => {
    let holders = 0;
    let most = 0;
    const contend = async (seed: number) => {
      for (let round = 0; round < 40; round += 1) {
        const lock = await takeLock(path);
        if (!('release' in lock)) {
          await new Promise((settle) => setTimeout(settle, (seed + round) % 3));
          continue;
        }
        holders += 1;
        most = Math.max(most, holders);
        await new Promise((settle) => setImmediate(settle));
        holders -= 1;
        const isDying = (seed + round) % 4 === 0;
        if (isDying) await writeFile(path, `dead ${seed} ${round}`);
        else await lock.release();
      }
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map(contend));
    expect(most).toBe(1);
  });

  it('is taken over from a process that nobody has reaped yet', async () => {
    const child = spawn('sh', ['-c', 'sleep 0 & exec sleep 30']);
    await new Promise((settle) => setTimeout(settle, 200));
    const zombie = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').catch(() => ''))
      .trim()
      .split(' ')[0];
    const stat = await readFile(`/proc/${zombie}/stat`, 'utf8').catch(() => '');
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    if (zombie) {
      await leaveLock({ pid: Number(zombie), started });
      expect(await takeLock(path)).toHaveProperty('release');
    }
    child.kill('SIGKILL');
  });

  it('leaves nothing beside itself', async () => {
    await leaveLock({ pid: 4_194_303 });
    const lock = await takeLock(path);
    await takeLock(path);
    if ('release' in lock) await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });
});
