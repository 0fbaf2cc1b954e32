import { randomBytes } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess, identifyProcess } from './process-identity.js';

/** How long what a process of another container made is left alone: it cannot be seen whether that process lives. */
const patienceMs = 24 * 60 * 60 * 1000;

/** Twelve digits are what names had before they said whose they are. */
const marked = /^(?:(\d+)-(\d*)-([0-9a-f]{16})-[0-9a-f]{8}|[0-9a-f]{12})$/;

/** What surrounds the mark in a name that says which process made the file or folder. */
export type MarkedName = { readonly prefix: string; readonly suffix: string };

/**
 * Makes a name for something temporary from which anyone can tell later whether its maker still lives.
 *
 * @param name - What comes before and after the mark.
 * @returns A name that nobody else has.
 */
export function markName({ prefix, suffix }: MarkedName): string {
  const { pid, started, world } = identifyProcess();
  return `${prefix}${pid}-${started}-${world}-${randomBytes(4).toString('hex')}${suffix}`;
}

/**
 * Removes what processes that are gone have left behind: files and folders that {@link markName} named. What a process
 * of another container made, or an older version of this tool, goes once it is a day old.
 *
 * A folder that cannot be read, and what cannot be removed, is left: sweeping is no reason to fail.
 *
 * @param folder - Where they are; it need not exist.
 * @param name - What comes before and after the mark.
 */
export async function sweepMarked(folder: string, name: MarkedName): Promise<void> {
  const entries = await readdir(folder).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry);
    if (await isLeftBehind(path, entry, name)) {
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

async function isLeftBehind(path: string, entry: string, { prefix, suffix }: MarkedName): Promise<boolean> {
  if (!entry.startsWith(prefix) || !entry.endsWith(suffix)) return false;
  const state = findMaker(entry.slice(prefix.length, entry.length - suffix.length));
  if (state !== 'unknown') return state === 'dead';
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > patienceMs;
}

/**
 * Looks for the process that made a name.
 *
 * @param mark - What stands between the prefix and the suffix of the name.
 * @returns Whether it lives; `unknown` for one of another container, undefined when this is no mark.
 */
export function findMaker(mark: string): 'alive' | 'dead' | 'unknown' | undefined {
  const match = marked.exec(mark);
  if (match === null) return undefined;
  const [, pid, started = '', world = ''] = match;
  return pid === undefined ? 'unknown' : findProcess({ pid: Number(pid), started, world });
}
