import { printJson } from '../lib/json.js';
import type { ObjectSettings } from '../lib/object-settings.js';
import { toolVersion } from '../lib/tool-version.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { openStore } from '../store/open-store.js';
import {
  type ChosenArtifact,
  type CurrentRecord,
  parseCurrentRecord,
  type ReleasedArtifact,
  type ReleaseRecord,
} from '../store/release-record.js';
import { stagedKeys } from '../store/staged-layout.js';
import type { WritableStore, WriteCondition } from '../store/store.js';
import { objectUrl } from '../store/store-url.js';
import { refuseUnlessStaged } from './refuse-unless-staged.js';

/** What a release holds, and where it goes. */
export type PublishOptions = {
  readonly storeUrl: string;
  /** How objects are written to S3; as usual when left out. */
  readonly settings?: ObjectSettings;
  /** The model's name in the store. */
  readonly name: string;
  readonly chosen: ChosenArtifact;
  /** Why it was chosen, one sentence. */
  readonly reason: string;
  /** Every artifact of the run, the chosen one among them. */
  readonly artifacts: readonly ReleasedArtifact[];
  /** What is moved to the new release. */
  readonly to: 'current';
  /** The time that the release gets its name from. */
  readonly now: Date;
};

/** A release that is out. */
export type PublishResult = {
  /** Such as `20261130T160501Z-1a2b3c4d`. */
  readonly release: string;
  readonly releaseUrl: string;
  readonly currentUrl: string;
  /** What `current.json` pointed to before; null for a first release. */
  readonly previousRelease: string | null;
};

/**
 * Publishes a release: `releases/RELEASE.json` first, then `current.json` moved to it. Both are conditional writes,
 * so that of two who publish at the same time one is told.
 *
 * @param options - What and where.
 * @param context - Stops the work; `current.json` moves last.
 * @returns The release.
 * @throws `publish-not-staged` when an object of an artifact is missing or damaged, `publish-conflict`,
 *   `record-wrong` when `current.json` is not one of ours, what the store says.
 */
export async function publishRelease(
  options: PublishOptions,
  context: WorkContext = quietContext(),
): Promise<PublishResult> {
  const { signal } = context;
  const keys = stagedKeys(options.name);
  const store = await openStore(options.storeUrl, options.settings);
  await refuseUnlessStaged(store, options, signal);
  const previous = await readCurrent(store, keys.current, signal);
  const record = makeRelease(options);
  const releaseKey = keys.release(record.release);
  const writer = { store, release: record.release, signal };
  await writeOrConflict(writer, releaseKey, record, { ifAbsent: true });
  const current: CurrentRecord = {
    schemaVersion: 1,
    kind: 'current',
    name: options.name,
    release: record.release,
    releaseKey: `releases/${record.release}.json`,
    updatedAt: record.createdAt,
  };
  const condition = previous === undefined ? ({ ifAbsent: true } as const) : { ifEtag: previous.etag };
  await writeOrConflict(writer, keys.current, current, condition);
  return {
    release: record.release,
    releaseUrl: objectUrl(store.url, releaseKey),
    currentUrl: objectUrl(store.url, keys.current),
    previousRelease: previous?.record.release ?? null,
  };
}

function makeRelease(options: PublishOptions): ReleaseRecord {
  const { name, chosen, reason, artifacts, now } = options;
  const release = nameRelease(now, chosen.digest);
  const about = { name, release, createdAt: now.toISOString(), toolVersion };
  return { schemaVersion: 1, kind: 'release', ...about, chosen, reason, artifacts };
}

/**
 * Names a release.
 *
 * @param now - When it is made; the name holds the second.
 * @param digest - Of the chosen artifact.
 * @returns Such as `20261130T160501Z-1a2b3c4d`.
 */
export function nameRelease(now: Date, digest: string): string {
  const time = now.toISOString().replace(/\.\d+Z$/, 'Z');
  return `${time.replace(/[-:]/g, '')}-${digest.slice(0, 8)}`;
}

/**
 * Reads the `current.json` of a model.
 *
 * @param store - The store.
 * @param key - Where it is.
 * @param signal - Stops reading.
 * @returns What it says and its ETag; undefined when there is none.
 * @throws `record-wrong`, what the store says.
 */
export async function readCurrent(
  store: WritableStore,
  key: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly record: CurrentRecord; readonly etag: string } | undefined> {
  try {
    const { bytes, etag } = await store.read(key, signal);
    const text = new TextDecoder().decode(bytes);
    return { record: parseCurrentRecord(text, objectUrl(store.url, key)), etag };
  } catch (error) {
    if (error instanceof OptimiseModelError && error.code === 'object-missing') return undefined;
    throw error;
  }
}

async function writeOrConflict(
  { store, release, signal }: { store: WritableStore; release: string; signal: AbortSignal },
  key: string,
  record: ReleaseRecord | CurrentRecord,
  condition: WriteCondition,
): Promise<void> {
  signal.throwIfAborted();
  try {
    await store.write(key, Buffer.from(`${printJson(record)}\n`), condition, signal);
  } catch (error) {
    if (!(error instanceof OptimiseModelError) || error.code !== 'write-conflict') throw error;
    throw OptimiseModelError.of('publish-conflict', { release, url: objectUrl(store.url, key) }, error);
  }
}
