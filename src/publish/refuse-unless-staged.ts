import { OptimiseModelError } from '../messages/error.js';
import { findStagedProblems } from '../store/examine-staged.js';
import { stagedKeys } from '../store/staged-layout.js';
import type { WritableStore } from '../store/store.js';
import type { PublishOptions } from './publish-release.js';

/**
 * Looks for everything that a release would name: a handler must never be pointed at what is not there.
 *
 * @param store - The store.
 * @param options - The release.
 * @param signal - Stops looking.
 * @throws `publish-not-staged` naming every object that is missing or of another size or content, or a choice that is
 *   not among the artifacts.
 */
export async function refuseUnlessStaged(
  store: WritableStore,
  { name, storeUrl, chosen, artifacts }: PublishOptions,
  signal: AbortSignal,
): Promise<void> {
  const isAmong = artifacts.some((artifact) => artifact.digest === chosen.digest);
  const choice = isAmong ? [] : [`the chosen artifact ${chosen.digest} is not among the artifacts`];
  const keys = stagedKeys(name);
  const found = await Promise.all(
    artifacts.map(({ digest, record: { files } }) =>
      findStagedProblems(store, keys, { digest, files }, signal),
    ),
  );
  const problems = [...choice, ...found.flat()];
  if (problems.length > 0) throw OptimiseModelError.of('publish-not-staged', { name, storeUrl, problems });
}
