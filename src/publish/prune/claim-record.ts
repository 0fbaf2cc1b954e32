import { randomBytes } from 'node:crypto';
import type { ModelPlace } from '../model-place.js';
import { hasCode, readIfThere, type StoredDocument } from '../read-document.js';
import { writeDocument } from '../write-document.js';
import type { ObjectFolder } from './plan-prune.js';

/** Whether this prune may remove an `artifact.json`. */
export type RecordClaim =
  | { readonly keptBecause: string }
  | {
      readonly keptBecause: null;
      /** The document as it was before it was claimed; undefined when the folder had none. */
      readonly record: StoredDocument | undefined;
    };

/**
 * Claims an artifact's folder for this prune, so that no two prunes remove it at the same time: what one puts back for a
 * release, the other could remove for good. `artifact.json` is written again with blanks behind it that are nobody
 * else's, if it still is what was listed: of two, one is told. Whoever reads it in between reads the same record; after
 * a prune that was killed here it is young, and spared for the grace.
 *
 * @param place - The model.
 * @param folder - The folder as it was listed when nothing needed it.
 * @param signal - Stops waiting for the server.
 * @returns The document, or why the folder has to stay.
 * @throws What the store says; where it has no conditional writes, nothing is claimed.
 */
export async function claimRecord(
  place: ModelPlace,
  { digest, objects }: ObjectFolder,
  signal: AbortSignal,
): Promise<RecordClaim> {
  const key = place.keys.artifact(digest);
  const listed = objects.find((object) => object.key === key);
  // What is put there by somebody else from now on is found when the folder is listed again.
  if (listed === undefined) return { keptBecause: null, record: undefined };
  const record = await readIfThere(place.store, key, signal);
  if (record === undefined) return { keptBecause: 'somebody else is removing it' };
  if (record.etag !== listed.etag) return { keptBecause: 'its artifact.json was written again' };
  const claimed = Buffer.concat([record.bytes, makeBlanks()]);
  try {
    await writeDocument(place, key, claimed, { ifEtag: record.etag }, signal);
  } catch (error) {
    if (hasCode(error, 'write-conflict')) return { keptBecause: 'somebody else is removing or staging it' };
    if (!hasCode(error, 's3-conditions-refused')) throw error;
  }
  return { keptBecause: null, record };
}

/** Blanks between which JSON does not tell, 128 random bits of them. */
function makeBlanks(): Buffer {
  const bits = [...randomBytes(16)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Buffer.from(bits.replaceAll('0', ' ').replaceAll('1', '\t'));
}
