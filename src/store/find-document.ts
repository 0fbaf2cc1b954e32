import type { ObjectSettings } from '../lib/object-settings.js';
import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import { artifactRecordName } from './artifact-record.js';
import { openReadableStore } from './open-readable-store.js';
import type { ReadableStore } from './store.js';
import { objectUrl, parseStoreUrl, splitObjectUrl } from './store-url.js';

type Settings = Pick<ObjectSettings, 'expectedBucketOwner'>;

/** A document of a staged model, read. */
export type FoundDocument = {
  /** Its own address. */
  readonly url: string;
  readonly store: ReadableStore;
  readonly key: string;
  readonly text: string;
};

/**
 * Reads the document that an address means: people also give the folder, or the prefix, that it lies in.
 *
 * @param url - Address of a document, or of what holds a `current.json` or an `artifact.json`.
 * @param signal - Stops looking.
 * @param settings - Whose a bucket must be.
 * @returns The document.
 * @throws `no-document-there` when a folder holds none, `object-missing`, `store-url-wrong`, what the store says.
 */
export async function findDocument(
  url: string,
  signal: AbortSignal | undefined,
  settings?: Settings,
): Promise<FoundDocument> {
  if (url.endsWith('.json')) return readDocument(url, signal, settings);
  const place = parseStoreUrl(url).url;
  let refusal: unknown;
  for (const name of namesIn(place)) {
    try {
      return await readDocument(objectUrl(place, name), signal, settings);
    } catch (error) {
      if (!isNoDocument(error)) throw error;
      if (error.code !== 'object-missing') refusal ??= error;
    }
  }
  throw refusal ?? OptimiseModelError.of('no-document-there', { url: showAddress(url) });
}

/** A model's folder has a `current.json`; that of an artifact is known by its name, or by having none. */
function namesIn(place: string): readonly string[] {
  return /\/objects\/[0-9a-f]{64}$/.test(place) ? [artifactRecordName] : ['current.json', artifactRecordName];
}

/** To whom it may not list, S3 does not say that an object is missing, but that access is denied. */
function isNoDocument(error: unknown): error is OptimiseModelError {
  if (!(error instanceof OptimiseModelError)) return false;
  return ['object-missing', 's3-access-denied'].includes(error.code) || error.facts.status === 403;
}

/** By reading it: when it is only looked at, S3 does not say whether it is the object or the bucket that is missing. */
async function readDocument(
  url: string,
  signal: AbortSignal | undefined,
  settings: Settings | undefined,
): Promise<FoundDocument> {
  const { storeUrl, key } = splitObjectUrl(url);
  const store = await openReadableStore(storeUrl, settings);
  const { bytes } = await store.read(key, signal);
  return { url, store, key, text: new TextDecoder().decode(bytes) };
}
