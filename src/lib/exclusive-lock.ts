import { randomBytes } from 'node:crypto';
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess, identifyProcess, type ProcessIdentity } from './process-identity.js';

/** The process id of the living process that holds the lock, or a way to give back the lock that is now ours. */
export type LockAttempt = { readonly heldBy: number } | { readonly release: () => Promise<void> };

/** How often a holder shows that it lives, and how long one of another world is believed without, milliseconds. */
const beatMs = 5_000;
const silenceMs = 30_000;
/** How long one waits for another who clears a dead lock away, and after how long that one counts as dead too. */
const patienceMs = 5;
const clearingMs = 10_000;

/**
 * Takes a lock file, also one that a process left behind when it died.
 *
 * The file appears with its content in one step (a hard link), so that nobody ever reads a lock without a holder. A
 * dead holder's file is removed only under a second lock, and only while it is still that file, so that no living holder
 * loses its own. A holder in another container, whose process cannot be looked at, counts as dead once its file has not been touched for
 * half a minute.
 *
 * @param path - The lock file; its folder exists.
 * @returns What came of it.
 */
export async function takeLock(path: string): Promise<LockAttempt> {
  const nonce = randomBytes(8).toString('hex');
  const aside = `${path}.${process.pid}.${nonce}`;
  const ours = JSON.stringify({ ...identifyProcess(), nonce });
  try {
    await writeFile(aside, ours);
    for (;;) {
      if (await claim(aside, path)) return { release: keepAlive(path, ours) };
      const content = await readContent(path);
      if (content === undefined) continue;
      const holder = parseHolder(content);
      if (holder !== undefined && (await isAlive(holder, path))) return { heldBy: holder.pid };
      if (!(await clearAway(path, content, aside))) await sleep(patienceMs);
    }
  } finally {
    await rm(aside, { force: true });
  }
}

function keepAlive(path: string, ours: string): () => Promise<void> {
  const touch = () => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  };
  const timer = setInterval(touch, beatMs).unref();
  return async () => {
    clearInterval(timer);
    // Whoever was silent for too long may have lost it to another.
    if ((await readContent(path)) === ours) await rm(path, { force: true });
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

/** Whether there is reason to try again at once; false while another process is clearing away. */
async function clearAway(path: string, deadContent: string, aside: string): Promise<boolean> {
  const clearing = `${path}.clear`;
  if (!(await claim(aside, clearing))) {
    const begun = await stat(clearing).catch(() => undefined);
    // Clearing away takes a few system calls: who takes this long has died over it.
    if (begun !== undefined && Date.now() - begun.ctimeMs > clearingMs) await rm(clearing, { force: true });
    return false;
  }
  try {
    if ((await readContent(path)) === deadContent) await rm(path, { force: true });
    return true;
  } finally {
    await rm(clearing, { force: true });
  }
}

async function isAlive(holder: ProcessIdentity, path: string): Promise<boolean> {
  const state = findProcess(holder);
  if (state !== 'unknown') return state === 'alive';
  const touched = await stat(path).catch(() => undefined);
  return touched !== undefined && Date.now() - touched.mtimeMs < silenceMs;
}
