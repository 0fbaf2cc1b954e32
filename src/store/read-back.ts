import { OptimiseModelError } from '../messages/error.js';
import { downloadObjects } from './download.js';
import { hashOnlyTarget } from './download-target.js';
import type { PutFile, WritableStore } from './store.js';
import { objectUrl } from './store-url.js';

/**
 * Reads what was stored and compares it with what was sent: the only proof on servers without checksums. What differs
 * is removed.
 *
 * @param store - The store.
 * @param file - What was sent.
 * @throws `stored-differs`, what the store says.
 */
export async function readBack(store: WritableStore, file: PutFile): Promise<void> {
  const { key, sizeBytes, sha256, partSizeBytes, signal } = file;
  const reading = { store, partSizeBytes, concurrency: 1, signal, onProgress: () => undefined };
  try {
    await downloadObjects([{ key, sizeBytes, sha256, open: hashOnlyTarget }], reading);
  } catch (error) {
    if (!(error instanceof OptimiseModelError) || error.code !== 'download-corrupt') throw error;
    await store.remove(key);
    const { problem, expected, seen } = error.facts;
    const facts = { url: objectUrl(store.url, key), problem: String(problem), fate: 'it was removed' };
    throw OptimiseModelError.of(
      'stored-differs',
      { ...facts, expected: String(expected), seen: String(seen) },
      error,
    );
  }
}
