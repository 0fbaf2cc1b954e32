import type { ObjectSettings } from '../lib/object-settings.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { RecordReader } from '../store/record-fields.js';
import { objectUrl } from '../store/store-url.js';
import { delayStop } from './delay-stop.js';
import { findRollback } from './find-rollback.js';
import { type ModelPlace, openModelPlace } from './model-place.js';
import { moveCurrent, recallReleases, type WrittenRelease } from './move-current.js';
import { proveConditions } from './prove-conditions.js';
import { findRisks, type PublishResult } from './publish-release.js';
import { type ReplacedCurrent, readReplacedCurrent } from './read-current.js';
import { readRelease, readReleases } from './read-releases.js';
import { refuseNothingThere } from './refuse-nothing-there.js';
import { refuseUnlessStaged } from './refuse-unless-staged.js';

/** Which model is rolled back. */
export type RollbackOptions = {
  readonly storeUrl: string;
  readonly name: string;
  readonly settings: ObjectSettings;
  /** The time of the move. */
  readonly now: Date;
};

/** Which release is made current. */
export type PromoteOptions = RollbackOptions & { readonly release: string };

/** Where `current.json` is now. */
export type PromoteResult = PublishResult & {
  readonly name: string;
  /** False when the release was current already. */
  readonly moved: boolean;
};

/**
 * Makes a release current that is in the store: everything it names is verified as for publishing, then `current.json`
 * is moved, if it still is what it was. A damaged one is replaced, with the finding `current-replaced`.
 *
 * @param options - Which release.
 * @param context - Stops and watches the work.
 * @returns What is current now.
 * @throws `name-not-there`, `current-foreign`, `release-missing`, `record-wrong`, `publish-not-staged`, `publish-conflict`, `publish-unknown`,
 *   `s3-conditions-refused`, `s3-conditions-ignored`, what the store says.
 */
export async function promoteRelease(
  options: PromoteOptions,
  context: WorkContext = quietContext(),
): Promise<PromoteResult> {
  const place = await openModelPlace(options.storeUrl, options.name, options.settings);
  const from = await readReplacedCurrent(place, context.signal);
  if (from === undefined) await refuseNothingThere(place.store, place.name, context.signal);
  return promoteAt(place, { release: options.release, from, now: options.now }, context);
}

/**
 * Makes the release current again that was current before, or, where `current.json` does not say which, the newest that
 * is older; verified as {@link promoteRelease} does. Twice in a row goes back two.
 *
 * @param options - Which model.
 * @param context - Stops and watches the work.
 * @returns What is current now.
 * @throws `rollback-impossible` when there is none, and as {@link promoteRelease}.
 */
export async function rollbackRelease(
  options: RollbackOptions,
  context: WorkContext = quietContext(),
): Promise<PromoteResult> {
  const place = await openModelPlace(options.storeUrl, options.name, options.settings);
  const from = await readReplacedCurrent(place, context.signal);
  if (from === undefined) await refuseNothingThere(place.store, place.name, context.signal);
  const target = await findRollback(place, from, context.signal);
  return promoteAt(place, { ...target, from, now: options.now }, context);
}

/** A move that is asked for. */
export type Promotion = {
  readonly release: string;
  readonly from: ReplacedCurrent | undefined;
  readonly now: Date;
  /** What `current.json` says was current before, null for nothing; what it is now and said, when left out. */
  readonly previousReleases?: readonly string[] | null;
};

/**
 * Makes a release current at an open place; see {@link promoteRelease}.
 *
 * @param place - The model's place in its store.
 * @param promotion - Which release, and what `current.json` was when it was chosen.
 * @param context - Stops and watches the work.
 * @returns What is current now.
 * @throws As {@link promoteRelease}.
 */
export async function promoteAt(
  place: ModelPlace,
  { release, from, now, previousReleases = recallReleases(from) }: Promotion,
  context: WorkContext,
): Promise<PromoteResult> {
  const { store, keys, name } = place;
  const to = await openRelease(place, release, context.signal);
  await refuseUnlessStaged(place, to.record, context);
  const previousRelease = from?.record?.release ?? null;
  const moved = previousRelease !== release;
  if (moved) {
    // If-None-Match is not tried here: it would bring back a document that is being pruned.
    await delayStop(context.signal, (late) => proveConditions(place, to, ['ifEtag'], late));
    await moveCurrent({ place, to, from, now, previousReleases }, context.signal);
  }
  const urls = { releaseUrl: objectUrl(store.url, to.key), currentUrl: objectUrl(store.url, keys.current) };
  return { name, release, ...urls, previousRelease, moved, findings: moved ? findRisks(place, from) : [] };
}

async function openRelease(place: ModelPlace, release: string, signal: AbortSignal): Promise<WrittenRelease> {
  const isPossible = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(release);
  const read = isPossible ? await readRelease(place, release, signal) : undefined;
  if (read === undefined) {
    const names = (await readReleases(place, [], signal)).map((found) => found.release);
    const facts = { storeUrl: place.store.url, name: place.name, release, present: names };
    throw OptimiseModelError.of('release-missing', facts);
  }
  const key = place.keys.release(release);
  if (read.record === null) return new RecordReader(objectUrl(place.store.url, key)).refuse(read.problem);
  return { record: read.record, key, bytes: read.bytes };
}
