import { OptimiseModelError } from '../messages/error.js';
import type { ReadableStore } from '../store/store.js';

/** A small object as it was read. */
export type StoredDocument = { readonly bytes: Uint8Array; readonly etag: string };

/**
 * Reads a document that may not be there.
 *
 * @param store - The store.
 * @param key - Its key.
 * @param signal - Stops reading.
 * @returns The document; undefined when there is none.
 * @throws What the store says.
 */
export async function readIfThere(
  store: ReadableStore,
  key: string,
  signal: AbortSignal,
): Promise<StoredDocument | undefined> {
  try {
    return await store.read(key, signal);
  } catch (error) {
    if (hasCode(error, 'object-missing')) return undefined;
    throw error;
  }
}

/**
 * Tells whether an error is one of ours with a given code.
 *
 * @param error - What was thrown.
 * @param codes - The codes.
 * @returns True when it has one of them.
 */
export function hasCode(error: unknown, ...codes: readonly OptimiseModelError['code'][]): boolean {
  return error instanceof OptimiseModelError && codes.includes(error.code);
}
