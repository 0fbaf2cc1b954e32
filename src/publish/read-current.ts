import { OptimiseModelError } from '../messages/error.js';
import { type Fields, RecordReader } from '../store/record-fields.js';
import { type CurrentRecord, parseCurrentRecord } from '../store/release-record.js';
import { objectUrl } from '../store/store-url.js';
import { problemOf } from './judge-failure.js';
import type { ModelPlace } from './model-place.js';
import { hasCode, readIfThere, type StoredDocument } from './read-document.js';

/** What `current.json` says, and what a write that replaces it must find. */
export type CurrentDocument = { readonly record: CurrentRecord; readonly etag: string };

/** A `current.json` that cannot be used, as it was read. */
type DamagedCurrent = StoredDocument & { readonly record: null; readonly problem: string };

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
 * Reads the `current.json` of a model that is to be replaced: a damaged one must not keep a release from being made
 * current. One that says it is something else, or of another version or model, is not ours to replace. What looks
 * damaged is read once more, as the way to it may be what is.
 *
 * @param place - The model.
 * @param signal - Stops reading.
 * @returns What it says, or what is wrong with it, and its ETag; undefined when there is none.
 * @throws `current-foreign`, what the store says.
 */
export async function readReplacedCurrent(
  place: ModelPlace,
  signal: AbortSignal,
): Promise<ReplacedCurrent | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await readIfThere(place.store, place.keys.current, signal);
    if (found === undefined) return undefined;
    try {
      return parse(place, found);
    } catch (error) {
      if (!hasCode(error, 'record-wrong')) throw error;
      const problem = problemOf(error);
      if (attempt === 2)
        return isForeign(place, found.bytes) ? refuse(place, problem) : damage(found, problem);
    }
  }
}

function damage(found: StoredDocument, problem: string): DamagedCurrent {
  return { ...found, record: null, problem };
}

function refuse({ store, name, keys }: ModelPlace, problem: string): never {
  const url = objectUrl(store.url, keys.current);
  throw OptimiseModelError.of('current-foreign', { storeUrl: store.url, name, url, problem });
}

function isForeign({ name: ours }: ModelPlace, bytes: Uint8Array): boolean {
  const fields = parseFields(bytes);
  const { kind, schemaVersion, name } = fields;
  if (typeof kind === 'string' && kind !== 'current') return true;
  if (typeof schemaVersion === 'number' && schemaVersion !== 1) return true;
  return typeof name === 'string' && ours !== '' && name !== ours;
}

function parseFields(bytes: Uint8Array): Fields {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return { ...(value as Fields) };
  } catch {
    return {};
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
