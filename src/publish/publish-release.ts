import { printJson } from '../lib/json.js';
import { defaultObjectSettings, type ObjectSettings } from '../lib/object-settings.js';
import { toolVersion } from '../lib/tool-version.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { ChosenArtifact, ReleasedArtifact, ReleaseRecord } from '../store/release-record.js';
import { objectUrl } from '../store/store-url.js';
import { delayStop } from './delay-stop.js';
import { findNewer } from './find-newer.js';
import { isAnswered } from './judge-failure.js';
import { type ModelPlace, openModelPlace } from './model-place.js';
import { moveCurrent, recallReleases, type WrittenRelease } from './move-current.js';
import { proveConditions } from './prove-conditions.js';
import { type ReplacedCurrent, readCurrent, readReplacedCurrent } from './read-current.js';
import { hasCode } from './read-document.js';
import { refuseIfPruned, refuseUnlessStaged } from './refuse-unless-staged.js';
import { withdrawRelease } from './withdraw-release.js';
import { writeDocument } from './write-document.js';

/** What a release holds. */
export type ReleaseContent = {
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

/** What a release holds, and where it goes. */
export type PublishOptions = ReleaseContent & {
  readonly storeUrl: string;
  /** How objects are written; what holds where nothing was said, when left out. */
  readonly settings?: ObjectSettings;
};

/** A release that is out. */
export type PublishResult = {
  /** Such as `20261130T160501Z-1a2b3c4d`. */
  readonly release: string;
  readonly releaseUrl: string;
  readonly currentUrl: string;
  /** What `current.json` pointed to before; null for a first release. */
  readonly previousRelease: string | null;
  readonly findings: readonly Finding[];
};

/**
 * Publishes a release: `releases/RELEASE.json` first, then `current.json` moved to it. Both are conditional writes, so
 * that of two who publish at the same time one is told; its release document is removed again, as on any failure
 * before `current.json` moved. A damaged `current.json` is replaced, with the finding `current-replaced`.
 *
 * For A artifacts of F files each it takes A × (F + 2) + 7 requests to S3: F + 1 to verify an artifact and 1 to look at
 * it once more; `current.json` read and written; the release document written, two writes on it that must be refused,
 * and one look at it; and, where something is current, the names of the releases listed.
 *
 * @param options - What and where.
 * @param context - Stops the work; `current.json` moves last.
 * @returns The release.
 * @throws `publish-not-staged` when an object of an artifact is missing or damaged, `publish-conflict`,
 *   `publish-unknown`, `publish-left`, `s3-conditions-refused`, `s3-conditions-ignored`, what the store says.
 */
export async function publishRelease(
  options: PublishOptions,
  context: WorkContext = quietContext(),
): Promise<PublishResult> {
  const settings = options.settings ?? defaultObjectSettings;
  return publishInto(await openModelPlace(options.storeUrl, options.name, settings), options, context);
}

/**
 * Publishes a release at an open place; see {@link publishRelease}.
 *
 * @param place - The model's place in its store.
 * @param content - What is released.
 * @param context - Stops the work.
 * @returns The release.
 * @throws As {@link publishRelease}.
 */
export async function publishInto(
  place: ModelPlace,
  content: ReleaseContent,
  context: WorkContext,
): Promise<PublishResult> {
  const { signal } = context;
  const { store, keys } = place;
  await refuseUnlessStaged(place, content, context);
  const from = await readReplacedCurrent(place, signal);
  const newer = from?.record ? await findNewer(place, from.record.release, signal) : null;
  const to = draftRelease(place, content);
  await writeRelease(place, to, signal);
  try {
    await delayStop(signal, (late) => proveConditions(place, to, ['ifAbsent', 'ifEtag'], late));
    await refuseIfPruned(place, content.artifacts, signal);
    const previousReleases = recallReleases(from);
    await moveCurrent({ place, to, from, now: content.now, previousReleases }, signal);
  } catch (error) {
    const thrown = await withdrawRelease(place, to, error);
    if (thrown !== undefined) throw thrown;
  }
  return {
    release: to.record.release,
    releaseUrl: objectUrl(store.url, to.key),
    currentUrl: objectUrl(store.url, keys.current),
    previousRelease: from?.record?.release ?? null,
    findings: [...findRisks(place, from), ...findUndone(place, from, newer)],
  };
}

/**
 * Says what a move of `current.json` could not rule out, and what it lost.
 *
 * @param place - The model.
 * @param from - What was replaced; undefined for nothing.
 * @returns Warnings: where writes had no conditions, and of a damaged `current.json`.
 */
export function findRisks(
  { isConditional, store, keys, name }: ModelPlace,
  from: ReplacedCurrent | undefined,
): readonly Finding[] {
  const url = objectUrl(store.url, keys.current);
  const problem = from?.record === null ? from.problem : undefined;
  const about = { storeUrl: store.url, name, url };
  return [
    ...(isConditional ? [] : [makeFinding('warning', 'writes-unconditional', { url })]),
    ...(problem === undefined ? [] : [makeFinding('warning', 'current-replaced', { ...about, problem })]),
  ];
}

function findUndone(
  { store, keys, name }: ModelPlace,
  from: ReplacedCurrent | undefined,
  newer: string | null,
): readonly Finding[] {
  if (!from?.record || newer === null) return [];
  const facts = { storeUrl: store.url, name, url: objectUrl(store.url, keys.current) };
  return [makeFinding('info', 'rollback-undone', { ...facts, was: from.record.release, newer })];
}

function draftRelease({ keys }: ModelPlace, content: ReleaseContent): WrittenRelease {
  const { name, chosen, reason, artifacts, now } = content;
  const release = nameRelease(now, chosen.digest);
  const about = { name, release, createdAt: now.toISOString(), toolVersion };
  const record: ReleaseRecord = { schemaVersion: 1, kind: 'release', ...about, chosen, reason, artifacts };
  return { record, key: keys.release(release), bytes: Buffer.from(`${printJson(record)}\n`) };
}

/** A document of this name that is there already is somebody else's: it stays. */
async function writeRelease(place: ModelPlace, to: WrittenRelease, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  try {
    await delayStop(signal, (late) => writeDocument(place, to.key, to.bytes, { ifAbsent: true }, late));
  } catch (error) {
    if (!hasCode(error, 'write-conflict')) {
      throw isAnswered(error) ? error : ((await withdrawRelease(place, to, error)) ?? error);
    }
    const current = await readCurrent(place, signal).catch(() => undefined);
    const { name, release } = to.record;
    const url = objectUrl(place.store.url, to.key);
    const facts = { storeUrl: place.store.url, name, release, url, current: current?.record.release ?? null };
    throw OptimiseModelError.of('publish-conflict', facts, error);
  }
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
