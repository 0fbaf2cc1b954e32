import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Upload } from '@aws-sdk/lib-storage';
import { printCrc32 } from '../lib/crc32.js';
import type { PartSlots } from '../lib/part-slots.js';
import { OptimiseModelError } from '../messages/error.js';
import { abortUpload } from './abort-upload.js';
import { FirstError } from './first-error.js';
import type { S3Connection } from './s3-connection.js';
import { deleteObject, headObject } from './s3-objects.js';
import { translateS3Error } from './translate-s3-error.js';
import { UploadSession } from './upload-session.js';

/** Smallest and largest part of a multipart upload, and how many there may be. */
const multipartLimits = {
  minimumPartBytes: 5 * 1024 ** 2,
  maximumPartBytes: 5 * 1024 ** 3,
  maximumParts: 10_000,
  source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html',
  asOf: '2026-11-30',
} as const;

/** One object to upload. */
export type S3Upload = {
  readonly key: string;
  readonly sizeBytes: number;
  /** Noted beside the object. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Read once, in order. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Called when the body has been read and before the object becomes visible; throws when it was not right. */
  readonly beforeVisible: () => Promise<void>;
  readonly partSizeBytes: number;
  readonly slots: PartSlots;
  readonly signal: AbortSignal;
  /** Bytes that the server has acknowledged, growing. */
  readonly onProgress: (sentBytes: number) => void;
};

/** An object that was stored; `isVerified` when the server's own CRC32 of all of it is that of what was read. */
export type S3Uploaded = { readonly etag: string; readonly isVerified: boolean };

/**
 * Uploads an object in parallel parts (in one request when it fits one part), verified by CRC32 on the way, as a
 * whole before it becomes visible, and by the checksum that comes back. A failed or stopped upload leaves no parts.
 *
 * @param connection - The bucket.
 * @param upload - The object.
 * @returns What was stored.
 * @throws `s3-part-size-wrong`, `stored-differs`, the other `s3-…` errors, what `body` or `beforeVisible` throws, the
 *   signal's reason; all requests have ended by then.
 */
export async function uploadObject(connection: S3Connection, upload: S3Upload): Promise<S3Uploaded> {
  const partSize = choosePartSize(upload);
  const first = new FirstError();
  const reading = new CheckedBody(upload.body, first);
  let sentBytes = 0;
  const session = new UploadSession(connection, upload.key, {
    signal: upload.signal,
    first,
    beforeVisible: upload.beforeVisible,
    crc32: () => (connection.usesChecksums ? reading.crc32 : undefined),
    onSent: (bytes) => {
      sentBytes += bytes;
      upload.onProgress(sentBytes);
    },
  });
  const body = Readable.from(reading.chunks(upload.signal), { objectMode: false, highWaterMark: 1 << 20 });
  const sending = new Upload({
    client: session.client(),
    params: paramsOf(connection, upload, body),
    partSize,
    queueSize: upload.slots.count,
    leavePartsOnError: true,
  });
  try {
    const answer = await sending.done();
    return await compareStored(connection, upload, reading.crc32, answer);
  } catch (error) {
    if (error instanceof OptimiseModelError && first.error === undefined) throw error;
    if (first.error === undefined) first.note(await explain(connection, upload, error));
    const { uploadId, wasCut } = session;
    if (uploadId === undefined) throw first.error;
    throw await abortUpload(connection, { key: upload.key, uploadId }, wasCut, first.error);
  } finally {
    session.close();
    body.destroy();
  }
}

/** lib-storage's own complaint about the number of parts means that the source is shorter than it was. */
async function explain(connection: S3Connection, upload: S3Upload, error: unknown): Promise<unknown> {
  if (upload.signal.aborted) return upload.signal.reason;
  try {
    await upload.beforeVisible();
  } catch (changed) {
    return changed;
  }
  return translateS3Error(error, { connection, key: upload.key, operation: 'PutObject' });
}

function choosePartSize(upload: S3Upload): number {
  const { minimumPartBytes, maximumPartBytes, maximumParts } = multipartLimits;
  const { partSizeBytes } = upload;
  if (partSizeBytes < minimumPartBytes || partSizeBytes > maximumPartBytes) {
    const facts = { partSizeBytes, minimumBytes: minimumPartBytes, maximumBytes: maximumPartBytes };
    throw OptimiseModelError.of('s3-part-size-wrong', facts);
  }
  return Math.max(partSizeBytes, Math.ceil(upload.sizeBytes / maximumParts));
}

function paramsOf(
  connection: S3Connection,
  upload: S3Upload,
  body: Readable,
): ConstructorParameters<typeof Upload>[0]['params'] {
  return {
    Bucket: connection.bucket,
    Key: upload.key,
    Body: body,
    ContentLength: upload.sizeBytes,
    ContentType: 'application/octet-stream',
    Metadata: { ...upload.metadata },
    // No value here: lib-storage would send it with each part.
    ...(connection.usesChecksums ? { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } : {}),
  };
}

/** Counts the CRC32 of what passes, and keeps an error of the source apart from those of the network. */
class CheckedBody {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #first: FirstError;
  #value = 0;

  constructor(source: AsyncIterable<Uint8Array>, first: FirstError) {
    this.#source = source;
    this.#first = first;
  }

  get crc32(): string {
    return printCrc32(this.#value);
  }

  async *chunks(signal: AbortSignal): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of this.#source) {
        this.#value = crc32(chunk, this.#value);
        yield chunk;
      }
    } catch (error) {
      this.#first.note(signal.aborted ? signal.reason : error);
      throw error;
    }
  }
}

async function compareStored(
  connection: S3Connection,
  upload: S3Upload,
  expectedCrc32: string,
  answer: { readonly ChecksumCRC32?: string | undefined },
): Promise<S3Uploaded> {
  const stored = await headObject(connection, upload.key, undefined);
  const seenCrc32 = answer.ChecksumCRC32;
  const isSame = seenCrc32 === undefined || seenCrc32 === expectedCrc32;
  if (isSame && stored?.sizeBytes === upload.sizeBytes) {
    return { etag: stored.etag, isVerified: seenCrc32 !== undefined };
  }
  await deleteObject(connection, upload.key, undefined);
  const url = `s3://${connection.bucket}/${upload.key}`;
  const difference = isSame
    ? {
        problem: 'its size in bytes',
        expected: `${upload.sizeBytes}`,
        seen: `${stored?.sizeBytes ?? 'nothing'}`,
      }
    : { problem: 'its CRC32', expected: expectedCrc32, seen: seenCrc32 };
  throw OptimiseModelError.of('stored-differs', { url, ...difference });
}
