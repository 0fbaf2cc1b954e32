import { join } from 'node:path';
import pLimit from 'p-limit';
import type { ObjectSettings } from '../lib/object-settings.js';
import { PartSlots } from '../lib/part-slots.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import type { FactsOf } from '../messages/catalogue.js';
import { OptimiseModelError } from '../messages/error.js';
import { type Finding, makeFinding } from '../messages/finding.js';
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
import { listPresent, refuseIfGone } from './list-present.js';
import { stageRecord } from './stage-record.js';
import { sweepInterrupted, uploadGraceHours } from './sweep-interrupted.js';

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
  const record = await stageRecord(store, keys.artifact(digest), recordPath, digest, context.signal);
  const present = record.isThere ? null : await listPresent(store, keys.object(digest, ''), context.signal);
  const findings = await sweepBefore(store, artifact, options, record.isThere, context.signal);
  const slots = new PartSlots(options.concurrency);
  const files = await sendFiles({ store, keys, artifact, options, present, slots, context });
  files.push(await record.write());
  if (files.some((file) => file.sent)) {
    const staged = files.map(({ key }) => key);
    await refuseIfGone(store, keys.object(digest, ''), staged, context.signal);
  }
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
    findings: [...findings, ...tellOfSettings(store.url, options.settings, files)],
  };
}

async function sweepBefore(
  store: WritableStore,
  { record }: ArtifactFolder,
  options: StageOptions,
  isThere: boolean,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  // The server is asked only when there will be multipart uploads: small artifacts cost no request more.
  const lists = !isThere && record.files.some((file) => file.sizeBytes > partSizeOf(options, file.sizeBytes));
  const how = { graceMs: uploadGraceHours * 3_600_000, lists, isDryRun: false };
  return (await sweepInterrupted(store, `${options.name}/`, how, signal)).findings;
}

/** Who asks for encryption must not believe that what was there has it now. */
function tellOfSettings(
  storeUrl: string,
  { tags, encryption, storageClass }: ObjectSettings,
  files: readonly StagedFile[],
): readonly Finding[] {
  const isAsked = Object.keys(tags).length > 0 || encryption !== null || storageClass !== null;
  const count = files.filter((file) => !file.sent).length;
  return isAsked && count > 0 ? [makeFinding('warning', 'settings-not-applied', { storeUrl, count })] : [];
}

function partSizeOf({ partSizeBytes }: StageOptions, sizeBytes: number): number {
  return partSizeBytes ?? choosePartSize(sizeBytes);
}

type Sending = {
  readonly store: WritableStore;
  readonly keys: StagedKeys;
  readonly artifact: ArtifactFolder;
  readonly options: StageOptions;
  /** Keys that the store has of this artifact; null when it has its record, so that all should be there. */
  readonly present: ReadonlySet<string> | null;
  readonly slots: PartSlots;
  readonly context: WorkContext;
};

async function sendFiles(sending: Sending): Promise<StagedFile[]> {
  const { artifact, options, context } = sending;
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const progress = sumProgress(artifact, context);
  const limit = pLimit(options.concurrency);
  // The largest first, so that none of them is left alone at the end.
  const sorted = [...artifact.record.files].sort((left, right) => right.sizeBytes - left.sizeBytes);
  const work = sorted.map((file) =>
    limit(async () => {
      signal.throwIfAborted();
      return sendFile(sending, file, signal, progress());
    }),
  );
  try {
    const sent = await Promise.all(work);
    return sent.sort((left, right) => (left.key < right.key ? -1 : 1));
  } catch (error) {
    stop.abort();
    // Each has to take back what it had begun before the first error may end the process.
    const ended = await Promise.allSettled(work);
    throw tellOfRemains(context.signal.aborted ? context.signal.reason : error, ended);
  }
}

/** That parts remain must be told, whichever file failed first. */
function tellOfRemains(first: unknown, ended: readonly PromiseSettledResult<unknown>[]): unknown {
  const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  const left = failures.filter(
    (error) => error instanceof OptimiseModelError && error.code === 's3-parts-left',
  );
  const [one] = left;
  if (!(one instanceof OptimiseModelError) || first === one) return first;
  const facts = one.facts as FactsOf<'s3-parts-left'>;
  const isStop = !(first instanceof OptimiseModelError) || first.code === 'interrupted';
  const told = isStop ? facts.first : { code: first.code, what: first.message };
  return OptimiseModelError.of('s3-parts-left', { ...facts, first: told }, first);
}

async function sendFile(
  { store, keys, artifact, options, present, slots }: Sending,
  file: ArtifactFile,
  signal: AbortSignal,
  onProgress: (doneBytes: number) => void,
): Promise<StagedFile> {
  const key = keys.object(artifact.record.digest, file.path);
  const { sizeBytes, sha256 } = file;
  const mayBeThere = present === null || present.has(key);
  if (mayBeThere && (await findObjectProblem(store, key, file, signal)) === undefined) {
    onProgress(sizeBytes);
    return { key, sizeBytes, sent: false };
  }
  const partSizeBytes = partSizeOf(options, sizeBytes);
  const how = { partSizeBytes, slots, signal, onProgress };
  await store.putFile({ key, path: join(artifact.folder, file.path), sizeBytes, sha256, ...how });
  return { key, sizeBytes, sent: true };
}

/** For each file a function that is told how much of it is done. */
function sumProgress(
  { record }: ArtifactFolder,
  { progress }: WorkContext,
): () => (doneBytes: number) => void {
  let done = 0;
  return () => {
    let before = 0;
    return (doneBytes) => {
      done += doneBytes - before;
      before = doneBytes;
      progress({ label: `stage ${record.variant.id}`, done, total: record.sizeBytes, unit: 'bytes' });
    };
  };
}
