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
