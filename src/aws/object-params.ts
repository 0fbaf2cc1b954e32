import type { PutObjectCommandInput } from '@aws-sdk/client-s3';
import type { S3Reading } from './s3-connection.js';

/** What PutObject and CreateMultipartUpload are told about an object beside its bytes. Never an ACL. */
export type ObjectParams = Pick<
  PutObjectCommandInput,
  | 'ContentType'
  | 'CacheControl'
  | 'Tagging'
  | 'ServerSideEncryption'
  | 'SSEKMSKeyId'
  | 'StorageClass'
  | 'ExpectedBucketOwner'
>;

/** Which account must own the bucket. */
export type OwnerParams = { readonly ExpectedBucketOwner?: string };

const contentTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
};

/**
 * Describes a file of an artifact as the settings say; such a file never changes.
 *
 * @param connection - The bucket and its settings.
 * @param key - The object's key; its ending gives the content type, `application/octet-stream` for model and weights.
 * @returns Parameters of PutObject and CreateMultipartUpload.
 */
export function describeObject(connection: S3Reading, key: string): ObjectParams {
  const { cacheControl, storageClass } = connection.settings;
  return {
    ...describeAny(connection, key),
    ...(cacheControl === null ? {} : { CacheControl: cacheControl }),
    ...(storageClass === null ? {} : { StorageClass: storageClass as ObjectParams['StorageClass'] & string }),
  };
}

/**
 * Describes a JSON document. Documents are small and read at every start: they stay in the server's own storage class,
 * since others charge for each retrieval or for 128 KiB at least.
 *
 * @param connection - The bucket and its settings.
 * @param key - The object's key. `current.json` moves, so caches must ask again; the others never change.
 * @returns Parameters of PutObject.
 */
export function describeDocument(connection: S3Reading, key: string): ObjectParams {
  const isMoving = key === 'current.json' || key.endsWith('/current.json');
  const cacheControl = isMoving ? 'no-cache' : connection.settings.cacheControl;
  return {
    ...describeAny(connection, key),
    ...(cacheControl === null ? {} : { CacheControl: cacheControl }),
  };
}

/**
 * Tells which account must own the bucket; to be spread into every request that names a bucket.
 *
 * @param connection - The bucket and its settings.
 * @returns The parameter, or nothing.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-owner-condition.html
 */
export function ownerOf(connection: S3Reading): OwnerParams {
  const { expectedBucketOwner } = connection.settings;
  return expectedBucketOwner === null ? {} : { ExpectedBucketOwner: expectedBucketOwner };
}

function describeAny(connection: S3Reading, key: string): ObjectParams {
  const { tags, encryption } = connection.settings;
  const tagging = Object.entries(tags).map((pair) => pair.map(encodeURIComponent).join('='));
  return {
    ContentType: contentTypes[/\.([^./]+)$/.exec(key)?.[1] ?? ''] ?? 'application/octet-stream',
    ...(tagging.length === 0 ? {} : { Tagging: tagging.join('&') }),
    ...(encryption === null ? {} : { ServerSideEncryption: encryption.algorithm }),
    ...(encryption === null || encryption.kmsKeyId === null ? {} : { SSEKMSKeyId: encryption.kmsKeyId }),
    ...ownerOf(connection),
  };
}
