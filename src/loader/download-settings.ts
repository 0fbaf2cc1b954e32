import type { DownloadSettings } from '../store/download.js';
import type { ReadableStore } from '../store/store.js';
import type { ResolvedOpenOptions } from './open-options.js';

/**
 * Says how the loader downloads: nobody watches, and a Lambda that is to stop is not asked first.
 *
 * @param store - From where.
 * @param options - Size of the ranges, and how many at a time for all files together.
 * @returns The settings.
 */
export function downloadSettings(
  store: ReadableStore,
  { partSizeBytes, concurrency }: ResolvedOpenOptions,
): DownloadSettings {
  const { signal } = new AbortController();
  return { store, partSizeBytes, concurrency, signal, onProgress: () => undefined };
}
