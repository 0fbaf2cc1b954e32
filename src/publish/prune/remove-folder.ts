import { type Finding, makeFinding } from '../../messages/finding.js';
import type { StoredObject } from '../../store/store.js';
import { objectUrl } from '../../store/store-url.js';
import { wordsOf } from '../judge-failure.js';
import type { ModelPlace } from '../model-place.js';
import type { StoredDocument } from '../read-document.js';
import { readModelState } from '../read-model-state.js';
import type { FoundRelease } from '../read-releases.js';
import { requestsAtOnce, workOnEach } from '../work-on-each.js';
import { claimRecord } from './claim-record.js';
import { listFolder } from './list-folders.js';
import { digestsOf, type ObjectFolder } from './plan-prune.js';
import { putBack } from './put-back.js';
import { sweepUploads } from './sweep-uploads.js';

/** How folders are removed. */
export type FolderRemoval = {
  readonly place: ModelPlace;
  /** How old an upload must be that no journal knows, ms. */
  readonly graceMs: number;
  /** Release documents that were read before: they are not read again. */
  readonly known: readonly FoundRelease[];
};

/** What became of a folder. */
export type RemovedFolder = {
  /** Why it was kept; null when it is gone. */
  readonly keptBecause: string | null;
  readonly findings: readonly Finding[];
};

/**
 * Removes an artifact's folder that no release refers to.
 *
 * Somebody may be publishing just that artifact. So `artifact.json` goes first, then the releases are looked at again,
 * and if one refers to it now, it is written back and everything stays. Whoever publishes does the same from the other
 * side: first the release document is written, then `artifact.json` is looked for. Reads see every write that was
 * answered before (S3 has been strongly consistent since 2020), so of the two who both write first and then look, at
 * least one sees the other: either the release keeps the folder, or the publisher is told that the artifact is gone.
 *
 * Somebody else may be pruning: only an `artifact.json` that this prune has claimed is removed, see `claimRecord`; one
 * that appears later is not.
 *
 * Somebody may be staging it, too: uploads and files are listed once more, and all stays when any is new, or when it
 * cannot be known which uploads run. A stage that ends between that list and the removal is found by its
 * `artifact.json`, which goes again; one that ends later is found by publish, which verifies every object.
 *
 * @param removal - The model, and what was read of it.
 * @param folder - The folder as it was when nothing needed it.
 * @param signal - Stops before the folder is touched; what was begun is brought to an end.
 * @returns Whether it is gone; files that could not be removed are named in a finding, and a later prune takes them.
 * @throws `prune-not-restored`; what the store says before any file was removed: `artifact.json` is there again then.
 */
export async function removeFolder(
  removal: FolderRemoval,
  folder: ObjectFolder,
  signal: AbortSignal,
): Promise<RemovedFolder> {
  signal.throwIfAborted();
  const { place } = removal;
  const recordKey = place.keys.artifact(folder.digest);
  // From here on a stop would leave half a folder.
  const calm = new AbortController().signal;
  const claim = await claimRecord(place, folder, calm);
  if (claim.keptBecause !== null) return { keptBecause: claim.keptBecause, findings: [] };
  const { record } = claim;
  if (record !== undefined) await place.store.remove(recordKey, calm);
  let keptBecause: string | null;
  try {
    keptBecause = await findUse(removal, folder, calm);
  } catch (error) {
    throw record === undefined ? error : await putBack(place, recordKey, record.bytes, error);
  }
  if (keptBecause !== null) {
    return { keptBecause, findings: await keep(place, recordKey, record, keptBecause) };
  }
  return removeFiles(place, folder, recordKey, calm);
}

async function findUse(
  { place, graceMs, known }: FolderRemoval,
  { digest, objects }: ObjectFolder,
  signal: AbortSignal,
): Promise<string | null> {
  const { releases, damaged } = await readModelState(place, known, signal);
  const user = releases.find((release) => digestsOf(release).includes(digest));
  if (user !== undefined) return `release ${user.release} refers to it now`;
  const [first] = damaged;
  if (first !== undefined) return `${first.url} cannot be used now: ${first.problem}`;
  const how = { graceMs, isDryRun: true };
  const swept = await sweepUploads(place.store, place.keys.object(digest, ''), how, signal);
  const { runningKeys, listRefusal } = swept;
  if (listRefusal !== null) return `which uploads into it run cannot be seen: ${listRefusal}`;
  if (runningKeys.length > 0) return 'an upload into it runs';
  const now = await listFolder(place, digest, signal);
  const recordKey = place.keys.artifact(digest);
  const isNew = ({ key, etag, modifiedAtMs }: StoredObject): boolean =>
    key === recordKey ||
    !objects.some((was) => was.key === key && was.etag === etag && was.modifiedAtMs === modifiedAtMs);
  return now.some(isNew) ? 'it is being staged again' : null;
}

async function keep(
  place: ModelPlace,
  key: string,
  record: StoredDocument | undefined,
  reason: string,
): Promise<readonly Finding[]> {
  if (record === undefined) return [];
  const failure = await putBack(place, key, record.bytes, undefined);
  if (failure !== undefined) throw failure;
  return [makeFinding('info', 'prune-put-back', { url: objectUrl(place.store.url, key), reason })];
}

/** All are tried: what is left when one is refused would only be more. */
async function removeFiles(
  place: ModelPlace,
  { digest, objects }: ObjectFolder,
  recordKey: string,
  signal: AbortSignal,
): Promise<RemovedFolder> {
  const left: string[] = [];
  const note = (key: string) => (error: unknown) => {
    left.push(`${key} (${wordsOf(error)})`);
  };
  const files = objects.map(({ key }) => key).filter((key) => key !== recordKey);
  await workOnEach(files, requestsAtOnce, signal, (key) => place.store.remove(key, signal).catch(note(key)));
  const again = await removeAgain(place, recordKey, signal).catch(note(recordKey));
  const url = objectUrl(place.store.url, place.keys.object(digest, '')).replace(/\/$/, '');
  const findings = again ?? [];
  if (left.length === 0) return { keptBecause: null, findings };
  const keptBecause = 'its artifact.json is gone, but not all files could be removed';
  return { keptBecause, findings: [...findings, makeFinding('warning', 'prune-left', { url, left })] };
}

async function removeAgain(place: ModelPlace, key: string, signal: AbortSignal): Promise<readonly Finding[]> {
  if ((await place.store.head(key, signal)) === undefined) return [];
  await place.store.remove(key, signal);
  return [makeFinding('warning', 'prune-staged-again', { url: objectUrl(place.store.url, key) })];
}
