import { statfs } from 'node:fs/promises';

/**
 * What the page cache held when a sample began: `warm` its files were read just before; `memory` they lie on a file
 * system that is memory, so that no cold state exists; `evicted` evicted and verified; `dropped` all caches dropped;
 * `unknown` cannot be told.
 */
export type CacheState = 'dropped' | 'evicted' | 'warm' | 'unknown' | 'memory';

/** How a measurement in each state may be called; "cold start" without a word more only after a full drop. */
export const cacheTitles: Readonly<Record<CacheState, string>> = {
  dropped: 'cold start',
  evicted: 'cold start, files evicted',
  warm: 'process start, files cached',
  unknown: 'cache state unknown',
  memory: 'process start, files cached',
};

/** `tmpfs` and `ramfs`. @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const memoryFileSystems: readonly number[] = [0x01021994, 0x858458f6];

/**
 * Tells whether a folder is on a file system that is memory, where writing and reading cost no disk.
 *
 * @param folder - An existing folder.
 * @returns True for tmpfs and ramfs.
 */
export async function isInMemory(folder: string): Promise<boolean> {
  const { type } = await statfs(folder);
  return memoryFileSystems.includes(type);
}
