import type { WorkContext } from '../lib/work-context.js';
import { findStagedPlace } from '../store/staged-layout.js';
import type { WritableStore } from '../store/store.js';

/**
 * Finds the models that a store holds, by their keys: the whole store is listed, a request per 1,000 objects on S3.
 *
 * @param store - The store.
 * @param context - Stops and watches the listing.
 * @returns Their names in order; an empty one when the store's root is a model's own folder.
 * @throws What the store says.
 */
export async function findNames(
  store: WritableStore,
  { signal, progress }: WorkContext,
): Promise<readonly string[]> {
  const names = new Set<string>();
  let done = 0;
  for await (const { key } of store.list('', signal)) {
    const found = findStagedPlace(key);
    // What lies deeper is in another store.
    if (found?.storeLength === 0) names.add(found.place.name);
    done += 1;
    if (done % 1000 === 0) progress({ label: 'list the store', done, unit: 'items' });
  }
  return [...names].sort();
}
