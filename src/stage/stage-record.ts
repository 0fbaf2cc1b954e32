import { readFile } from 'node:fs/promises';
import { OptimiseModelError } from '../messages/error.js';
import { parseArtifactRecord } from '../store/artifact-record.js';
import type { WritableStore } from '../store/store.js';
import { objectUrl } from '../store/store-url.js';
import type { StagedFile } from './stage-artifact.js';

/** The `artifact.json` of a staged artifact: looked at before its files are sent, written after them. */
export type RecordInStore = {
  /** Whether the store has an intact one, which says that all files had been verified. */
  readonly isThere: boolean;
  readonly write: () => Promise<StagedFile>;
};

/**
 * Looks for the record of an artifact in a store and prepares writing it.
 *
 * @param store - The store.
 * @param key - Where the record belongs; the key holds the digest, so one that is there is of the same content.
 * @param path - The record in the artifact's folder; what is read of it now is what is written later.
 * @param digest - What the record must be of.
 * @param signal - Stops reading and writing.
 * @returns Whether it is there, and how to write it when it is not.
 * @throws `source-changed` when the record is of another artifact by now; what the store says.
 */
export async function stageRecord(
  store: WritableStore,
  key: string,
  path: string,
  digest: string,
  signal: AbortSignal,
): Promise<RecordInStore> {
  const bytes = await readLocal(path, digest);
  const found = await readRecord(store, key, signal);
  const write = async (): Promise<StagedFile> => {
    if (found?.isIntact) return { key, sizeBytes: found.sizeBytes, sent: false };
    // No condition: whoever stages the same right now writes the record of the same digest.
    await store.write(key, bytes, undefined, signal);
    return { key, sizeBytes: bytes.length, sent: true };
  };
  return { isThere: found?.isIntact === true, write };
}

/** A conversion into the same folder may have replaced it since the artifact was opened. */
async function readLocal(path: string, digest: string): Promise<Uint8Array> {
  const bytes = await readFile(path);
  if (parseArtifactRecord(bytes.toString(), path).digest === digest) return bytes;
  const sizes = { expectedBytes: bytes.length, seenBytes: bytes.length, nowBytes: bytes.length };
  throw OptimiseModelError.of('source-changed', { path, ...sizes, problem: 'it is of another artifact now' });
}

type FoundRecord = { readonly isIntact: boolean; readonly sizeBytes: number };

async function readRecord(
  store: WritableStore,
  key: string,
  signal: AbortSignal,
): Promise<FoundRecord | undefined> {
  try {
    const { bytes } = await store.read(key, signal);
    return { isIntact: isIntact(bytes, objectUrl(store.url, key)), sizeBytes: bytes.length };
  } catch (error) {
    if (error instanceof OptimiseModelError && error.code === 'object-missing') return undefined;
    throw error;
  }
}

function isIntact(bytes: Uint8Array, url: string): boolean {
  try {
    return url.includes(parseArtifactRecord(new TextDecoder().decode(bytes), url).digest);
  } catch (error) {
    if (error instanceof OptimiseModelError && error.code === 'record-wrong') return false;
    throw error;
  }
}
