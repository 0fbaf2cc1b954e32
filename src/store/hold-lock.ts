import { mkdir, open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OptimiseModelError } from '../messages/error.js';

const waitMs = 10;
const patienceMs = 5_000;

/**
 * Does something to a file while no other process that asks this way does.
 *
 * The lock is a file beside it that only one process can create. A lock left by a killed process is reported and not
 * taken over: a guess there could let two writers win.
 *
 * @param path - The file; its folder is made if missing.
 * @param work - What to do; takes milliseconds.
 * @param signal - Stops the waiting.
 * @returns What `work` returned.
 * @throws `store-locked` when the lock was not free within 5 s; whatever `work` throws.
 */
export async function holdLock<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const lockPath = join(dirname(path), `.${basename(path)}.lock`);
  await mkdir(dirname(path), { recursive: true });
  const deadline = performance.now() + patienceMs;
  while (!(await tryLock(lockPath))) {
    if (performance.now() > deadline) {
      throw OptimiseModelError.of('store-locked', { lockPath, ageSeconds: await ageSeconds(lockPath) });
    }
    await sleep(waitMs, undefined, signal === undefined ? {} : { signal });
  }
  try {
    return await work();
  } finally {
    await rm(lockPath, { force: true });
  }
}

async function tryLock(lockPath: string): Promise<boolean> {
  try {
    const file = await open(lockPath, 'wx');
    await file.close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function ageSeconds(lockPath: string): Promise<number> {
  const found = await stat(lockPath).catch(() => undefined);
  return found === undefined ? 0 : Math.round((Date.now() - found.mtimeMs) / 1000);
}
