import { stat } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import type { WritableStore } from '../store/store.js';
import { objectUrl } from '../store/store-url.js';

/**
 * Refuses a model's name that nothing lies under, or a store whose folder does not exist: most often a slip of the
 * keyboard, which must not look like work that was done. Costs one request.
 *
 * @param store - The store.
 * @param name - The model's name in it; null for the whole store.
 * @param signal - Stops looking.
 * @throws `name-not-there`, the signal's reason.
 */
export async function refuseNothingThere(
  store: WritableStore,
  name: string | null,
  signal: AbortSignal,
): Promise<void> {
  const isThere = name === null ? await hasFolder(store) : await hasObject(store, name, signal);
  if (isThere) return;
  const currentUrl = objectUrl(store.url, `${name ?? 'NAME'}/current.json`.replace(/^\//, ''));
  throw OptimiseModelError.of('name-not-there', { storeUrl: store.url, name, currentUrl });
}

/** A bucket that does not exist says so itself. */
async function hasFolder({ url, endpoint }: WritableStore): Promise<boolean> {
  if (endpoint !== null) return true;
  return stat(url).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}

async function hasObject(store: WritableStore, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const _object of store.list(name === '' ? '' : `${name}/`, signal)) return true;
    return false;
  } catch {
    signal.throwIfAborted();
    // What cannot be listed may be there; what comes next says what is refused.
    return true;
  }
}
