import type { ModelPlace } from './model-place.js';
import { hasCode } from './read-document.js';
import { writeDocument } from './write-document.js';

/** A conflict that is none is rare; more of them in a row mean a server that answers so for another reason. */
const mostAttempts = 5;

/**
 * Writes a document that is needed and was removed, unless somebody else has written it. A conflict is not believed: S3
 * answers 409 also when a removal at the same time won, and then nothing is there.
 *
 * @param place - The model.
 * @param key - Its key.
 * @param bytes - Its content.
 * @param signal - Stops waiting for the server.
 * @throws `write-conflict` when every attempt met one and nothing is there, what the store says.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export async function restoreDocument(
  place: ModelPlace,
  key: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writeDocument(place, key, bytes, { ifAbsent: true }, signal);
      return;
    } catch (error) {
      if (!hasCode(error, 'write-conflict')) throw error;
      if ((await place.store.head(key, signal)) !== undefined) return;
      if (attempt === mostAttempts) throw error;
    }
  }
}
