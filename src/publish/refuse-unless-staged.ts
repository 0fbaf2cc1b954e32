import { OptimiseModelError } from '../messages/error.js';
import type { ReleasedArtifact } from '../store/release-record.js';
import { stagedKeys } from '../store/staged-layout.js';
import type { WritableStore } from '../store/store.js';
import type { PublishOptions } from './publish-release.js';

/**
 * Looks for everything that a release would name: a handler must never be pointed at what is not there.
 *
 * @param store - The store.
 * @param options - The release.
 * @param signal - Stops looking.
 * @throws `publish-not-staged` naming every object that is missing or of another size, or a choice that is not among
 *   the artifacts.
 */
export async function refuseUnlessStaged(
  store: WritableStore,
  { name, storeUrl, chosen, artifacts }: PublishOptions,
  signal: AbortSignal,
): Promise<void> {
  const isAmong = artifacts.some((artifact) => artifact.digest === chosen.digest);
  const choice = isAmong ? [] : [`the chosen artifact ${chosen.digest} is not among the artifacts`];
  const found = await Promise.all(artifacts.map((artifact) => findProblems(store, name, artifact, signal)));
  const problems = [...choice, ...found.flat()];
  if (problems.length > 0) throw OptimiseModelError.of('publish-not-staged', { name, storeUrl, problems });
}

async function findProblems(
  store: WritableStore,
  name: string,
  { digest, record }: ReleasedArtifact,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const keys = stagedKeys(name);
  const problems: string[] = [];
  for (const file of record.files) {
    const key = keys.object(digest, file.path);
    const found = await store.head(key, signal);
    if (found === undefined) problems.push(`${key} is missing`);
    else if (found.sizeBytes !== file.sizeBytes) {
      problems.push(`${key} has ${found.sizeBytes} bytes instead of ${file.sizeBytes}`);
    }
  }
  if ((await store.head(keys.artifact(digest), signal)) === undefined) {
    problems.push(`${keys.artifact(digest)} is missing`);
  }
  return problems;
}
