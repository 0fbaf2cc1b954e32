import { setMaxListeners } from 'node:events';
import type { Readable } from 'node:stream';
import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
} from '#aws-sdk/read';
import { ownerOf } from './object-params.js';
import { ReceivedBody } from './read-connection.js';
import type { S3Reading } from './s3-connection.js';
import { statusOf, translateS3Error } from './translate-s3-error.js';

/** One object as S3 describes it. */
export type S3Object = {
  readonly key: string;
  readonly sizeBytes: number;
  readonly etag: string;
  /** Ms since 1970 by the server's clock; null when it does not say. */
  readonly modifiedAtMs: number | null;
};

/** One object with what the server keeps beside it. */
export type S3ExaminedObject = S3Object & {
  /** The server's own CRC32 of the whole content, base64; null when it has none. */
  readonly crc32: string | null;
  /** What was noted when it was sent; some servers keep it when the object is overwritten. */
  readonly metadata: Readonly<Record<string, string>>;
};

type Stop = AbortSignal | undefined;

/**
 * Hands a signal to the SDK.
 *
 * @param signal - Stops a request.
 * @returns Options of a request.
 */
export function stopping(signal: Stop): { abortSignal?: AbortSignal } {
  if (signal === undefined) return {};
  // The SDK listens once for each request on its way: a warning of a leak, which there is not, would be shown to users.
  setMaxListeners(0, signal);
  return { abortSignal: signal };
}

/**
 * Looks at one object.
 *
 * @param connection - Client and bucket.
 * @param key - The object's key in the bucket.
 * @param signal - Stops the request.
 * @returns The object; undefined when there is none (S3 does not say whether the bucket or the object is missing).
 * @throws The `s3-…` errors.
 */
export async function headObject(
  connection: S3Reading,
  key: string,
  signal: Stop,
): Promise<S3Object | undefined> {
  const answer = await sendHead(connection, { Key: key }, signal);
  return answer && describeHead(key, answer);
}

/**
 * Looks at one object and asks for its checksum, which for encrypted objects needs the permission to read them.
 *
 * @param connection - Client and bucket.
 * @param key - The object's key in the bucket.
 * @param signal - Stops the request.
 * @returns The object; undefined when there is none.
 * @throws The `s3-…` errors.
 */
export async function examineObject(
  connection: S3Reading,
  key: string,
  signal: Stop,
): Promise<S3ExaminedObject | undefined> {
  const mode = connection.usesChecksums ? ({ ChecksumMode: 'ENABLED' } as const) : {};
  const answer = await sendHead(connection, { Key: key, ...mode }, signal);
  if (answer === undefined) return undefined;
  const isWhole = answer.ChecksumType !== 'COMPOSITE';
  return {
    ...describeHead(key, answer),
    crc32: isWhole ? (answer.ChecksumCRC32 ?? null) : null,
    metadata: answer.Metadata ?? {},
  };
}

function describeHead(key: string, answer: HeadObjectCommandOutput): S3Object {
  const { ContentLength: sizeBytes = 0, ETag: etag = '', LastModified: modified } = answer;
  return { key, sizeBytes, etag, modifiedAtMs: modified?.getTime() ?? null };
}

async function sendHead(
  connection: S3Reading,
  input: { readonly Key: string; readonly ChecksumMode?: 'ENABLED' },
  signal: Stop,
): Promise<HeadObjectCommandOutput | undefined> {
  try {
    const command = new HeadObjectCommand({ Bucket: connection.bucket, ...ownerOf(connection), ...input });
    return await connection.client.send(command, stopping(signal));
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw translateS3Error(error, { connection, key: input.Key, operation: 'HeadObject' });
  }
}

/** An object's body that has begun to arrive. */
export type S3Body = {
  /** Errors of a broken connection come out of it untranslated, so that the reader may go on from there. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Instead of reading `chunks`: hands them over as they arrive; their memory is used again when `take` returns. */
  readonly receive: (take: (chunk: Uint8Array) => void) => Promise<void>;
  /** Instead of either: ends the connection. */
  readonly discard: () => void;
  /** Where this answer begins in the object; 0 for an answer with the whole object. */
  readonly firstByte: number;
  /** Bytes of this answer. */
  readonly lengthBytes: number;
  /** Bytes of the whole object. */
  readonly objectSizeBytes: number;
  readonly etag: string;
};

