import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../lib/exclusive-lock.js';
import { makeFolder } from '../lib/make-folder.js';
import { OptimiseModelError } from '../messages/error.js';

const waitMs = 10;
const patienceMs = 5_000;

/**
 * Does something to a file while no other process that asks this way does; a lock that a killed process left is taken.
 *
 * @param path - The file; its folder is made if missing.
 * @param work - What to do; takes milliseconds.
 * @param signal - Stops the waiting.
 * @returns What `work` returned.
 * @throws `store-locked` when the lock was not free within 5 s; whatever `work` throws.
 */
export async function holdLock<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const lockPath = join(dirname(path), `.${basename(path)}.lock`);
  await makeFolder(dirname(path));
  const release = await waitForLock(lockPath, signal);
  try {
    return await work();
  } finally {
    await release();
  }
}

async function waitForLock(lockPath: string, signal: AbortSignal | undefined): Promise<() => Promise<void>> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const attempt = await takeLock(lockPath);
    if ('release' in attempt) return attempt.release;
    if (performance.now() > deadline) {
      const facts = { lockPath, pid: attempt.heldBy, waitedSeconds: patienceMs / 1000 };
      throw OptimiseModelError.of('store-locked', facts);
    }
    await sleep(waitMs, undefined, signal === undefined ? {} : { signal });
  }
}
