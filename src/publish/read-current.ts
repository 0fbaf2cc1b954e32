import { RecordReader } from '../store/record-fields.js';
import { type CurrentRecord, parseCurrentRecord } from '../store/release-record.js';
import { objectUrl } from '../store/store-url.js';
import { problemOf } from './judge-failure.js';
import type { ModelPlace } from './model-place.js';
import { hasCode, readIfThere, type StoredDocument } from './read-document.js';

/** What `current.json` says, and what a write that replaces it must find. */
export type CurrentDocument = { readonly record: CurrentRecord; readonly etag: string };

/** A `current.json` that cannot be used, as it was read. */
export type DamagedCurrent = StoredDocument & { readonly record: null; readonly problem: string };

/** What a new `current.json` takes the place of. */
export type ReplacedCurrent = CurrentDocument | DamagedCurrent;

/**
 * Reads the `current.json` of a model.
 *
 * @param place - The model.
 * @param signal - Stops reading.
 * @returns What it says and its ETag; undefined when there is none.
 * @throws `record-wrong` when it is none of ours or of another model, what the store says.
 */
export async function readCurrent(
  place: ModelPlace,
  signal: AbortSignal,
): Promise<CurrentDocument | undefined> {
  const found = await readIfThere(place.store, place.keys.current, signal);
  return found === undefined ? undefined : parse(place, found);
}

/**
 * Reads the `current.json` of a model that is to be replaced, whatever is in it: a damaged one must not keep a release
 * from being made current.
 *
 * @param place - The model.
 * @param signal - Stops reading.
 * @returns What it says, or what is wrong with it, and its ETag; undefined when there is none.
 * @throws What the store says.
 */
export async function readReplacedCurrent(
  place: ModelPlace,
  signal: AbortSignal,
): Promise<ReplacedCurrent | undefined> {
  const found = await readIfThere(place.store, place.keys.current, signal);
  if (found === undefined) return undefined;
  try {
    return parse(place, found);
  } catch (error) {
    if (!hasCode(error, 'record-wrong')) throw error;
    return { ...found, record: null, problem: problemOf(error) };
  }
}

function parse({ store, name, keys }: ModelPlace, { bytes, etag }: StoredDocument): CurrentDocument {
  const where = objectUrl(store.url, keys.current);
  const record = parseCurrentRecord(new TextDecoder().decode(bytes), where);
  if (name !== '' && record.name !== name) {
    new RecordReader(where).refuse(`\`name\` is "${record.name}", expected "${name}"`);
  }
  return { record, etag };
}
