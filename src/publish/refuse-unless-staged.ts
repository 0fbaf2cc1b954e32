import type { WorkContext } from '../lib/work-context.js';
import { OptimiseModelError } from '../messages/error.js';
import { findStagedProblems } from '../store/examine-staged.js';
import type { ReleasedArtifact, ReleaseRecord } from '../store/release-record.js';
import type { ModelPlace } from './model-place.js';
import { requestsAtOnce, workOnEach } from './work-on-each.js';

/** Artifacts that are verified at the same time: each takes one request per file, and one for its record. */
const artifactsAtOnce = 8;

/** What a release names. */
export type Released = Pick<ReleaseRecord, 'chosen' | 'artifacts'>;

/**
 * Looks for everything that a release names: a handler must never be pointed at what is not there. Costs a request per
 * file and one per `artifact.json`; a file without a checksum at the server is downloaded and hashed.
 *
 * @param place - The model.
 * @param released - The choice and the artifacts.
 * @param context - Stops and watches the work.
 * @throws `publish-not-staged` naming every object that is missing or of another size or content, or a choice that is
 *   not among the artifacts.
 */
export async function refuseUnlessStaged(
  place: ModelPlace,
  { chosen, artifacts }: Released,
  { signal, progress }: WorkContext,
): Promise<void> {
  const isAmong = artifacts.some((artifact) => artifact.digest === chosen.digest);
  const choice = isAmong ? [] : [`the chosen artifact ${chosen.digest} is not among the artifacts`];
  let done = 0;
  const found = await workOnEach(
    artifacts,
    artifactsAtOnce,
    signal,
    async ({ digest, record: { files } }) => {
      const problems = await findStagedProblems(place.store, place.keys, { digest, files }, signal);
      done += 1;
      progress({ label: 'verify what is staged', done, total: artifacts.length, unit: 'items' });
      return problems;
    },
  );
  refuse(place, [...choice, ...found.flat()]);
}

/**
 * Looks once more that no artifact was removed since. Whoever prunes removes `artifact.json` first and then looks at
 * the releases; whoever publishes writes the release first and then looks here. As both see what was written before,
 * one of them always sees the other. Costs a request per artifact.
 *
 * @param place - The model.
 * @param artifacts - What the release names.
 * @param signal - Stops looking.
 * @throws `publish-not-staged` naming what is gone.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/Welcome.html#ConsistencyModel
 */
export async function refuseIfPruned(
  place: ModelPlace,
  artifacts: readonly Pick<ReleasedArtifact, 'digest'>[],
  signal: AbortSignal,
): Promise<void> {
  const found = await workOnEach(artifacts, requestsAtOnce, signal, async ({ digest }) => {
    const key = place.keys.artifact(digest);
    const isThere = (await place.store.head(key, signal)) !== undefined;
    return isThere ? [] : [`${key} was removed in the meantime`];
  });
  refuse(place, found.flat());
}

function refuse({ name, store }: ModelPlace, problems: readonly string[]): void {
  if (problems.length > 0) {
    throw OptimiseModelError.of('publish-not-staged', { name, storeUrl: store.url, problems });
  }
}
