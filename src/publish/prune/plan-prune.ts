import type { StoredObject } from '../../store/store.js';
import type { ModelState } from '../read-model-state.js';
import type { FoundRelease } from '../read-releases.js';

/** An artifact's folder as it was listed. */
export type ObjectFolder = { readonly digest: string; readonly objects: readonly StoredObject[] };

/** What holds for a whole prune. */
export type PruneRules = {
  /** Newest releases that stay; null for all. */
  readonly keep: number | null;
  /** How old anything must be that goes, ms. */
  readonly graceMs: number;
  /** The time now, ms since 1970. */
  readonly nowMs: number;
};

/** What nothing needs, of one model. */
export type PrunePlan = {
  readonly releases: readonly FoundRelease[];
  readonly folders: readonly ObjectFolder[];
  /** Folders that nothing refers to and that are too young, or being written to. */
  readonly spared: readonly ObjectFolder[];
};

/**
 * Chooses what of a model may be removed: releases older than the newest ones that are kept, never the current one; and
 * folders that no release refers to which stays. Only what is older than the grace, by the newest object of a folder.
 *
 * @param state - The model's documents, none of them damaged.
 * @param folders - All its folders.
 * @param isBusy - Whether an upload into a folder runs.
 * @param rules - What is kept.
 * @returns The plan.
 */
export function planPrune(
  state: ModelState,
  folders: readonly ObjectFolder[],
  isBusy: (digest: string) => boolean,
  { keep, graceMs, nowMs }: PruneRules,
): PrunePlan {
  const isOld = (modifiedAtMs: number | null): boolean =>
    modifiedAtMs !== null && modifiedAtMs <= nowMs - graceMs;
  const beyond = keep === null ? [] : state.releases.slice(keep);
  const releases = beyond.filter(
    ({ release, modifiedAtMs }) => release !== state.current && isOld(modifiedAtMs),
  );
  const needed = new Set(state.releases.filter((release) => !releases.includes(release)).flatMap(digestsOf));
  const unneeded = folders.filter(({ digest }) => !needed.has(digest));
  const mayGo = ({ digest, objects }: ObjectFolder): boolean =>
    objects.every(({ modifiedAtMs }) => isOld(modifiedAtMs)) && !isBusy(digest);
  return {
    releases,
    folders: unneeded.filter(mayGo),
    spared: unneeded.filter((folder) => !mayGo(folder)),
  };
}

/**
 * Lists what a release refers to.
 *
 * @param found - The release.
 * @returns The digests of its artifacts.
 */
export function digestsOf({ record }: FoundRelease): readonly string[] {
  return record === null ? [] : record.artifacts.map(({ digest }) => digest);
}

/**
 * Adds up the bytes of folders.
 *
 * @param folders - The folders.
 * @returns Bytes.
 */
export function sumBytes(folders: readonly ObjectFolder[]): number {
  return folders.flatMap(({ objects }) => objects).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
