import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import { artifactRecordName } from '../store/artifact-record.js';
import { openReadableStore } from '../store/open-store.js';
import { objectUrl, parseStoreUrl, splitObjectUrl } from '../store/store-url.js';

/** What a folder of a store holds when it is a model's, and when it is an artifact's. */
const documentNames = ['current.json', artifactRecordName];

/**
 * Finds the document that an address means: people give the folder, or the prefix, that it lies in.
 *
 * @param url - Address of a document, or of what holds a `current.json` or an `artifact.json`.
 * @param signal - Stops looking.
 * @returns Address of the document.
 * @throws `no-document-there`, `store-url-wrong`, what the store says.
 */
export async function findDocument(url: string, signal: AbortSignal): Promise<string> {
  if (url.endsWith('.json')) return url;
  const place = parseStoreUrl(url).url;
  for (const name of documentNames) {
    const document = objectUrl(place, name);
    if (await isThere(document, signal)) return document;
  }
  throw OptimiseModelError.of('no-document-there', { url: showAddress(url) });
}

/** By reading it: when it is only looked at, S3 does not say whether it is the object or the bucket that is missing. */
async function isThere(document: string, signal: AbortSignal): Promise<boolean> {
  const { storeUrl, key } = splitObjectUrl(document);
  try {
    await (await openReadableStore(storeUrl)).read(key, signal);
    return true;
  } catch (error) {
    if (error instanceof OptimiseModelError && error.code === 'object-missing') return false;
    throw error;
  }
}
