import { printJson } from '../lib/json.js';
import { OptimiseModelError } from '../messages/error.js';
import type { CurrentRecord, ReleaseRecord } from '../store/release-record.js';
import type { WriteCondition } from '../store/store.js';
import { objectUrl } from '../store/store-url.js';
import { cleanUpMs, delayStop } from './delay-stop.js';
import { isAnswered, wordsOf } from './judge-failure.js';
import { keepReleaseThere } from './keep-release-there.js';
import type { ModelPlace } from './model-place.js';
import { type ReplacedCurrent, readReplacedCurrent } from './read-current.js';
import { hasCode } from './read-document.js';
import { writeDocument } from './write-document.js';

/** A release document that is in the store. */
export type WrittenRelease = {
  readonly record: ReleaseRecord;
  readonly key: string;
  readonly bytes: Uint8Array;
};

/** A move of `current.json`. */
export type Move = {
  readonly place: ModelPlace;
  readonly to: WrittenRelease;
  /** What `current.json` was when the release was verified; undefined for none. */
  readonly from: ReplacedCurrent | undefined;
  readonly now: Date;
  /** What is to be rolled back to, the last first; null where that is not known. */
  readonly previousReleases: readonly string[] | null;
};

/** How far one can roll back: `current.json` is read at every cold start, and stays small. */
const mostRecalled = 20;

/**
 * Recalls what was current, for a `current.json` that replaces another one.
 *
 * @param from - What is replaced; undefined for nothing.
 * @returns Names of releases, the last first, at most 20; none after a damaged one, which says nothing.
 */
export function recallReleases(from: ReplacedCurrent | undefined): readonly string[] {
  if (from === undefined || from.record === null) return [];
  return [from.record.release, ...(from.record.previousReleases ?? [])].slice(0, mostRecalled);
}

/**
 * Moves `current.json` to a release, if it still is what it was. A move whose answer did not come is looked up. Costs
 * two requests: the write, and a look whether the release document is still there.
 *
 * @param move - From where to where.
 * @param signal - Stops the work; a write on its way is given 5 s.
 * @throws `publish-conflict` when somebody else moved it, `publish-unknown` when it cannot be known whether it moved,
 *   `publish-not-staged` when what the release needs was pruned at this moment; any other error when it did not move.
 */
export async function moveCurrent(move: Move, signal: AbortSignal): Promise<void> {
  const { place, from } = move;
  const { current } = place.keys;
  const condition: WriteCondition = from === undefined ? { ifAbsent: true } : { ifEtag: from.etag };
  signal.throwIfAborted();
  try {
    const bytes = describeCurrent(move);
    await delayStop(signal, (late) => writeDocument(place, current, bytes, condition, late));
  } catch (error) {
    await lookUpMove(move, error);
  }
  await keepReleaseThere(move);
}

function describeCurrent({ to, now, previousReleases }: Move): Uint8Array {
  const { name, release } = to.record;
  const record: CurrentRecord = {
    schemaVersion: 1,
    kind: 'current',
    name,
    release,
    releaseKey: `releases/${release}.json`,
    updatedAt: now.toISOString(),
    ...(previousReleases === null ? {} : { previousReleases }),
  };
  return Buffer.from(`${printJson(record)}\n`);
}

/** Returns when the move was made in spite of the error. */
async function lookUpMove({ place, to }: Move, error: unknown): Promise<void> {
  const { release } = to.record;
  const isConflict = hasCode(error, 'write-conflict');
  let named: string | null;
  try {
    named = (await readReplacedCurrent(place, AbortSignal.timeout(cleanUpMs)))?.record?.release ?? null;
  } catch (cause) {
    if (isConflict) throw conflict(place, release, null, error);
    if (isAnswered(error)) throw error;
    throw unknown(place, to, error, cause);
  }
  if (named === release) return;
  throw isConflict ? conflict(place, release, named, error) : error;
}

function conflict(
  { store, name, keys }: ModelPlace,
  release: string,
  current: string | null,
  cause: unknown,
): OptimiseModelError {
  const url = objectUrl(store.url, keys.current);
  return OptimiseModelError.of(
    'publish-conflict',
    { storeUrl: store.url, name, release, url, current },
    cause,
  );
}

function unknown(
  { store, name, keys }: ModelPlace,
  { record, key }: WrittenRelease,
  error: unknown,
  refusal: unknown,
): OptimiseModelError {
  const facts = {
    ...{ storeUrl: store.url, name, release: record.release },
    releaseUrl: objectUrl(store.url, key),
    currentUrl: objectUrl(store.url, keys.current),
    reason: wordsOf(error),
    refusal: wordsOf(refusal),
  };
  return OptimiseModelError.of('publish-unknown', facts, error);
}
