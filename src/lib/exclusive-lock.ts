import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';

/** The process id of the living process that holds the lock, or a way to give back the lock that is now ours. */
export type LockAttempt = { readonly heldBy: number } | { readonly release: () => Promise<void> };

/** Who took a lock; a bare process id is soon given to another process, and means nothing in another container. */
type Holder = {
  readonly pid: number;
  /** Clock ticks from the machine's start to the process's. */
  readonly started: string;
  /** The running kernel and the process-id namespace in which `pid` counts. */
  readonly world: string;
};

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
      await writeFile(aside, JSON.stringify(describeProcess(process.pid)));
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

function parseHolder(content: string): Holder | undefined {
  try {
    const { pid, started, world } = JSON.parse(content) as Partial<Holder>;
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

async function isAlive(holder: Holder, path: string): Promise<boolean> {
  if (holder.world !== readWorld()) {
    const touched = await stat(path).catch(() => undefined);
    return touched !== undefined && Date.now() - touched.mtimeMs < silenceMs;
  }
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return describeProcess(holder.pid).started === holder.started;
}

function describeProcess(pid: number): Holder {
  return { pid, started: readStart(pid), world: readWorld() };
}

/** Empty where there is no `/proc`. @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html (field 22) */
function readStart(pid: number): string {
  const text = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name in field 2 may hold spaces and parentheses.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function readWorld(): string {
  const boot = quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  return `${boot} ${quietly(() => readlinkSync('/proc/self/ns/pid'))}`;
}

function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
