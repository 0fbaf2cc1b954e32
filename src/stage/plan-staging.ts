import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { ObjectSettings } from '../lib/object-settings.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { type ArtifactFile, artifactRecordName, readArtifactFolder } from '../store/artifact-record.js';
import { describeStore, refusePartSize, type StorePlace } from '../store/describe-store.js';
import { findObjectProblem } from '../store/examine-staged.js';
import { openStore } from '../store/open-store.js';
import { choosePartSize } from '../store/plan-parts.js';
import { stagedKeys } from '../store/staged-layout.js';
import { objectUrl } from '../store/store-url.js';
import { listPresent } from './list-present.js';
import type { StageOptions } from './stage-artifact.js';
import { stageRecord } from './stage-record.js';

/** What would become of one object. */
type PlannedObject = {
  readonly key: string;
  readonly sizeBytes: number;
  readonly action: 'send' | 'skip';
  /** Size of its parts; null where it would be sent in one piece, or not at all. */
  readonly partSizeBytes: number | null;
  /** Requests that would carry bytes: 0 when it is skipped, 1 for one piece. */
  readonly parts: number;
};

/** What staging an artifact would do. */
export type StagingPlan = {
  readonly dryRun: true;
  readonly storeUrl: string;
  readonly place: StorePlace;
  readonly name: string;
  readonly digest: string;
  readonly variantId: string;
  readonly artifactUrl: string;
  readonly artifactKey: string;
  /** The artifact's files, and its `artifact.json` as the last. */
  readonly objects: readonly PlannedObject[];
  readonly sendBytes: number;
  readonly skipBytes: number;
  readonly concurrency: number;
  /** Most that the parts on their way take in memory; null for a directory, which has no parts. */
  readonly memoryBoundBytes: number | null;
  readonly settings: ObjectSettings;
};

/**
 * Says what {@link stageArtifact} would do, with the same checks, and sends nothing.
 *
 * @param options - As staging takes them.
 * @param context - Stops the work.
 * @returns The plan.
 * @throws What staging throws before it sends.
 */
export async function planStaging(
  options: StageOptions,
  context: WorkContext = quietContext(),
): Promise<StagingPlan> {
  const { signal } = context;
  const keys = stagedKeys(options.name);
  const { folder, record } = await readArtifactFolder(options.artifact);
  const store = await openStore(options.to, options.settings);
  const recordPath = join(folder, artifactRecordName);
  const recordKey = keys.artifact(record.digest);
  const staged = await stageRecord(store, recordKey, recordPath, record.digest, signal);
  const present = staged.isThere ? null : await listPresent(store, keys.object(record.digest, ''), signal);
  const isThere = async (key: string, file: ArtifactFile): Promise<boolean> =>
    (present === null || present.has(key)) &&
    (await findObjectProblem(store, key, file, signal)) === undefined;
  const limit = pLimit(options.concurrency);
  const planned = record.files.map((file) =>
    limit(async () => {
      const key = keys.object(record.digest, file.path);
      return planObject(key, file.sizeBytes, await isThere(key, file), options.partSizeBytes);
    }),
  );
  const { size: recordBytes } = await stat(recordPath);
  const last = planObject(recordKey, recordBytes, staged.isThere, recordBytes);
  const objects = [...(await Promise.all(planned)), last];
  const place = await describeStore(options.to, options.settings, signal);
  if (place.kind === 's3') refuseParts(objects, options);
  const sum = (action: PlannedObject['action']): number =>
    objects.reduce((bytes, object) => bytes + (object.action === action ? object.sizeBytes : 0), 0);
  return {
    dryRun: true,
    storeUrl: store.url,
    place,
    ...{ name: options.name, digest: record.digest, variantId: record.variant.id },
    artifactUrl: objectUrl(store.url, recordKey),
    artifactKey: recordKey,
    objects: place.kind === 's3' ? objects : objects.map(inOnePiece),
    sendBytes: sum('send'),
    skipBytes: sum('skip'),
    concurrency: options.concurrency,
    memoryBoundBytes: place.kind === 's3' ? options.concurrency * largestPiece(objects) : null,
    settings: options.settings,
  };
}

function planObject(
  key: string,
  sizeBytes: number,
  isThere: boolean,
  wantedPartBytes: number | null,
): PlannedObject {
  const partBytes = wantedPartBytes ?? choosePartSize(sizeBytes);
  const isWhole = isThere || sizeBytes <= partBytes;
  return {
    key,
    sizeBytes,
    action: isThere ? 'skip' : 'send',
    partSizeBytes: isWhole ? null : partBytes,
    parts: isThere ? 0 : Math.max(1, Math.ceil(sizeBytes / partBytes)),
  };
}

function inOnePiece(object: PlannedObject): PlannedObject {
  return { ...object, partSizeBytes: null, parts: Math.min(object.parts, 1) };
}

function refuseParts(objects: readonly PlannedObject[], { partSizeBytes }: StageOptions): void {
  if (partSizeBytes === null) return;
  for (const { sizeBytes } of objects.slice(0, -1)) refusePartSize({ sizeBytes, partSizeBytes });
}

function largestPiece(objects: readonly PlannedObject[]): number {
  const pieces = objects.map(({ action, sizeBytes, partSizeBytes }) =>
    action === 'send' ? (partSizeBytes ?? sizeBytes) : 0,
  );
  return Math.max(0, ...pieces);
}
