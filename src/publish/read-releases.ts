import { parseReleaseRecord } from '../store/parse-release.js';
import { RecordReader } from '../store/record-fields.js';
import type { ReleaseRecord } from '../store/release-record.js';
import { objectUrl } from '../store/store-url.js';
import { problemOf } from './judge-failure.js';
import type { ModelPlace } from './model-place.js';
import { hasCode, readIfThere, type StoredDocument } from './read-document.js';
import { requestsAtOnce, workOnEach } from './work-on-each.js';

/** One release document of a model, as it is in the store. */
export type FoundRelease = {
  /** By its key; a document that says another name is damaged. */
  readonly release: string;
  readonly key: string;
  readonly etag: string;
  /** When it was written, ms since 1970 by the store's clock; null where that is not known. */
  readonly modifiedAtMs: number | null;
} & (
  | { readonly record: ReleaseRecord; readonly problem: null }
  | { readonly record: null; readonly problem: string }
);

/**
 * Reads all release documents of a model: a request per 1,000 for the list, and one per document.
 *
 * @param place - The model.
 * @param known - What was read before; documents that are the same are not read again.
 * @param signal - Stops reading.
 * @returns The documents, the newest first, damaged ones with what is wrong.
 * @throws What the store says, unless it is about one document.
 */
export async function readReleases(
  place: ModelPlace,
  known: readonly FoundRelease[],
  signal: AbortSignal,
): Promise<readonly FoundRelease[]> {
  const prefix = place.keys.releasesPrefix;
  const listed = [];
  for await (const object of place.store.list(prefix, signal)) {
    const isDocument = object.key.endsWith('.json') && !object.key.slice(prefix.length).includes('/');
    if (isDocument) listed.push(object);
  }
  const found = await workOnEach(listed, requestsAtOnce, signal, async ({ key, etag, modifiedAtMs }) => {
    const same = known.find((release) => release.key === key && release.etag === etag);
    if (same !== undefined) return same;
    const release = key.slice(prefix.length, -'.json'.length);
    const read = await readRelease(place, release, signal);
    if (read === undefined) return undefined;
    const about = { release, key, etag, modifiedAtMs };
    // Their bytes are not kept: a store may hold many releases of a thousand artifacts each.
    return read.record === null ? { ...about, ...read } : { ...about, record: read.record, problem: null };
  });
  return found.filter((release) => release !== undefined).sort(compareAge);
}

/** What a document turned out to be. */
export type ReadRelease =
  | { readonly record: ReleaseRecord; readonly problem: null; readonly bytes: Uint8Array }
  | { readonly record: null; readonly problem: string };

/**
 * Reads one release document.
 *
 * @param place - The model.
 * @param release - Its name.
 * @param signal - Stops reading.
 * @returns The record with its bytes, or what is wrong with it; undefined when there is none.
 * @throws What the store says, unless it is about this document.
 */
export async function readRelease(
  place: ModelPlace,
  release: string,
  signal: AbortSignal,
): Promise<ReadRelease | undefined> {
  const key = place.keys.release(release);
  try {
    const document = await readIfThere(place.store, key, signal);
    if (document === undefined) return undefined;
    const record = parse(place, release, document, objectUrl(place.store.url, key));
    return { record, problem: null, bytes: document.bytes };
  } catch (error) {
    if (!isAboutDocument(error)) throw error;
    return { record: null, problem: problemOf(error) };
  }
}

function parse(
  { name }: ModelPlace,
  release: string,
  { bytes }: StoredDocument,
  where: string,
): ReleaseRecord {
  const record = parseReleaseRecord(new TextDecoder().decode(bytes), where);
  const expected = { release, ...(name === '' ? {} : { name }) };
  for (const [field, value] of Object.entries(expected)) {
    const seen = record[field as keyof typeof expected];
    if (seen !== value) new RecordReader(where).refuse(`\`${field}\` is "${seen}", expected "${value}"`);
  }
  return record;
}

/**
 * Tells whether an error is about one document, so that another one need not have it.
 *
 * @param error - What was thrown.
 * @returns False for what is wrong with the store, or with the way to it.
 */
export function isAboutDocument(error: unknown): boolean {
  return hasCode(
    error,
    ...(['record-wrong', 'document-too-large', 'not-a-file'] as const),
    ...(['s3-access-denied', 'file-system-refused'] as const),
  );
}

/** Newest first; a damaged document is as old as its name says. */
function compareAge(left: FoundRelease, right: FoundRelease): number {
  return compareText(ageOf(right), ageOf(left));
}

/**
 * Writes the age of a release so that texts compare as ages do.
 *
 * @param found - The release, or only its name.
 * @returns Its time, then its name.
 */
export function ageOf({ release, record }: Pick<FoundRelease, 'release' | 'record'>): string {
  const named = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(release)?.slice(1);
  const [year, month, day, hour, minute, second] = named ?? [];
  const fromName = named === undefined ? '' : `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  return `${record?.createdAt ?? fromName} ${release}`;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
