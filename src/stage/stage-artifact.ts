import { join } from 'node:path';
import pLimit from 'p-limit';
import type { ObjectSettings } from '../lib/object-settings.js';
import { PartSlots } from '../lib/part-slots.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import type { Finding } from '../messages/finding.js';
import {
  type ArtifactFile,
  type ArtifactFolder,
  artifactRecordName,
  readArtifactFolder,
} from '../store/artifact-record.js';
import { findObjectProblem } from '../store/examine-staged.js';
import { openStore } from '../store/open-store.js';
import { choosePartSize } from '../store/plan-parts.js';
import { type StagedKeys, stagedKeys } from '../store/staged-layout.js';
import type { WritableStore } from '../store/store.js';
import { objectUrl } from '../store/store-url.js';
import { stageRecord } from './stage-record.js';

/** What is staged, where to, and how many requests run at the same time. */
export type StageOptions = {
  /** The artifact's folder. */
  readonly artifact: string;
  /** Address of the store. */
  readonly to: string;
  /** The model's name in the store. */
  readonly name: string;
  /** Of multipart uploads; null to choose it from the size of each file. */
  readonly partSizeBytes: number | null;
  /** Parts of all files together that are on their way at the same time. */
  readonly concurrency: number;
  /** How objects are written to S3. */
  readonly settings: ObjectSettings;
};

/** One file of a staged artifact; `sent` is false when it was there already. */
export type StagedFile = { readonly key: string; readonly sizeBytes: number; readonly sent: boolean };

/** An artifact that is in a store, verified. */
export type StageResult = {
  readonly storeUrl: string;
  readonly name: string;
  readonly digest: string;
  readonly variantId: string;
  readonly artifactUrl: string;
  readonly artifactKey: string;
  /** The artifact's files, and its `artifact.json` as the last. */
  readonly files: readonly StagedFile[];
  readonly sentBytes: number;
  readonly reusedBytes: number;
  readonly durationMs: number;
  readonly findings: readonly Finding[];
};

/**
 * Sends an artifact into a store: its files in parallel, each verified, and `artifact.json` last, so that a reader
 * never sees half of an artifact. What the store already has of it, intact, is not sent again.
 *
 * @param options - What, where to, how parallel.
 * @param context - Stops and watches the work.
 * @returns What is staged now.
 * @throws `artifact-wrong`, `name-wrong`, `store-url-wrong`, `source-changed`, `stored-differs`, the `s3-…` errors;
 *   `artifact.json` is not written then.
 */
export async function stageArtifact(
  options: StageOptions,
  context: WorkContext = quietContext(),
): Promise<StageResult> {
  const startedMs = performance.now();
  const keys = stagedKeys(options.name);
  const artifact = await readArtifactFolder(options.artifact);
  const { digest, variant } = artifact.record;
  const store = await openStore(options.to, options.settings);
  const recordPath = join(artifact.folder, artifactRecordName);
  const record = await stageRecord(store, keys.artifact(digest), recordPath, context.signal);
  const slots = new PartSlots(options.concurrency);
  const files = await sendFiles({
    store,
    keys,
    artifact,
    options,
    isRecorded: record.isThere,
    slots,
    context,
  });
  files.push(await record.write());
  const sum = (sent: boolean): number =>
    files.reduce((bytes, file) => bytes + (file.sent === sent ? file.sizeBytes : 0), 0);
  return {
    storeUrl: store.url,
    name: options.name,
    digest,
    variantId: variant.id,
    artifactUrl: objectUrl(store.url, keys.artifact(digest)),
    artifactKey: keys.artifact(digest),
    files,
    sentBytes: sum(true),
    reusedBytes: sum(false),
    durationMs: performance.now() - startedMs,
    findings: [],
  };
}

type Sending = {
  readonly store: WritableStore;
  readonly keys: StagedKeys;
  readonly artifact: ArtifactFolder;
  readonly options: StageOptions;
  /** Whether the store has this artifact's record, which was written after its files. */
  readonly isRecorded: boolean;
  readonly slots: PartSlots;
  readonly context: WorkContext;
};

async function sendFiles(sending: Sending): Promise<StagedFile[]> {
  const { artifact, options, context } = sending;
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const progress = sumProgress(artifact, context);
  const limit = pLimit(options.concurrency);
  const work = artifact.record.files.map((file) =>
    limit(async () => {
      signal.throwIfAborted();
      return sendFile(sending, file, signal, (doneBytes) => progress(file.path, doneBytes));
    }),
  );
  try {
    return await Promise.all(work);
  } catch (error) {
    stop.abort();
    // Each has to take back what it had begun before the first error may end the process.
    await Promise.allSettled(work);
    throw error;
  }
}

async function sendFile(
  { store, keys, artifact, options, isRecorded, slots }: Sending,
  file: ArtifactFile,
  signal: AbortSignal,
  onProgress: (doneBytes: number) => void,
): Promise<StagedFile> {
  const key = keys.object(artifact.record.digest, file.path);
  const { sizeBytes, sha256 } = file;
  if (isRecorded && (await findObjectProblem(store, key, file, signal)) === undefined) {
    onProgress(sizeBytes);
    return { key, sizeBytes, sent: false };
  }
  const partSizeBytes = options.partSizeBytes ?? choosePartSize(sizeBytes);
  const how = { partSizeBytes, slots, signal, onProgress };
  await store.putFile({ key, path: join(artifact.folder, file.path), sizeBytes, sha256, ...how });
  return { key, sizeBytes, sent: true };
}

function sumProgress(
  { record }: ArtifactFolder,
  { progress }: WorkContext,
): (path: string, doneBytes: number) => void {
  const doneOf = new Map<string, number>();
  return (path, doneBytes) => {
    doneOf.set(path, doneBytes);
    const done = [...doneOf.values()].reduce((sum, bytes) => sum + bytes, 0);
    progress({ label: `stage ${record.variant.id}`, done, total: record.sizeBytes, unit: 'bytes' });
  };
}