/** First and last byte of what is wanted, and the ETag that the object must have; undefined does not ask. */
export type S3Range = {
  readonly first: number;
  readonly last: number;
  readonly ifMatch: string | undefined;
  /** Whether the body will be received instead of being read as a stream. */
  readonly isReceived: boolean;
};

/**
 * Opens an object, or a range of it.
 *
 * @param connection - Client and bucket.
 * @param key - The object's key in the bucket.
 * @param range - The range; undefined for the whole object.
 * @param signal - Stops the request.
 * @returns Its body; undefined when there is no such object; `'beyond'` when the range begins behind its end,
 *   `'changed'` when the object has another ETag.
 * @throws The `s3-…` errors.
 */
export async function getObject(
  connection: S3Reading,
  key: string,
  range: S3Range | undefined,
  signal: Stop,
): Promise<S3Body | undefined | 'beyond' | 'changed'> {
  try {
    const command = new GetObjectCommand({
      Bucket: connection.bucket,
      Key: key,
      ...ownerOf(connection),
      ...(range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` }),
      ...(range?.ifMatch === undefined ? {} : { IfMatch: range.ifMatch }),
    });
    const how = { ...stopping(signal), isReceived: range?.isReceived === true };
    const answer = await connection.client.send(command, how);
    const lengthBytes = answer.ContentLength ?? 0;
    const [, first, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.ContentRange ?? '') ?? [];
    return {
      chunks: answer.Body as unknown as AsyncIterable<Uint8Array>,
      receive: (take) => receiveBody(answer.Body as Readable, take),
      discard: () => void (answer.Body as Readable).destroy(),
      firstByte: Number(first ?? 0),
      lengthBytes,
      objectSizeBytes: total === undefined ? lengthBytes : Number(total),
      etag: answer.ETag ?? '',
    };
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    if (statusOf(error) === 416) return 'beyond';
    if (statusOf(error) === 412) return 'changed';
    throw translateS3Error(error, { connection, key, operation: 'GetObject' });
  }
}

async function receiveBody(body: Readable, take: (chunk: Uint8Array) => void): Promise<void> {
  if (body instanceof ReceivedBody) return body.receive(take);
  for await (const chunk of body) take(chunk);
}

/**
 * Lists the objects below a prefix, in key order, page by page.
 *
 * @param connection - Client and bucket.
 * @param prefix - What the keys begin with.
 * @param signal - Stops the request.
 * @returns The objects as they are listed; of a directory bucket, which lists in no order, when all are known.
 * @throws The `s3-…` errors.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 */
export async function* listObjects(
  connection: S3Reading,
  prefix: string,
  signal: Stop,
): AsyncIterable<S3Object> {
  if (!connection.isDirectoryBucket) return yield* listPages(connection, prefix, signal);
  const all: S3Object[] = [];
  // Only whole folders can be asked for there.
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  for await (const object of listPages(connection, folder, signal)) {
    if (object.key.startsWith(prefix)) all.push(object);
  }
  yield* all.sort((left, right) => Buffer.compare(Buffer.from(left.key), Buffer.from(right.key)));
}

async function* listPages(connection: S3Reading, prefix: string, signal: Stop): AsyncGenerator<S3Object> {
  let token: string | undefined;
  do {
    const page = {
      Bucket: connection.bucket,
      Prefix: prefix,
      ...ownerOf(connection),
      ...(token ? { ContinuationToken: token } : {}),
    };
    const answer = await connection.client
      .send(new ListObjectsV2Command(page), stopping(signal))
      .catch((error: unknown) => {
        throw translateS3Error(error, { connection, key: prefix, operation: 'ListObjectsV2' });
      });
    for (const item of answer.Contents ?? []) {
      const modifiedAtMs = item.LastModified?.getTime() ?? null;
      yield { key: item.Key ?? '', sizeBytes: item.Size ?? 0, etag: item.ETag ?? '', modifiedAtMs };
    }
    token = answer.IsTruncated ? answer.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/**
 * Removes an object; one that is not there is fine.
 *
 * @param connection - Client and bucket.
 * @param key - The object's key in the bucket.
 * @param signal - Stops the request.
 * @throws The `s3-…` errors.
 */
export async function deleteObject(connection: S3Reading, key: string, signal: Stop): Promise<void> {
  try {
    const command = new DeleteObjectCommand({ Bucket: connection.bucket, Key: key, ...ownerOf(connection) });
    await connection.client.send(command, stopping(signal));
  } catch (error) {
    throw translateS3Error(error, { connection, key, operation: 'DeleteObject' });
  }
}
