import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

/** The process id of the living process that holds the lock, or a way to give back the lock that is now ours. */
export type LockAttempt = { readonly heldBy: number } | { readonly release: () => Promise<void> };

/**
 * Takes a lock file, also one that a process left behind when it died.
 *
 * The file appears with its content in one step (a hard link), so that nobody ever reads a lock without a holder. A
 * dead holder's file is moved away, which only one process can do, and looked at again before it is thrown away.
 *
 * @param path - The lock file; its folder exists.
 * @returns What came of it.
 */
export async function takeLock(path: string): Promise<LockAttempt> {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    for (;;) {
      await writeFile(aside, String(process.pid));
      if (await claim(aside, path)) return { release: () => rm(path, { force: true }) };
      const holder = await readHolder(path);
      if (holder === undefined) continue;
      if (isAlive(holder)) return { heldBy: holder };
      await clearAway(path, holder, aside);
    }
  } finally {
    await rm(aside, { force: true });
  }
}

async function claim(aside: string, path: string): Promise<boolean> {
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(path: string): Promise<number | undefined> {
  try {
    return Number(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function clearAway(path: string, deadHolder: number, aside: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // Between our look and our move another process may have taken the lock: then it gets it back.
  if (!Object.is(await readHolder(aside), deadHolder)) await claim(aside, path);
  // The name only: the file may be the other process's lock again, and must not be written to.
  await rm(aside, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
