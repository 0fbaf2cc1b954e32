import {
  CreateBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { clientOf } from './client-of.js';
import type { RunningS3 } from './versitygw.mjs';

/** A bucket on a running server, seen without any code of ours. */
export type TestBucket = {
  readonly name: string;
  readonly keys: () => Promise<string[]>;
  /** Puts an object there as any other program would. */
  readonly put: (key: string, bytes: Uint8Array) => Promise<void>;
  /** The `Cache-Control` of an object; empty without one. */
  readonly cacheControl: (key: string) => Promise<string>;
  /** Multipart uploads that were begun and neither completed nor aborted. */
  readonly openUploads: () => Promise<number>;
};

let count = 0;

/**
 * Makes a new bucket.
 *
 * @param s3 - The server.
 * @returns The bucket.
 */
export async function makeBucket(s3: RunningS3): Promise<TestBucket> {
  const client = clientOf(s3);
  count += 1;
  const name = `models-${process.pid}-${count}`;
  const Bucket = name;
  await client.send(new CreateBucketCommand({ Bucket }));
  return {
    name,
    keys: async () => {
      const { Contents: contents } = await client.send(new ListObjectsV2Command({ Bucket }));
      return (contents ?? []).map((item) => item.Key ?? '');
    },
    put: async (key, bytes) => {
      await client.send(new PutObjectCommand({ Bucket, Key: key, Body: bytes }));
    },
    cacheControl: async (key) => {
      const { CacheControl: text = '' } = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
      return text;
    },
    openUploads: async () => {
      const { Uploads: uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return uploads?.length ?? 0;
    },
  };
}
