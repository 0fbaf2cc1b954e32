import { hashBytes } from '../lib/sha256.js';
import { asOptimiseModelError } from '../messages/as-error.js';
import { OptimiseModelError } from '../messages/error.js';
import { objectUrl } from '../store/store-url.js';
import { cleanUpMs } from './delay-stop.js';
import { isAnswered, wordsOf } from './judge-failure.js';
import type { ModelPlace } from './model-place.js';
import type { WrittenRelease } from './move-current.js';
import { readReplacedCurrent } from './read-current.js';
import { hasCode, readIfThere } from './read-document.js';
import { restoreDocument } from './restore-document.js';

/**
 * Takes back the release document that a publisher had written before it failed; only its own, to the byte. Where it is
 * not known whether `current.json` names it, it stays. A move that was given up may still arrive: then the document is
 * put back.
 *
 * @param place - The model.
 * @param written - The document, or what may have been written of it.
 * @param error - Why it is taken back.
 * @returns What to throw: the error, or `publish-left` when the document could not be removed; undefined when the
 *   release is current after all.
 */
export async function withdrawRelease(
  place: ModelPlace,
  written: WrittenRelease,
  error: unknown,
): Promise<unknown> {
  if (hasCode(error, 'publish-unknown')) return error;
  // What asked to stop must not stop the cleaning up.
  const signal = AbortSignal.timeout(cleanUpMs);
  try {
    return (await takeBack(place, written, isDefinite(error), signal)) ? error : undefined;
  } catch (refusal) {
    const { code, message: what } = asOptimiseModelError(error);
    const releaseUrl = objectUrl(place.store.url, written.key);
    const facts = { releaseUrl, refusal: wordsOf(refusal), first: { code, what } };
    return OptimiseModelError.of('publish-left', facts, error);
  }
}

function isDefinite(error: unknown): boolean {
  return (
    isAnswered(error) || hasCode(error, 'publish-conflict', 'publish-not-staged', 's3-conditions-ignored')
  );
}

async function takeBack(
  place: ModelPlace,
  { key, bytes, record }: WrittenRelease,
  hasEnded: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await readIfThere(place.store, key, signal);
  if (found === undefined || hashBytes(found.bytes) !== hashBytes(bytes)) return true;
  await place.store.remove(key, signal);
  if (hasEnded) return true;
  const current = await readReplacedCurrent(place, signal);
  if (current?.record?.release !== record.release) return true;
  await restoreDocument(place, key, bytes, signal);
  return false;
}
