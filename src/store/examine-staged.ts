import pLimit from 'p-limit';
import { OptimiseModelError } from '../messages/error.js';
import { type ArtifactFile, type ArtifactRecord, parseArtifactRecord } from './artifact-record.js';
import type { StagedKeys } from './staged-layout.js';
import type { WritableStore } from './store.js';
import { objectUrl } from './store-url.js';

/** An artifact may have a thousand files. */
const requestsAtOnce = 16;

/**
 * Compares what a store has of an artifact with the artifact's record: size and content of every file, and the record.
 *
 * @param store - The store.
 * @param keys - The model's places in it.
 * @param artifact - What should be there.
 * @param signal - Stops the reading.
 * @returns One clause for everything that is missing or different; empty when it is staged and intact.
 * @throws What the store says.
 */
export async function findStagedProblems(
  store: WritableStore,
  keys: StagedKeys,
  { digest, files }: Pick<ArtifactRecord, 'digest' | 'files'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const limit = pLimit(requestsAtOnce);
  const found = await Promise.all([
    ...files.map((file) =>
      limit(async () => {
        signal.throwIfAborted();
        return findObjectProblem(store, keys.object(digest, file.path), file, signal);
      }),
    ),
    findRecordProblem(store, keys.artifact(digest), digest, signal),
  ]);
  return found.filter((problem) => problem !== undefined);
}

/**
 * Compares an object with what it should be.
 *
 * @param store - The store.
 * @param key - The object's key.
 * @param file - The size and content that it should have.
 * @param signal - Stops the reading.
 * @returns What is wrong, one clause; undefined when it is intact.
 * @throws What the store says.
 */
export async function findObjectProblem(
  store: WritableStore,
  key: string,
  { sizeBytes, sha256 }: ArtifactFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await store.examine(key, signal);
  if (found === undefined) return `${key} is missing`;
  if (found.sizeBytes !== sizeBytes) return `${key} has ${found.sizeBytes} bytes instead of ${sizeBytes}`;
  if (found.sha256 === sha256) return undefined;
  return `${key} has another content (SHA-256 ${found.sha256}) than its record says (${sha256})`;
}

async function findRecordProblem(
  store: WritableStore,
  key: string,
  digest: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { bytes } = await store.read(key, signal);
    const record = parseArtifactRecord(new TextDecoder().decode(bytes), objectUrl(store.url, key));
    return record.digest === digest ? undefined : `${key} is of another artifact`;
  } catch (error) {
    if (!(error instanceof OptimiseModelError)) throw error;
    if (error.code === 'object-missing') return `${key} is missing`;
    if (error.code === 'record-wrong') return `${key} is damaged`;
    throw error;
  }
}
