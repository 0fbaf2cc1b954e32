import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  DeleteObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { printCrc32 } from '../../src/lib/crc32.js';
import { hashBytes } from '../../src/lib/sha256.js';
import { openStore } from '../../src/store/open-store.js';
import { clientOf } from '../services/client-of.js';

/** Where a store lies; undefined for a folder. */
function bucketOf(storeUrl: string): { client: S3Client; Bucket: string; prefix: string } | undefined {
  const [, Bucket, prefix] = /^s3:\/\/([^/]+)\/(.+)$/.exec(storeUrl) ?? [];
  if (Bucket === undefined) return undefined;
  const {
    AWS_ENDPOINT_URL_S3: endpoint = '',
    AWS_ACCESS_KEY_ID: accessKeyId = '',
    AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
  } = process.env;
  return { client: clientOf({ endpoint, accessKeyId, secretAccessKey }), Bucket, prefix: `${prefix}/` };
}

/** Puts an object there, whatever is there; as a file it has the checksum and the notes that staging gives it. */
export async function putObject(storeUrl: string, key: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content);
  const found = bucketOf(storeUrl);
  if (found === undefined) {
    await mkdir(dirname(join(storeUrl, key)), { recursive: true });
    return writeFile(join(storeUrl, key), bytes);
  }
  const { client, Bucket, prefix } = found;
  const Metadata = { sha256: hashBytes(bytes), crc32: printCrc32(crc32(bytes)) };
  const what = { Body: bytes, ChecksumAlgorithm: 'CRC32', Metadata } as const;
  await client.send(new PutObjectCommand({ Bucket, Key: prefix + key, ...what }));
}

/** Removes an object. */
export async function removeObject(storeUrl: string, key: string): Promise<void> {
  const found = bucketOf(storeUrl);
  if (found === undefined) return rm(join(storeUrl, key), { force: true });
  const { client, Bucket, prefix } = found;
  await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + key }));
}

/** All keys of a store, in order. */
export async function keysOf(storeUrl: string): Promise<readonly string[]> {
  const keys: string[] = [];
  const found = bucketOf(storeUrl);
  if (found === undefined) {
    // What a folder has beside its objects is not told of here.
    for await (const { key } of (await openStore(storeUrl)).list('')) keys.push(key);
    return keys;
  }
  const { client, Bucket, prefix } = found;
  for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
    keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(prefix.length)));
  return keys;
}
