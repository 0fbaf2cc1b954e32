import { asOptimiseModelError } from '../../messages/as-error.js';
import { OptimiseModelError } from '../../messages/error.js';
import { objectUrl } from '../../store/store-url.js';
import { cleanUpMs } from '../delay-stop.js';
import { wordsOf } from '../judge-failure.js';
import type { ModelPlace } from '../model-place.js';
import { hasCode } from '../read-document.js';
import { writeDocument } from '../write-document.js';

/**
 * Writes a document back that was removed and is needed.
 *
 * @param place - The model.
 * @param key - Its key.
 * @param bytes - Its content.
 * @param error - What went wrong in between; undefined for nothing.
 * @returns The error to throw: the given one, or `prune-not-restored`; undefined when nothing was wrong.
 */
export async function putBack(
  place: ModelPlace,
  key: string,
  bytes: Uint8Array,
  error: unknown,
): Promise<unknown> {
  try {
    await writeDocument(place, key, bytes, { ifAbsent: true }, AbortSignal.timeout(cleanUpMs));
    return error;
  } catch (refusal) {
    // Whoever needs it has written it himself.
    if (hasCode(refusal, 'write-conflict')) return error;
    const { code, message: what } = asOptimiseModelError(error ?? refusal);
    const facts = {
      url: objectUrl(place.store.url, key),
      refusal: wordsOf(refusal),
      first: { code, what },
    };
    return OptimiseModelError.of('prune-not-restored', facts, error ?? refusal);
  }
}
