import { OptimiseModelError } from '../messages/error.js';
import type { WritableStore } from '../store/store.js';

/**
 * Lists what a store has of an artifact. One request instead of one for each file: most often there is nothing yet, or
 * what an interrupted stage had sent.
 *
 * @param store - The store.
 * @param prefix - Of the artifact's objects.
 * @param signal - Stops the request.
 * @returns Their keys.
 * @throws What the store says.
 */
export async function listPresent(
  store: WritableStore,
  prefix: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const { key } of store.list(prefix, signal)) keys.add(key);
  return keys;
}

/**
 * Looks once more for what was just staged. Pruning removes the record first and looks then whether anything is needed;
 * who stages writes the record and looks then: of two who work at the same time, one sees the other.
 *
 * @param store - The store.
 * @param prefix - Of the artifact's objects.
 * @param keys - What must be there.
 * @param signal - Stops the request.
 * @throws `staged-gone` naming what is not; what the store says.
 */
export async function refuseIfGone(
  store: WritableStore,
  prefix: string,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const present = await listPresent(store, prefix, signal);
  const gone = keys.filter((key) => !present.has(key));
  if (gone.length > 0) throw OptimiseModelError.of('staged-gone', { storeUrl: store.url, keys: gone });
}
