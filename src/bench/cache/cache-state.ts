export { type CacheState, cacheStates, cacheTitles } from '../../lib/cache-state.js';

/** What is done to the page cache before each sample: evict the files it reads, drop everything, or read them. */
export const cacheModes = ['evict', 'drop', 'warm'] as const;
/** One of {@link cacheModes}. */
export type CacheMode = (typeof cacheModes)[number];
