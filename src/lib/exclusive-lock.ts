import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { findProcess, identifyProcess, type ProcessIdentity } from './process-identity.js';

/** The process id of the living process that holds the lock, or a way to give back the lock that is now ours. */
export type LockAttempt = { readonly heldBy: number } | { readonly release: () => Promise<void> };

/** How often a holder shows that it lives, and how long one of another world is believed without, milliseconds. */
const beatMs = 5_000;
const silenceMs = 30_000;

/**
 * Takes a lock file, also one that a process left behind when it died.
 *
 * The file appears with its content in one step (a hard link), so that nobody ever reads a lock without a holder. A
 * dead holder's file is moved away, which only one process can do, and looked at again before it is thrown away. A
 * holder in another container, whose process cannot be looked at, counts as dead once its file has not been touched for
 * half a minute.
 *
 * @param path - The lock file; its folder exists.
 * @returns What came of it.
 */
export async function takeLock(path: string): Promise<LockAttempt> {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    for (;;) {
      await writeFile(aside, JSON.stringify(identifyProcess()));
      if (await claim(aside, path)) return { release: keepAlive(path) };
      const content = await readContent(path);
      if (content === undefined) continue;
      const holder = parseHolder(content);
      if (holder !== undefined && (await isAlive(holder, path))) return { heldBy: holder.pid };
      await clearAway(path, content, aside);
    }
  } finally {
    await rm(aside, { force: true });
  }
}

function keepAlive(path: string): () => Promise<void> {
  const touch = () => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  };
  const timer = setInterval(touch, beatMs).unref();
  return async () => {
    clearInterval(timer);
    await rm(path, { force: true });
  };
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

async function readContent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseHolder(content: string): ProcessIdentity | undefined {
  try {
    const { pid, started, world } = JSON.parse(content) as Partial<ProcessIdentity>;
    if (!Number.isSafeInteger(pid) || pid === undefined || pid <= 0) return undefined;
    return { pid, started: String(started), world: String(world) };
  } catch {
    return undefined;
  }
}

async function clearAway(path: string, deadContent: string, aside: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // Between our look and our move another process may have taken the lock: then it gets it back.
  if ((await readContent(aside)) !== deadContent) await claim(aside, path);
  // The name only: the file may be the other process's lock again, and must not be written to.
  await rm(aside, { force: true });
}

async function isAlive(holder: ProcessIdentity, path: string): Promise<boolean> {
  const state = findProcess(holder);
  if (state !== 'unknown') return state === 'alive';
  const touched = await stat(path).catch(() => undefined);
  return touched !== undefined && Date.now() - touched.mtimeMs < silenceMs;
}
