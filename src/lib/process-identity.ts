import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { hashBytes } from './sha256.js';

/** Which process did something; a bare process id is soon given to another one, and means nothing in another container. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Clock ticks from the machine's start to the process's; empty where there is no `/proc`. */
  readonly started: string;
  /** The running kernel and the process-id namespace in which `pid` counts. */
  readonly world: string;
};

/**
 * Says who a process is.
 *
 * @param pid - Its id; this process's own by default.
 * @returns Its identity.
 */
export function identifyProcess(pid: number = process.pid): ProcessIdentity {
  return { pid, started: readStat(pid)?.started ?? '', world: readWorld() };
}

/**
 * Looks for a process.
 *
 * @param identity - Which one.
 * @returns Whether it lives; `unknown` in another world, where it cannot be looked at.
 */
export function findProcess({ pid, started, world }: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (world !== readWorld()) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'dead';
  }
  const found = readStat(pid);
  // It answers, but /proc shows nothing of it: no such file system, or not to this user.
  if (found === undefined || started === '') return 'alive';
  return found.started === started && !isOver.test(found.state) ? 'alive' : 'dead';
}

/** A zombie that nobody reaps, or a process that is just going. */
const isOver = /[ZXx]/;

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html (fields 3 and 22) */
function readStat(pid: number): { readonly state: string; readonly started: string } | undefined {
  const text = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === '') return undefined;
  // The name in field 2 may hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

/** A digest, so that it can be part of a file's name. */
function readWorld(): string {
  const boot = quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) || hostname();
  return hashBytes(`${boot} ${quietly(() => readlinkSync('/proc/self/ns/pid'))}`).slice(0, 16);
}

function quietly(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
