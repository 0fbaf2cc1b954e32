import { defaultObjectSettings, type ObjectSettings } from '../lib/object-settings.js';
import { OptimiseModelError } from '../messages/error.js';
import type { WritableStore } from './store.js';
import { parseStoreUrl } from './store-url.js';

/**
 * Opens a store for writing. What it takes to speak to S3 is imported only then.
 *
 * @param url - `s3://bucket/prefix`, or a folder as path or `file://` address.
 * @param settings - How objects are written to S3.
 * @returns The store.
 * @throws `store-url-wrong`, `store-read-only` for http(s), `s3-region-missing`.
 */
export async function openStore(
  url: string,
  settings: ObjectSettings = defaultObjectSettings,
): Promise<WritableStore> {
  const address = parseStoreUrl(url);
  if (address.kind === 'http') throw OptimiseModelError.of('store-read-only', { url: address.url });
  if (address.kind === 'directory') {
    const { openDirectoryStore } = await import('./directory-store.js');
    return openDirectoryStore(address.url);
  }
  const { openS3Store } = await import('./s3-store.js');
  return openS3Store(address, settings);
}
