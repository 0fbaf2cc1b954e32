import { objectUrl } from '../store/store-url.js';
import { problemOf } from './judge-failure.js';
import type { ModelPlace } from './model-place.js';
import { readCurrent } from './read-current.js';
import { type FoundRelease, isAboutDocument, readReleases } from './read-releases.js';

/** A document that cannot be used. */
export type DamagedDocument = { readonly url: string; readonly problem: string };

/** What a store says of the releases of one model. */
export type ModelState = {
  /** Newest first, damaged ones among them. */
  readonly releases: readonly FoundRelease[];
  /** The release that `current.json` names; null when there is none or it cannot be read. */
  readonly current: string | null;
  /** Every document that cannot be used, and a `current.json` that names what is not there. */
  readonly damaged: readonly DamagedDocument[];
};

/**
 * Reads `current.json` and all release documents of a model.
 *
 * @param place - The model.
 * @param known - Documents that were read before.
 * @param signal - Stops reading.
 * @returns The state; `damaged` is empty when everything can be used.
 * @throws What the store says, unless it is about one document.
 */
export async function readModelState(
  place: ModelPlace,
  known: readonly FoundRelease[],
  signal: AbortSignal,
): Promise<ModelState> {
  // First the list: a release that is published in between is then missing from it, and looked for again below.
  let releases = await readReleases(place, known, signal);
  const { current, problem } = await lookAtCurrent(place, signal);
  if (current !== null && !releases.some(({ release }) => release === current)) {
    releases = await readReleases(place, releases, signal);
  }
  const isMissing = current !== null && !releases.some(({ release }) => release === current);
  const currentProblem = isMissing ? `it names ${current}, whose document is not there` : problem;
  const urlOf = (key: string): string => objectUrl(place.store.url, key);
  const damaged = releases.flatMap(({ key, problem: wrong }) =>
    wrong === null ? [] : [{ url: urlOf(key), problem: wrong }],
  );
  const currentDamage =
    currentProblem === null ? [] : [{ url: urlOf(place.keys.current), problem: currentProblem }];
  return { releases, current, damaged: [...currentDamage, ...damaged] };
}

async function lookAtCurrent(
  place: ModelPlace,
  signal: AbortSignal,
): Promise<{ readonly current: string | null; readonly problem: string | null }> {
  try {
    return { current: (await readCurrent(place, signal))?.record.release ?? null, problem: null };
  } catch (error) {
    if (!isAboutDocument(error)) throw error;
    return { current: null, problem: problemOf(error) };
  }
}
