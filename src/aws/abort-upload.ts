import { setTimeout as sleep } from 'node:timers/promises';
import { AbortMultipartUploadCommand, ListPartsCommand } from '#aws-sdk/write';
import { OptimiseModelError } from '../messages/error.js';
import { ownerOf } from './object-params.js';
import type { S3Connection } from './s3-connection.js';
import { statusOf } from './translate-s3-error.js';

const patienceMs = 30_000;
const rounds = 4;
const pauseMs = 300;

/** A multipart upload that was begun. */
export type BegunUpload = { readonly key: string; readonly uploadId: string };

/**
 * Removes the parts of an upload that will not be completed, and waits until they are gone. A part that was in flight
 * may still arrive after the first abort, so the list of parts is looked at and the abort repeated.
 *
 * @param connection - The bucket.
 * @param upload - The upload.
 * @param wasCut - Whether requests were cut off: then one more round is made after a pause.
 * @returns Why parts remain; undefined when none do.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html
 */
export async function abortUpload(
  connection: S3Connection,
  upload: BegunUpload,
  wasCut: boolean,
): Promise<string | undefined> {
  const target = {
    Bucket: connection.bucket,
    Key: upload.key,
    UploadId: upload.uploadId,
    ...ownerOf(connection),
  };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await abortOnce(connection, target);
      if (!(await hasParts(connection, target)) && round > Number(wasCut)) return undefined;
      await sleep(pauseMs);
    }
    return 'parts keep arriving';
  } catch (error) {
    return describeRefusal(error);
  }
}

type Target = { readonly Bucket: string; readonly Key: string; readonly UploadId: string };

async function abortOnce(connection: S3Connection, target: Target): Promise<void> {
  try {
    const options = { abortSignal: AbortSignal.timeout(patienceMs) };
    await connection.client.send(new AbortMultipartUploadCommand(target), options);
  } catch (error) {
    // No such upload: that is what was wanted.
    if (statusOf(error) !== 404) throw error;
  }
}

async function hasParts(connection: S3Connection, target: Target): Promise<boolean> {
  try {
    const options = { abortSignal: AbortSignal.timeout(patienceMs) };
    const { Parts: parts } = await connection.client.send(new ListPartsCommand(target), options);
    return (parts?.length ?? 0) > 0;
  } catch {
    // Gone, or this identity may not list: the abort itself was accepted.
    return false;
  }
}

/**
 * Makes the error of an upload that failed and whose parts remain.
 *
 * @param connection - The bucket.
 * @param upload - The upload.
 * @param refusal - Why they remain.
 * @param first - Why the upload failed; it is what people must see first, and the cause.
 * @returns `s3-parts-left`.
 */
export function partsLeft(
  connection: S3Connection,
  upload: BegunUpload,
  refusal: string,
  first: unknown,
): OptimiseModelError {
  const facts = { bucket: connection.bucket, ...upload, refusal, first: describeFirst(first) };
  return OptimiseModelError.of('s3-parts-left', facts, first);
}

function describeRefusal(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const status = statusOf(error);
  return status === 0 ? `no answer (${error.name})` : `${error.name}, HTTP ${status}`;
}

/** Of a stop it is not said that all has been removed. */
function describeFirst(first: unknown): { readonly code: string; readonly what: string } {
  const isStop = !(first instanceof OptimiseModelError) || first.code === 'interrupted';
  return isStop
    ? { code: 'interrupted', what: 'The upload was stopped.' }
    : { code: first.code, what: first.message };
}
