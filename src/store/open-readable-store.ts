import { defaultObjectSettings, type ObjectSettings } from '../lib/object-settings.js';
import { rememberCloser } from './close-connections.js';
import type { ReadableStore } from './store.js';
import { parseStoreUrl } from './store-url.js';

/**
 * Opens a store for reading. What it takes to speak to S3 is imported only then; what writes is no part of it, so that a
 * handler does not bundle it.
 *
 * @param url - `s3://bucket/prefix`, a folder as path or `file://` address, or an `http(s)://` address.
 * @param settings - Whose a bucket must be.
 * @returns The store.
 * @throws `store-url-wrong`, `s3-region-missing`.
 */
export async function openReadableStore(
  url: string,
  settings?: Pick<ObjectSettings, 'expectedBucketOwner'>,
): Promise<ReadableStore> {
  const address = parseStoreUrl(url);
  if (address.kind === 'http') {
    const { openHttpStore } = await import('./http-store.js');
    return openHttpStore(address.url);
  }
  if (address.kind === 'directory') {
    const { openDirectoryReader } = await import('./directory-reader.js');
    return openDirectoryReader(address.url);
  }
  const { openS3Reader } = await import('./s3-reader.js');
  rememberCloser((await import('../aws/shared-sockets.js')).closeIdleSockets);
  return openS3Reader(address, { ...defaultObjectSettings, ...settings });
}
