import type { ObjectSettings } from '../lib/object-settings.js';
import { openStore } from '../store/open-store.js';
import { type StagedKeys, stagedKeys } from '../store/staged-layout.js';
import type { WritableStore } from '../store/store.js';

/** Where the releases of one model are. */
export type ModelPlace = {
  readonly store: WritableStore;
  /** The model's name; empty when the store's root is the model's own folder. */
  readonly name: string;
  readonly keys: StagedKeys;
  /** Whether writes may rest on conditions: false only for a server that the user said has none. */
  readonly isConditional: boolean;
};

/**
 * Finds the place of one model in an open store.
 *
 * @param store - The store.
 * @param name - The model's name in it.
 * @param settings - Whether there are conditional writes; a folder has them always.
 * @returns The place.
 * @throws `name-wrong`.
 */
export function placeOf(
  store: WritableStore,
  name: string,
  { conditionalWrites }: Pick<ObjectSettings, 'conditionalWrites'>,
): ModelPlace {
  return { store, name, keys: stagedKeys(name), isConditional: conditionalWrites || store.endpoint === null };
}

/**
 * Opens the place of one model.
 *
 * @param storeUrl - Address of the store.
 * @param name - The model's name in it.
 * @param settings - How objects are written.
 * @returns The place.
 * @throws `name-wrong`, `store-url-wrong`, `store-read-only`, `s3-region-missing`.
 */
export async function openModelPlace(
  storeUrl: string,
  name: string,
  settings: ObjectSettings,
): Promise<ModelPlace> {
  return placeOf(await openStore(storeUrl, settings), name, settings);
}
