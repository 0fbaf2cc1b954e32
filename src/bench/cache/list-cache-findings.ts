import { type Finding, makeFinding } from '../../messages/finding.js';
import { type CacheMode, cacheTitles } from './cache-state.js';
import type { PreparedCache } from './prepare-cache.js';

/**
 * Says why samples did not begin in the cache state that was asked for.
 *
 * @param mode - What was asked for.
 * @param prepared - What was had before each sample.
 * @returns One warning per file that would not go, and one per other reason.
 */
export function listCacheFindings(mode: CacheMode, prepared: readonly PreparedCache[]): Finding[] {
  const stuck = new Map(prepared.flatMap((each) => each.stuck).map((file) => [file.path, file]));
  const others = [...new Set(prepared.map(({ state }) => state).filter((state) => state !== 'dropped'))];
  // In memory there is nothing to be dropped, and a file that stays tells its own story.
  const refused = others.find((state) => state === 'evicted' || state === 'unknown');
  return [
    ...[...stuck.values()].map((file) => makeFinding('warning', 'bench-eviction-refused', file)),
    ...(mode === 'drop' && refused !== undefined
      ? [makeFinding('warning', 'bench-drop-refused', { title: cacheTitles[refused] })]
      : []),
    ...(others.includes('unknown')
      ? [makeFinding('warning', 'bench-residency-unknown', { title: cacheTitles.unknown })]
      : []),
  ];
}
