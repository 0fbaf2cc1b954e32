import { OptimiseModelError } from '../messages/error.js';
import type { ModelPlace } from './model-place.js';
import type { ReplacedCurrent } from './read-current.js';
import { ageOf, readRelease, readReleases } from './read-releases.js';

/** Where a rollback leads. */
export type RollbackTarget = {
  readonly release: string;
  /** What was current before that one, the last first; null where it is not known. */
  readonly previousReleases: readonly string[] | null;
};

/**
 * Finds what was current before the current release. `current.json` says so: a release document alone may be of a
 * publisher that was killed before it moved `current.json`, and nobody has ever run that release. Only where
 * `current.json` does not say it, the newest release is taken that is older than the current one.
 *
 * What the target replaced is handed on, not what is current now: a second rollback goes one further back, and never to
 * the release that the first one left.
 *
 * @param place - The model.
 * @param from - What `current.json` is; undefined for none. A damaged one says nothing of what was before.
 * @param signal - Stops reading.
 * @returns The last one whose document is there and intact.
 * @throws `rollback-impossible` when there is none, what the store says.
 */
export async function findRollback(
  place: ModelPlace,
  from: ReplacedCurrent | undefined,
  signal: AbortSignal,
): Promise<RollbackTarget> {
  if (from === undefined) return refuse(place, null, 'there is no current.json');
  if (from.record === null) return refuse(place, null, `its current.json is damaged: ${from.problem}`);
  const { release: current, previousReleases: before } = from.record;
  if (before === undefined) return findOlder(place, current, signal);
  for (const [index, release] of before.entries()) {
    const found = release === current ? undefined : await readRelease(place, release, signal);
    // Damaged ones are passed over: what was current before them is what was good last.
    if (found !== undefined && found.record !== null) {
      return { release, previousReleases: before.slice(index + 1) };
    }
  }
  const isFirst = before.length === 0;
  const problem = isFirst
    ? 'nothing was current before it'
    : 'every release that was current before it was removed or is damaged';
  return refuse(place, current, problem);
}

async function findOlder(place: ModelPlace, current: string, signal: AbortSignal): Promise<RollbackTarget> {
  const releases = await readReleases(place, [], signal);
  const now = releases.find(({ release }) => release === current) ?? { release: current, record: null };
  const older = releases.filter((release) => ageOf(release) < ageOf(now));
  const target = older.find(({ record }) => record !== null);
  if (target !== undefined) return { release: target.release, previousReleases: null };
  const isFirst = older.length === 0;
  return refuse(place, current, isFirst ? 'no release is older' : 'every older release document is damaged');
}

function refuse({ name, store }: ModelPlace, current: string | null, problem: string): never {
  throw OptimiseModelError.of('rollback-impossible', { storeUrl: store.url, name, current, problem });
}
