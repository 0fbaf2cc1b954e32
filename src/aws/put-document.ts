import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { PutObjectCommandOutput } from '@aws-sdk/client-s3';
import { PutObjectCommand } from '#aws-sdk/write';
import { printCrc32 } from '../lib/crc32.js';
import { describeDocument } from './object-params.js';
import type { S3Connection } from './s3-connection.js';
import { stopping } from './s3-objects.js';
import { attemptsOf, type S3Operation, statusOf, translateS3Error } from './translate-s3-error.js';

/** What a small object is written on. */
export type S3Condition = { readonly ifAbsent: true } | { readonly ifEtag: string };

/** A document that was written; see {@link putDocument}. */
export type WrittenDocument = { readonly etag: string; readonly isProved: boolean };

/**
 * Writes a small JSON object if a condition holds.
 *
 * @param connection - Client and bucket.
 * @param key - The object's key in the bucket.
 * @param bytes - Its content.
 * @param condition - What must hold; undefined for nothing.
 * @param signal - Stops the request.
 * @returns The new ETag, and whether the server has proved that it stored what was sent; or that the condition did not
 *   hold.
 * @throws The `s3-…` errors.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
export async function putDocument(
  connection: S3Connection,
  key: string,
  bytes: Uint8Array,
  condition: S3Condition | undefined,
  signal: AbortSignal | undefined,
): Promise<WrittenDocument | { readonly conflict: true; readonly attempts: number }> {
  const operation: S3Operation = { connection, key, operation: 'PutObject' };
  try {
    const command = new PutObjectCommand({
      Bucket: connection.bucket,
      Key: key,
      Body: bytes,
      ...describeDocument(connection, key),
      ...(connection.usesChecksums ? { ChecksumAlgorithm: 'CRC32' } : {}),
      ...(condition !== undefined && 'ifAbsent' in condition ? { IfNoneMatch: '*' } : {}),
      ...(condition !== undefined && 'ifEtag' in condition ? { IfMatch: condition.ifEtag } : {}),
    });
    const answer = await connection.client.send(command, stopping(signal));
    return { etag: answer.ETag ?? '', isProved: isProved(bytes, answer) };
  } catch (error) {
    if (condition !== undefined && isConflict(error, condition)) {
      return { conflict: true, attempts: attemptsOf(error) };
    }
    throw translateS3Error(error, operation);
  }
}

/** Whether the answer proves it: by the CRC32, else by an ETag, which many stores make otherwise than by MD5. */
function isProved(
  bytes: Uint8Array,
  { ChecksumCRC32: seen, ETag: etag = '' }: PutObjectCommandOutput,
): boolean {
  if (seen !== undefined) return seen === printCrc32(crc32(bytes));
  return etag.replaceAll('"', '') === createHash('md5').update(bytes).digest('hex');
}

function isConflict(error: unknown, condition: S3Condition): boolean {
  const status = statusOf(error);
  const isGone = error instanceof Error && error.name === 'NoSuchKey' && 'ifEtag' in condition;
  return status === 412 || status === 409 || isGone;
}
