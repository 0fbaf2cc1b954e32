import type { Delivery } from '../lib/delivery.js';
import { type ArtifactSessions, usualSessions } from '../lib/session-options.js';
import { showAddress } from '../lib/show-address.js';
import { OptimiseModelError } from '../messages/error.js';
import type { ArtifactSummary } from '../store/artifact-record.js';
import { resolveStaged } from '../store/resolve-staged.js';
import type { ReadableStore } from '../store/store.js';
import { parseStoreUrl } from '../store/store-url.js';

/** What a release says about opening its artifact. */
type ReleaseChoice = {
  readonly id: string;
  readonly delivery: Delivery;
  readonly threads: number | null;
};

/** One artifact, where its files are, and the release that named it, if one did. */
export type ArtifactChoice = {
  readonly record: ArtifactSummary;
  readonly store: ReadableStore;
  /** What comes before a file's path in its key: empty, or with a final `/`. */
  readonly keyPrefix: string;
  /** The artifact's folder when the store is a folder on this machine. */
  readonly localFolder: string | null;
  readonly release: ReleaseChoice | null;
  /** How its sessions are opened: as the release says, else as usual. */
  readonly sessions: ArtifactSessions;
};

/**
 * Finds the artifact that a source names, by reading nothing but the small records.
 *
 * @param source - Address or path of a `current.json`, a `releases/RELEASE.json`, an `artifact.json`, or of the folder
 *   or prefix that holds a `current.json` or `artifact.json`.
 * @param variant - Id of the variant to take instead of the published one, or null.
 * @returns The artifact.
 * @throws `model-source-wrong`, `variant-missing`, `record-wrong`, `object-missing`, `no-document-there`, `store-url-wrong` and what the
 *   store throws.
 */
export async function chooseArtifact(source: string, variant: string | null): Promise<ArtifactChoice> {
  const found = await resolveStaged(refuseModelFile(source), variant ?? undefined, undefined);
  const { store, record, release, filesPrefix } = found;
  const isLocal = parseStoreUrl(store.url).kind === 'directory';
  return {
    record,
    store,
    keyPrefix: filesPrefix,
    localFolder: isLocal ? `${store.url}/${filesPrefix}`.replace(/\/+$/, '') : null,
    release:
      release === null
        ? null
        : { id: release.release, delivery: release.chosen.delivery, threads: release.chosen.threads },
    sessions: release?.artifacts.find(({ digest }) => digest === record.digest)?.sessions ?? usualSessions,
  };
}

function refuseModelFile(source: string): string {
  const ending = /\.(onnx|ort|xml|data|bin)$/.exec(source)?.[0];
  if (ending === undefined) return source;
  const facts = { source: showAddress(source), seen: `it is a ${ending} file` };
  throw OptimiseModelError.of('model-source-wrong', facts);
}
