import {
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3';
import type { BegunUpload } from './abort-upload.js';
import { ownerOf } from './object-params.js';
import type { S3Connection } from './s3-connection.js';
import { translateS3Error } from './translate-s3-error.js';

/** A multipart upload as the server lists it. */
export type OpenUpload = BegunUpload & {
  /** Ms since 1970 by the server's clock; null when it does not say. */
  readonly initiatedAtMs: number | null;
};

/**
 * Lists the multipart uploads below a prefix that were neither completed nor aborted.
 *
 * @param connection - The bucket.
 * @param prefix - What their keys begin with.
 * @param signal - Stops the listing.
 * @returns The uploads, of all pages.
 * @throws The `s3-…` errors.
 */
export async function listUploads(
  connection: S3Connection,
  prefix: string,
  signal: AbortSignal,
): Promise<readonly OpenUpload[]> {
  const found: OpenUpload[] = [];
  // Directory buckets list whole folders only.
  const listed = connection.isDirectoryBucket ? prefix.slice(0, prefix.lastIndexOf('/') + 1) : prefix;
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (marker !== undefined) {
    const page: ListMultipartUploadsCommandInput = {
      Bucket: connection.bucket,
      Prefix: listed,
      ...marker,
      ...ownerOf(connection),
    };
    const answer: ListMultipartUploadsCommandOutput = await connection.client
      .send(new ListMultipartUploadsCommand(page), { abortSignal: signal })
      .catch((error: unknown) => {
        throw translateS3Error(error, { connection, key: prefix, operation: 'ListMultipartUploads' });
      });
    for (const { Key: key = '', UploadId: uploadId = '', Initiated: initiated } of answer.Uploads ?? []) {
      if (key.startsWith(prefix)) found.push({ key, uploadId, initiatedAtMs: initiated?.getTime() ?? null });
    }
    const { NextKeyMarker: nextKey, NextUploadIdMarker: nextId } = answer;
    marker =
      answer.IsTruncated && nextKey
        ? { KeyMarker: nextKey, ...(nextId ? { UploadIdMarker: nextId } : {}) }
        : undefined;
  }
  return found;
}
