import type { Delivery } from '../lib/delivery.js';
import { type ArtifactSessions, usualSessions } from '../lib/session-options.js';
import { showAddress } from '../lib/show-address.js';
import type { Engine } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import type { ArtifactSummary } from '../store/artifact-record.js';
import { hubUrl, parseHubAddress } from '../store/hub-address.js';
import { openReadableStore } from '../store/open-readable-store.js';
import { resolveStaged } from '../store/resolve-staged.js';
import type { ReadableStore } from '../store/store.js';
import { parseStoreUrl } from '../store/store-url.js';
import { chooseBareFile, isBareFile } from './choose-bare-file.js';
import type { ResolvedOpenOptions } from './open-options.js';
import { resolvePinned } from './resolve-pinned.js';

/** What a release says about opening its artifact. */
type ReleaseChoice = {
  readonly id: string;
  readonly delivery: Delivery;
  readonly threads: number | null;
};

/** What stands in for a record where there is none: nobody made an artifact of the file. */
type BareRecord = Pick<ArtifactSummary, 'entry' | 'files' | 'digest' | 'sizeBytes'> & {
  readonly variant: null;
  readonly requires: null;
};

/** One artifact, where its files are, and the release that named it, if one did. */
export type ArtifactChoice = {
  /** Bare for a model file on a web server or hub. */
  readonly record: ArtifactSummary | BareRecord;
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
 *   or prefix that holds a `current.json` or `artifact.json`; the same on a model hub as `hf:ORG/NAME/…`; or a bare
 *   model file, `http(s)://…/FILE.onnx` or `hf:ORG/NAME/FILE.onnx`.
 * @param options - Another variant than the published one, the release to open, the hash of a bare file.
 * @returns The artifact.
 * @throws `model-source-wrong`, `variant-missing`, `record-wrong`, `object-missing`, `no-document-there`,
 *   `store-url-wrong`; what `resolvePinned` and `chooseBareFile` throw, and what the store throws.
 */
export async function chooseArtifact(source: string, options: ResolvedOpenOptions): Promise<ArtifactChoice> {
  const { variant, release: pin, sha256 } = options;
  if (isBareFile(source)) {
    refuseForBareFile(source, options);
    return chooseBareFile(source, sha256);
  }
  const hub = parseHubAddress(source);
  const address = hub === undefined ? refuseModelFile(source) : hubUrl(hub);
  const found =
    pin === null
      ? await resolveStaged(address, variant ?? undefined, undefined)
      : await resolvePinned(address, variant ?? undefined, pin);
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

/**
 * Says which engine opens an artifact.
 *
 * @param record - The artifact.
 * @returns That of its variant; onnxruntime for a bare file.
 */
export function engineOf(record: ArtifactChoice['record']): Engine {
  return record.variant?.engine ?? 'onnxruntime';
}

/**
 * Opens the store of an artifact anew, with new credentials.
 *
 * @param choice - The artifact.
 * @returns The same, in the new store; what is not in a bucket needs none.
 * @throws What opening it throws.
 */
export async function renewStore(choice: ArtifactChoice): Promise<ArtifactChoice> {
  if (!choice.store.url.startsWith('s3:')) return choice;
  return { ...choice, store: await openReadableStore(choice.store.url) };
}

/** What only a record could answer. The environment may pin all models of a handler; a bare file has no releases. */
function refuseForBareFile(source: string, { delivery, release, variant }: ResolvedOpenOptions): void {
  const shown = showAddress(source);
  if (delivery !== null && delivery !== 'url' && delivery !== 'lazy') {
    throw OptimiseModelError.of('bare-file-delivery', { source: shown, delivery });
  }
  if (release?.by === 'release') {
    const facts = { source: shown, release: release.name, named: 'a bare file' };
    throw OptimiseModelError.of('release-contradicted', facts);
  }
  if (variant !== null) {
    throw OptimiseModelError.of('variant-missing', { where: shown, variant, present: [] });
  }
}

function refuseModelFile(source: string): string {
  const ending = /\.(onnx|ort|xml|data|bin)$/.exec(source)?.[0];
  if (ending === undefined) return source;
  const facts = { source: showAddress(source), seen: `it is a ${ending} file` };
  throw OptimiseModelError.of('model-source-wrong', facts);
}
