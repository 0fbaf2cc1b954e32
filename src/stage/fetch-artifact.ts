import { rename, rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { prepareBeside } from '../lib/beside-target.js';
import { makeFolder } from '../lib/make-folder.js';
import type { ObjectSettings } from '../lib/object-settings.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import { OptimiseModelError } from '../messages/error.js';
import { type ArtifactRecord, artifactRecordName, parseArtifactRecord } from '../store/artifact-record.js';
import { downloadFolder } from '../store/download-folder.js';
import { translateFileSystemError } from '../store/file-system-error.js';
import { HashThread } from '../store/hash-thread.js';
import { type ResolvedArtifact, resolveStaged } from '../store/resolve-staged.js';
import { objectUrl } from '../store/store-url.js';
import { lookAtTarget } from './look-at-target.js';

/** What is fetched, and where to. */
export type FetchOptions = {
  /**
   * Address of an `artifact.json`, `releases/RELEASE.json` or `current.json` in any store that can be read, or of the
   * folder or prefix that holds a `current.json` or `artifact.json`.
   */
  readonly url: string;
  /** The folder that it becomes; not there yet, empty, or already this artifact. */
  readonly to: string;
  /** Ranges that are read at the same time, of all files together. */
  readonly concurrency: number;
  readonly partSizeBytes: number;
  /** Whose the bucket must be; nobody's in particular when left out. */
  readonly settings?: Pick<ObjectSettings, 'expectedBucketOwner'>;
};

/** A staged artifact that is in a folder of this machine now, verified. */
export type FetchResult = {
  readonly url: string;
  /** Absolute. */
  readonly folder: string;
  readonly digest: string;
  readonly variantId: string;
  /** The release that the address led through; null for an `artifact.json`. */
  readonly release: string | null;
  /** The artifact's files, without `artifact.json`, paths relative to the folder. */
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[];
  readonly sizeBytes: number;
  /** Whether the folder held this artifact already, intact; nothing was downloaded then. */
  readonly reused: boolean;
  readonly durationMs: number;
  /** Null when nothing was downloaded. */
  readonly bytesPerSecond: number | null;
};

/**
 * Downloads a staged artifact into a folder: beside it first, renamed when every file is verified.
 *
 * @param options - What and where to.
 * @param context - Stops and watches the work.
 * @returns What the folder holds now.
 * @throws `no-document-there`, `fetch-target-differs` when the folder holds anything else, `download-corrupt`, `object-missing`,
 *   `record-wrong`, what the store says; the folder is as it was then.
 */
export async function fetchArtifact(
  options: FetchOptions,
  context: WorkContext = quietContext(),
): Promise<FetchResult> {
  const startedMs = performance.now();
  const folder = resolve(options.to);
  const staged = await resolveStaged(options.url, undefined, context.signal, options.settings);
  const reused = await lookAtTarget(folder, staged.record, context.signal);
  if (!reused) await download(staged, folder, options, context);
  const durationMs = performance.now() - startedMs;
  const { digest, variant, files, sizeBytes } = staged.record;
  return {
    url: options.url,
    folder,
    digest,
    variantId: variant.id,
    release: staged.release?.release ?? null,
    files: files.map((file) => ({ path: file.path, sizeBytes: file.sizeBytes })),
    sizeBytes,
    reused,
    durationMs,
    bytesPerSecond: reused ? null : Math.round((sizeBytes * 1000) / durationMs),
  };
}

async function download(
  staged: ResolvedArtifact,
  folder: string,
  options: FetchOptions,
  context: WorkContext,
): Promise<void> {
  let beside: string | undefined;
  try {
    beside = await prepareBeside(folder);
    await makeFolder(beside);
    await downloadFiles(staged, beside, options, context);
    await writeFileAtomically(
      join(beside, artifactRecordName),
      await readRecordBytes(staged, context.signal),
    );
    context.signal.throwIfAborted();
    await putInPlace(beside, folder, staged, context.signal);
  } catch (error) {
    if (beside !== undefined) await rm(beside, { recursive: true, force: true });
    throw translateFileSystemError(error, 'write', folder);
  }
}

/** Another fetch of the same may have been faster. */
async function putInPlace(
  beside: string,
  folder: string,
  { record }: ResolvedArtifact,
  signal: AbortSignal,
): Promise<void> {
  try {
    await rmdir(folder).catch(ignoreMissing);
    await rename(beside, folder);
  } catch (error) {
    const isTaken =
      error instanceof Error && 'code' in error && ['ENOTEMPTY', 'EEXIST'].includes(String(error.code));
    if (!isTaken || !(await lookAtTarget(folder, record, signal))) throw error;
    await rm(beside, { recursive: true, force: true });
  }
}

async function downloadFiles(
  { store, record, filesPrefix: keyPrefix }: ResolvedArtifact,
  folder: string,
  { concurrency, partSizeBytes }: FetchOptions,
  { signal, progress }: WorkContext,
): Promise<void> {
  const { files, sizeBytes: total } = record;
  const label = `fetch ${record.variant.id}`;
  const onProgress = (done: number): void => progress({ label, done, total, unit: 'bytes' });
  const hashing = new HashThread();
  const where = { store, files, keyPrefix, folder };
  const how = { concurrency, partSizeBytes, startHash: hashing.start, isFlushed: true };
  try {
    await downloadFolder({ ...where, ...how, signal, onProgress });
  } finally {
    await hashing.close();
  }
}

async function readRecordBytes(staged: ResolvedArtifact, signal: AbortSignal): Promise<Uint8Array> {
  const key = staged.filesPrefix + artifactRecordName;
  const { bytes } = await staged.store.read(key, signal);
  const url = objectUrl(staged.store.url, key);
  const record: ArtifactRecord = parseArtifactRecord(new TextDecoder().decode(bytes), url);
  if (record.digest === staged.record.digest) return bytes;
  const facts = { expected: staged.record.digest, seen: record.digest };
  throw OptimiseModelError.of('download-corrupt', { url, problem: 'its digest', ...facts });
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
