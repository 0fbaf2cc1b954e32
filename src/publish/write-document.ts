import { hashBytes } from '../lib/sha256.js';
import { OptimiseModelError } from '../messages/error.js';
import type { S3Facts } from '../messages/s3-messages.js';
import type { WriteCondition } from '../store/store.js';
import { objectUrl } from '../store/store-url.js';
import type { ModelPlace } from './model-place.js';
import { hasCode, readIfThere } from './read-document.js';

/** What servers call a header that they do not know, where they answer 400. */
const unknownHeaderCodes: readonly string[] = [
  'InvalidArgument',
  'InvalidRequest',
  'InvalidHeader',
  'UnsupportedHeader',
  'BadRequest',
  'UnknownError',
  '400',
];

/**
 * Writes a small document on a condition. Where the user said that the server has none, it looks first, writes, and
 * reads back: that finds who was there before, and most who come between, but not all.
 *
 * @param place - The model that the document is of.
 * @param key - Its key.
 * @param bytes - Its content.
 * @param condition - What must hold.
 * @param signal - Stops waiting for the server.
 * @returns Whether the server refused the condition, since an earlier try whose answer got lost had written it already.
 * @throws `write-conflict` when it did not hold, `s3-conditions-refused`, what the store says.
 */
export async function writeDocument(
  place: ModelPlace,
  key: string,
  bytes: Uint8Array,
  condition: WriteCondition,
  signal: AbortSignal,
): Promise<boolean> {
  if (!place.isConditional) {
    await writePlainly(place, key, bytes, condition, signal);
    return false;
  }
  try {
    return (await place.store.write(key, bytes, condition, signal)).wasRefused === true;
  } catch (error) {
    throw isConditionRefused(error)
      ? OptimiseModelError.of('s3-conditions-refused', error.facts as unknown as S3Facts, error)
      : error;
  }
}

async function writePlainly(
  { store }: ModelPlace,
  key: string,
  bytes: Uint8Array,
  condition: WriteCondition,
  signal: AbortSignal,
): Promise<void> {
  const conflict = () => OptimiseModelError.of('write-conflict', { url: objectUrl(store.url, key) });
  const before = await readIfThere(store, key, signal);
  if (before?.etag !== ('ifEtag' in condition ? condition.ifEtag : undefined)) throw conflict();
  await store.write(key, bytes, undefined, signal);
  const after = await readIfThere(store, key, signal);
  if (after === undefined || hashBytes(after.bytes) !== hashBytes(bytes)) throw conflict();
}

/** Checksums are refused with the same statuses; their message names the setting that is for them. */
function isConditionRefused(error: unknown): error is OptimiseModelError {
  if (!(error instanceof OptimiseModelError) || !hasCode(error, 's3-not-supported', 's3-failed'))
    return false;
  const { status, awsCode, reason } = error.facts as unknown as S3Facts;
  const said = `${awsCode} ${reason}`;
  if (/checksum|crc|chunked|trailer|content-sha256/i.test(said)) return false;
  if (status === 501 || awsCode === 'NotImplemented') return true;
  const isNamed = /if-?(none-?)?match|condition/i.test(said) || unknownHeaderCodes.includes(awsCode);
  return status === 400 && isNamed;
}
