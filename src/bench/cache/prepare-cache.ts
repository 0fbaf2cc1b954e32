import { setTimeout as pause } from 'node:timers/promises';
import { isInMemory } from '../../lib/in-memory.js';
import { countResidentPages, dropCaches, evictFile, type Residency } from '../../native/page-cache.js';
import type { CacheMode, CacheState } from './cache-state.js';
import { findMappers, type Mapper } from './find-mappers.js';
import { warmFiles, warmScripts } from './warm-files.js';

/** The files on this machine that a sample reads. What it downloads is none of them: it is written, and warm, as on Lambda. */
export type CacheFiles = {
  /** At least one. Put into the state that is asked for: the runtime, and of `layer` and of a local `mount` the artifact. */
  readonly cold: readonly string[];
  /** Read before each sample but one after a full drop: the tool's own JavaScript. */
  readonly warm: readonly string[];
  /** Read before each sample, also after a full drop: what a server on this machine reads for it, at no cost to the link. */
  readonly served: readonly string[];
};

/** A file whose pages stayed in memory although they were asked to go. */
type StuckFile = {
  readonly path: string;
  readonly residentPages: number;
  readonly totalPages: number;
  /** Processes that keep it there, as far as they can be seen. */
  readonly mappers: readonly Mapper[];
};

/** What the page cache holds now, and why it may not be what was asked for. */
export type PreparedCache = { readonly state: CacheState; readonly stuck: readonly StuckFile[] };

/** How the page cache is spoken to; a test puts its own in. */
export type CacheControl = {
  readonly evictFile: (path: string) => Promise<boolean>;
  readonly countResidentPages: (path: string) => Promise<Residency | null>;
  readonly dropCaches: () => Promise<boolean>;
};

const kernel: CacheControl = { evictFile, countResidentPages, dropCaches };

/** Pages that are on their way somewhere stay at the first request. */
const evictions = 3;
const betweenEvictionsMs = 20;

/**
 * Puts the page cache into the state in which the next sample is to begin, and says which one it is in: by what was
 * verified, never by what was asked for. A cold state holds only until somebody reads the files; this process must map
 * none of them, as what it maps stays.
 *
 * @param mode - What is wanted.
 * @param files - The files that the sample reads.
 * @param signal - Stops between files.
 * @param control - How the cache is spoken to.
 * @returns The state, and the files that would not go.
 * @throws The signal's reason; the file system's error for a file that cannot be read.
 */
export async function prepareCache(
  mode: CacheMode,
  files: CacheFiles,
  signal: AbortSignal,
  control: CacheControl = kernel,
): Promise<PreparedCache> {
  if (await isAnyInMemory(files.cold)) return { ...(await warm(files, signal, [])), state: 'memory' };
  if (mode === 'warm') return warm(files, signal, []);
  const isDropped = mode === 'drop' && (await control.dropCaches());
  if (!isDropped) await warmScripts(files.warm, signal);
  await warmFiles(files.served, signal);
  const { isKnown, stuck } = await evictAll(files.cold, signal, control);
  if (stuck.length > 0) return warm(files, signal, stuck);
  if (isDropped) return { state: 'dropped', stuck };
  return { state: isKnown ? 'evicted' : 'unknown', stuck };
}

async function warm(
  files: CacheFiles,
  signal: AbortSignal,
  stuck: readonly StuckFile[],
): Promise<PreparedCache> {
  await warmScripts(files.warm, signal);
  await warmFiles([...files.served, ...files.cold], signal);
  return { state: 'warm', stuck };
}

async function isAnyInMemory(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await isInMemory(path)) return true;
  return false;
}

async function evictAll(
  paths: readonly string[],
  signal: AbortSignal,
  control: CacheControl,
): Promise<{ readonly isKnown: boolean; readonly stuck: readonly StuckFile[] }> {
  let isKnown = true;
  const stuck: StuckFile[] = [];
  for (const path of paths) {
    signal.throwIfAborted();
    const left = await evict(path, control);
    if (left === null) isKnown = false;
    else if (left.resident > 0) stuck.push(await describeStuck(path, left));
  }
  return { isKnown, stuck };
}

async function describeStuck(path: string, { resident, total }: Residency): Promise<StuckFile> {
  return { path, residentPages: resident, totalPages: total, mappers: await findMappers(path) };
}

/** What stayed; null where that cannot be known. */
async function evict(path: string, control: CacheControl): Promise<Residency | null> {
  for (let turn = 1; ; turn += 1) {
    await control.evictFile(path);
    const left = await control.countResidentPages(path);
    if (left === null || left.resident === 0 || turn === evictions) return left;
    await pause(betweenEvictionsMs);
  }
}
