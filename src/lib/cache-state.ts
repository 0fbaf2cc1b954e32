/**
 * What the page cache held when a sample began: `dropped` all caches dropped; `evicted` its files evicted and verified;
 * `warm` they were read just before, or could not be evicted; `memory` they lie on a file system that is memory, so that
 * no cold state exists; `unknown` residency cannot be read.
 */
export const cacheStates = ['dropped', 'evicted', 'warm', 'unknown', 'memory'] as const;
/** One of {@link cacheStates}. */
export type CacheState = (typeof cacheStates)[number];

/** How a measurement in each state may be called; "cold start" without a word more only after a full drop. */
export const cacheTitles: Readonly<Record<CacheState, string>> = {
  dropped: 'cold start',
  evicted: 'cold start, files evicted',
  warm: 'process start, files cached',
  unknown: 'cache state unknown',
  memory: 'process start, files cached',
};

/** What is done to the page cache before each sample: evict the files it reads, drop everything, or read them. */
export const cacheModes = ['evict', 'drop', 'warm'] as const;
/** One of {@link cacheModes}. */
export type CacheMode = (typeof cacheModes)[number];
