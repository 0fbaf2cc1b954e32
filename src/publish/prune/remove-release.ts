import type { ModelPlace } from '../model-place.js';
import { readCurrent } from '../read-current.js';
import { readIfThere } from '../read-document.js';
import type { FoundRelease } from '../read-releases.js';
import { putBack } from './put-back.js';

/**
 * Removes a release document that is older than those that are kept. Somebody may be making it current: `current.json`
 * is read right before and right after, and the document is put back when it is named then. Whoever moves
 * `current.json` looks afterwards whether the document is still there; see `keepReleaseThere`.
 *
 * @param place - The model.
 * @param found - The release.
 * @param signal - Stops before the document is touched.
 * @returns Why it was kept; null when it is gone.
 * @throws `prune-not-restored`, what the store says.
 */
export async function removeRelease(
  place: ModelPlace,
  { release, key, etag }: FoundRelease,
  signal: AbortSignal,
): Promise<string | null> {
  signal.throwIfAborted();
  // From here on a stop could leave current.json without its release.
  const calm = new AbortController().signal;
  const isCurrent = async (): Promise<boolean> =>
    (await readCurrent(place, calm))?.record.release === release;
  const document = await readIfThere(place.store, key, calm);
  if (document === undefined) return null;
  if (document.etag !== etag) return 'it was written again';
  if (await isCurrent()) return 'it is current now';
  await place.store.remove(key, calm);
  let failure: unknown;
  try {
    if (!(await isCurrent())) return null;
  } catch (error) {
    failure = error;
  }
  failure = await putBack(place, key, document.bytes, failure);
  if (failure !== undefined) throw failure;
  return 'it is current now';
}
