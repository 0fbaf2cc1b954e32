import type { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { connectS3, type S3Connection } from '../../src/aws/s3-connection.js';
import { listObjects, type S3Object } from '../../src/aws/s3-objects.js';

/** A connection whose bucket lists these keys in this order, two a page, and remembers what was asked for. */
async function listing(bucket: string, keys: readonly string[], asked: unknown[]): Promise<S3Connection> {
  const connection = await connectS3(bucket, { AWS_REGION: 'us-east-1' });
  const send = async ({ input }: ListObjectsV2Command) => {
    asked.push(input.Prefix);
    const first = Number(input.ContinuationToken ?? 0);
    const found = keys.slice(first, first + 2).map((Key) => ({ Key, Size: 1, ETag: 'e' }));
    return { Contents: found, IsTruncated: first + 2 < keys.length, NextContinuationToken: `${first + 2}` };
  };
  return { ...connection, client: { send } as unknown as S3Client };
}

async function keysOf(objects: AsyncIterable<S3Object>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects) keys.push(key);
  return keys;
}

describe('listing a directory bucket', () => {
  it('asks for a whole folder, and gives what was wanted of it in order', async () => {
    const asked: unknown[] = [];
    const keys = ['p/m/b', 'p/other/x', 'p/m/\u{1F600}', 'p/m/a', 'p/m/\uFFFD'];
    const connection = await listing('models--use1-az4--x-s3', keys, asked);
    const found = await keysOf(listObjects(connection, 'p/m', undefined));
    expect(found).toEqual(['p/m/a', 'p/m/b', 'p/m/\uFFFD', 'p/m/\u{1F600}']);
    expect(new Set(asked)).toEqual(new Set(['p/']));
  });

  it('is not done for other buckets, which list in order', async () => {
    const asked: unknown[] = [];
    const connection = await listing('models', ['p/m/a', 'p/m/b', 'p/m/c'], asked);
    expect(await keysOf(listObjects(connection, 'p/m', undefined))).toEqual(['p/m/a', 'p/m/b', 'p/m/c']);
    expect(asked).toEqual(['p/m', 'p/m']);
  });
});
