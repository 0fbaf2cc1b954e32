import { cleanUpMs } from './delay-stop.js';
import type { ModelPlace } from './model-place.js';
import { ageOf } from './read-releases.js';

/**
 * Finds the newest release that is newer than the current one, by their names: where there is one, somebody has rolled
 * back or promoted, or a publisher was killed before it moved `current.json`. Costs a request per 1,000 releases; that
 * it fails must not keep anybody from publishing.
 *
 * @param place - The model.
 * @param current - The current release.
 * @param signal - Stops the listing.
 * @returns Its name; null when the current one is the newest, or when that could not be seen.
 * @throws The signal's reason.
 */
export async function findNewer(
  { store, keys }: ModelPlace,
  current: string,
  signal: AbortSignal,
): Promise<string | null> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(cleanUpMs)]);
  const prefix = keys.releasesPrefix;
  const age = (release: string): string => ageOf({ release, record: null });
  let newest = current;
  try {
    for await (const { key } of store.list(prefix, patience)) {
      const release = key.slice(prefix.length, -'.json'.length);
      const isDocument = key.endsWith('.json') && !release.includes('/');
      if (isDocument && age(release) > age(newest)) newest = release;
    }
  } catch {
    signal.throwIfAborted();
    return null;
  }
  return newest === current ? null : newest;
}
