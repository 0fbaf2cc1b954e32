import { asOptimiseModelError } from '../../messages/as-error.js';
import { OptimiseModelError } from '../../messages/error.js';
import { objectUrl } from '../../store/store-url.js';
import { cleanUpMs } from '../delay-stop.js';
import { wordsOf } from '../judge-failure.js';
import type { ModelPlace } from '../model-place.js';

/**
 * Writes a document back that was removed and is needed. On no condition: it has the bytes that were read, a server may
 * have no conditions, and a conflict would not say that the document is there: S3 answers 409 also when a removal won.
 *
 * @param place - The model.
 * @param key - Its key.
 * @param bytes - Its content.
 * @param error - What went wrong in between; undefined for nothing.
 * @returns The error to throw: the given one, or `prune-not-restored`; undefined when nothing was wrong.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export async function putBack(
  place: ModelPlace,
  key: string,
  bytes: Uint8Array,
  error: unknown,
): Promise<unknown> {
  try {
    await place.store.write(key, bytes, undefined, AbortSignal.timeout(cleanUpMs));
    return error;
  } catch (refusal) {
    const { code, message: what } = asOptimiseModelError(error ?? refusal);
    const facts = {
      url: objectUrl(place.store.url, key),
      refusal: wordsOf(refusal),
      first: { code, what },
    };
    return OptimiseModelError.of('prune-not-restored', facts, error ?? refusal);
  }
}
