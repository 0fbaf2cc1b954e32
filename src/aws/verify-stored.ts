import { OptimiseModelError } from '../messages/error.js';
import type { PartProofs, StoredAnswer, StoredDifference } from './part-proofs.js';
import type { S3Connection } from './s3-connection.js';
import { deleteObject, examineObject, type S3ExaminedObject } from './s3-objects.js';

/** An object that was stored; `isVerified` when the server has proved that it is what was sent. */
export type S3Uploaded = { readonly etag: string; readonly isVerified: boolean };

/** What the object must be. */
export type ExpectedObject = { readonly key: string; readonly sizeBytes: number };

/**
 * Compares what a server has stored with what was sent: by the checksum or ETag that it answered with, else by what it
 * says when it is asked. What differs is removed.
 *
 * @param connection - The bucket.
 * @param expected - The object.
 * @param proofs - What was sent.
 * @param answer - What the server said when the object was complete.
 * @returns The object; not verified when the server gives nothing that proves it.
 * @throws `stored-differs`, the `s3-…` errors.
 */
export async function verifyStored(
  connection: S3Connection,
  expected: ExpectedObject,
  proofs: PartProofs,
  answer: StoredAnswer,
): Promise<S3Uploaded> {
  const outcome = proofs.compare(answer);
  if (outcome === 'same') return { etag: answer.ETag ?? '', isVerified: true };
  if (outcome !== undefined) throw await takeBack(connection, expected, outcome);
  const stored = await examineObject(connection, expected.key, undefined);
  if (stored?.sizeBytes !== expected.sizeBytes) {
    const seen = String(stored?.sizeBytes ?? 'nothing');
    const sizes = { measure: 'size in bytes', expected: String(expected.sizeBytes), seen };
    throw await takeBack(connection, expected, { part: null, ...sizes });
  }
  const asked = proofs.compare(describeAnswer(stored));
  if (asked !== 'same' && asked !== undefined) throw await takeBack(connection, expected, asked);
  return { etag: stored.etag, isVerified: asked === 'same' };
}

function describeAnswer({ etag, crc32 }: S3ExaminedObject): StoredAnswer {
  return { ETag: etag, ...(crc32 === null ? {} : { ChecksumCRC32: crc32 }) };
}

/**
 * Looks whether an object is there after all although its last request failed: an answer can get lost on its way.
 *
 * @param connection - The bucket.
 * @param expected - The object.
 * @param proofs - What was sent.
 * @returns The object if the server proves that it is what was sent; undefined for anything else.
 */
export async function findStored(
  connection: S3Connection,
  expected: ExpectedObject,
  proofs: PartProofs,
): Promise<S3Uploaded | undefined> {
  try {
    const stored = await examineObject(connection, expected.key, undefined);
    if (stored?.sizeBytes !== expected.sizeBytes) return undefined;
    const isSame = proofs.compare(describeAnswer(stored)) === 'same';
    return isSame ? { etag: stored.etag, isVerified: true } : undefined;
  } catch {
    // The error that brought us here is the one to tell.
    return undefined;
  }
}

async function takeBack(
  connection: S3Connection,
  { key }: ExpectedObject,
  difference: StoredDifference,
): Promise<OptimiseModelError> {
  const url = `s3://${connection.bucket}/${key}`;
  const { part, measure, expected, seen } = difference;
  const problem = part === null ? `its ${measure}` : `the ${measure} of part ${part}`;
  const facts = { url, problem, expected, seen };
  try {
    await deleteObject(connection, key, undefined);
    return OptimiseModelError.of('stored-differs', { ...facts, fate: 'it was removed' });
  } catch (error) {
    const fate = `it could not be removed (${error instanceof Error ? error.message : String(error)})`;
    return OptimiseModelError.of('stored-differs', { ...facts, fate }, error);
  }
}
