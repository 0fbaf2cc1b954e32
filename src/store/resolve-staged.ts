import type { ObjectSettings } from '../lib/object-settings.js';
import { OptimiseModelError } from '../messages/error.js';
import { type ArtifactSummary, parseArtifactRecord } from './artifact-record.js';
import { type FoundDocument, findDocument } from './find-document.js';
import { RecordReader } from './record-fields.js';
import {
  type CurrentRecord,
  type OpenableRelease,
  parseCurrentRecord,
  parseOpenableRelease,
} from './release-record.js';
import { findStagedPlace, type StagedPlace, stagedKeys } from './staged-layout.js';
import type { ReadableStore } from './store.js';
import { objectUrl } from './store-url.js';

/** An artifact that an address led to. */
export type ResolvedArtifact = {
  readonly store: ReadableStore;
  readonly record: ArtifactSummary;
  /** The release on the way; null when the address was that of an `artifact.json`. */
  readonly release: OpenableRelease | null;
  /** Prefix of the artifact's files, with its final `/`; empty at the store's root. */
  readonly filesPrefix: string;
};

/**
 * Follows an address to one artifact: `current.json` → `releases/RELEASE.json` → the chosen variant, or straight from
 * an `artifact.json`. The documents are small; no model byte is read.
 *
 * @param url - Address of one of these documents, in any store that can be read, or of the folder or prefix of a
 *   `current.json` or `artifact.json`.
 * @param variantId - Another variant of the release than the chosen one; undefined for the chosen one.
 * @param signal - Stops reading.
 * @param settings - Whose a bucket must be.
 * @returns The artifact and where its files are.
 * @throws `record-wrong`, `variant-missing`, `object-missing`, `no-document-there`, what the store says.
 */
export async function resolveStaged(
  url: string,
  variantId: string | undefined,
  signal: AbortSignal | undefined,
  settings?: Pick<ObjectSettings, 'expectedBucketOwner'>,
): Promise<ResolvedArtifact> {
  const document = await findDocument(url, signal, settings);
  const { store, key } = document;
  const place = findStagedPlace(key)?.place;
  if (place?.kind === 'current' || place?.kind === 'release') {
    const release = await readRelease(document, place, signal);
    const record = chooseRecord(release, variantId, document.url);
    return { store, record, release, filesPrefix: stagedKeys(place.name).object(record.digest, '') };
  }
  const record = parseArtifactRecord(document.text, document.url);
  if (variantId !== undefined && record.variant.id !== variantId) {
    throw OptimiseModelError.of('variant-missing', {
      where: document.url,
      variant: variantId,
      present: [record.variant.id],
    });
  }
  return { store, record, release: null, filesPrefix: key.slice(0, key.lastIndexOf('/') + 1) };
}

/** What a document must say of itself: a release is opened as what the way to it promised, or not at all. */
type Promised = { readonly name?: string; readonly release?: string };

async function readRelease(
  document: FoundDocument,
  place: StagedPlace & { readonly kind: 'current' | 'release' },
  signal: AbortSignal | undefined,
): Promise<OpenableRelease> {
  const named = place.name === '' ? {} : { name: place.name };
  const pinned = place.kind === 'release' ? { ...named, release: place.release } : undefined;
  const { store, key, text } = document;
  const { name, release } = pinned ?? readCurrent(document, named);
  const releaseKey = pinned === undefined ? stagedKeys(place.name).release(release) : key;
  const where = objectUrl(store.url, releaseKey);
  const releaseText = pinned === undefined ? await readText(store, releaseKey, signal) : text;
  const record = parseOpenableRelease(releaseText, where);
  refuseUnlessPromised(record, { ...(name === undefined ? {} : { name }), release }, where);
  return record;
}

function readCurrent({ store, key, text }: FoundDocument, named: Promised): CurrentRecord {
  const where = objectUrl(store.url, key);
  const current = parseCurrentRecord(text, where);
  refuseUnlessPromised(current, named, where);
  return current;
}

function refuseUnlessPromised(
  record: { readonly name: string; readonly release: string },
  promised: Promised,
  where: string,
): void {
  const reader = new RecordReader(where);
  for (const field of ['name', 'release'] as const) {
    const [seen, expected] = [record[field], promised[field]];
    if (seen !== (expected ?? seen)) reader.refuse(`\`${field}\` is "${seen}", expected "${expected}"`);
  }
}

async function readText(store: ReadableStore, key: string, signal: AbortSignal | undefined): Promise<string> {
  const { bytes } = await store.read(key, signal);
  return new TextDecoder().decode(bytes);
}

function chooseRecord(
  release: OpenableRelease,
  variantId: string | undefined,
  where: string,
): ArtifactSummary {
  const records = release.artifacts.map((artifact) => artifact.record);
  const chosen = records.find((record) =>
    variantId === undefined ? record.digest === release.chosen.digest : record.variant.id === variantId,
  );
  if (chosen !== undefined) return chosen;
  const present = records.map((record) => record.variant.id);
  throw OptimiseModelError.of('variant-missing', {
    where,
    variant: variantId ?? release.chosen.variantId,
    present,
  });
}
