import { open, readFile, rm } from 'node:fs/promises';

/** Who holds a lock: the process id, or undefined when the lock was free and is now ours. */
export type LockAttempt = { readonly heldBy: number } | { readonly release: () => Promise<void> };

/**
 * Takes a lock file, also from a process that died without giving it back.
 *
 * @param path - The lock file; its folder exists.
 * @returns A way to give the lock back, or the process id of the living process that holds it.
 */
export async function takeLock(path: string): Promise<LockAttempt> {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return { release: () => rm(path, { force: true }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  if (holder > 0 && isAlive(holder)) return { heldBy: holder };
  await rm(path, { force: true });
  return takeLock(path);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
