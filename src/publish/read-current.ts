import { RecordReader } from '../store/record-fields.js';
import { type CurrentRecord, parseCurrentRecord } from '../store/release-record.js';
import { objectUrl } from '../store/store-url.js';
import type { ModelPlace } from './model-place.js';
import { readIfThere } from './read-document.js';

/** What `current.json` says, and what a write that replaces it must find. */
export type CurrentDocument = { readonly record: CurrentRecord; readonly etag: string };

/**
 * Reads the `current.json` of a model.
 *
 * @param place - The model.
 * @param signal - Stops reading.
 * @returns What it says and its ETag; undefined when there is none.
 * @throws `record-wrong` when it is none of ours or of another model, what the store says.
 */
export async function readCurrent(
  { store, name, keys }: ModelPlace,
  signal: AbortSignal,
): Promise<CurrentDocument | undefined> {
  const found = await readIfThere(store, keys.current, signal);
  if (found === undefined) return undefined;
  const where = objectUrl(store.url, keys.current);
  const record = parseCurrentRecord(new TextDecoder().decode(found.bytes), where);
  if (name !== '' && record.name !== name) {
    new RecordReader(where).refuse(`\`name\` is "${record.name}", expected "${name}"`);
  }
  return { record, etag: found.etag };
}
