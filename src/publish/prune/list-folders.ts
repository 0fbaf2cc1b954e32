import { findStagedPlace } from '../../store/staged-layout.js';
import type { StoredObject } from '../../store/store.js';
import type { ModelPlace } from '../model-place.js';
import type { ObjectFolder } from './plan-prune.js';

/**
 * Lists the artifacts' folders of a model; what is not in the staged layout is none of ours.
 *
 * @param place - The model.
 * @param signal - Stops the listing.
 * @param onProgress - Told how many objects there are so far.
 * @returns The folders, in the order of their digests.
 * @throws What the store says.
 */
export async function listFolders(
  { store, name, keys }: ModelPlace,
  signal: AbortSignal,
  onProgress: (objects: number) => void,
): Promise<readonly ObjectFolder[]> {
  const folders = new Map<string, StoredObject[]>();
  let count = 0;
  for await (const object of store.list(keys.objectsPrefix, signal)) {
    const found = findStagedPlace(object.key);
    if (found?.place.kind !== 'object' || found.storeLength !== 0 || found.place.name !== name) continue;
    const objects = folders.get(found.place.digest) ?? [];
    folders.set(found.place.digest, [...objects, object]);
    count += 1;
    if (count % 1000 === 0) onProgress(count);
  }
  return [...folders].map(([digest, objects]) => ({ digest, objects }));
}

/**
 * Lists one folder.
 *
 * @param place - The model.
 * @param digest - The artifact.
 * @param signal - Stops the listing.
 * @returns Its objects.
 * @throws What the store says.
 */
export async function listFolder(
  { store, keys }: ModelPlace,
  digest: string,
  signal: AbortSignal,
): Promise<readonly StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const object of store.list(keys.object(digest, ''), signal)) objects.push(object);
  return objects;
}
