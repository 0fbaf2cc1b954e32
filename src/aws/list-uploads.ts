import type { ListMultipartUploadsCommandInput, ListMultipartUploadsCommandOutput } from '@aws-sdk/client-s3';
import { ListMultipartUploadsCommand } from '#aws-sdk/write';
import type { BegunUpload } from './abort-upload.js';
import { ownerOf } from './object-params.js';
import type { S3Connection } from './s3-connection.js';
import { translateS3Error } from './translate-s3-error.js';

/** A multipart upload as the server lists it. */
export type OpenUpload = BegunUpload & {
  /** Ms since 1970 by the server's clock; null when it does not say. */
  readonly initiatedAtMs: number | null;
};

/** What a server lists. */
export type UploadList = {
  readonly uploads: readonly OpenUpload[];
  /** How far the server's clock is ahead of this machine's, to a second or so; the moments above are by that clock. */
  readonly clockLeadMs: number;
};

/**
 * Lists the multipart uploads below a prefix that were neither completed nor aborted.
 *
 * @param connection - The bucket.
 * @param prefix - What their keys begin with.
 * @param signal - Stops the listing.
 * @returns The uploads, of all pages, and the server's clock.
 * @throws The `s3-…` errors.
 */
export async function listUploads(
  connection: S3Connection,
  prefix: string,
  signal: AbortSignal,
): Promise<UploadList> {
  const found: OpenUpload[] = [];
  const clock = new ServerClock(connection);
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
    const command = new ListMultipartUploadsCommand(page);
    clock.watch(command);
    const answer: ListMultipartUploadsCommandOutput = await connection.client
      .send(command, { abortSignal: signal })
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
  return { uploads: found, clockLeadMs: clock.leadMs };
}

/** The SDK learns of a clock only when it is minutes off; each answer tells the time to the second. */
class ServerClock {
  leadMs: number;

  constructor({ client }: S3Connection) {
    this.leadMs = client.config.systemClockOffset ?? 0;
  }

  watch({ middlewareStack }: ListMultipartUploadsCommand): void {
    middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const { headers } = result.response as { headers?: Readonly<Record<string, string>> };
        const saidMs = Date.parse(headers?.date ?? '');
        // Half a second: what the header leaves out.
        if (!Number.isNaN(saidMs)) this.leadMs = saidMs + 500 - Date.now();
        return result;
      },
      { step: 'deserialize', name: 'readServerClock' },
    );
  }
}
