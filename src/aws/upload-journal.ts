import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcess, identifyProcess, type ProcessIdentity } from '../lib/process-identity.js';
import { findStateFolder } from '../lib/state-folder.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import { explainSystemError } from '../messages/as-error.js';
import { OptimiseModelError } from '../messages/error.js';

/** Which bucket of which server. */
export type BucketPlace = { readonly endpoint: string; readonly bucket: string };

/** What is noted of a multipart upload before it is begun. */
type Note = BucketPlace & {
  readonly schemaVersion: 1;
  readonly key: string;
  /** Null until the server has given it one. */
  readonly uploadId: string | null;
  /** Ms since 1970 by this machine's clock. */
  readonly startedAtMs: number;
  readonly process: ProcessIdentity;
};

/** One multipart upload of ours that was not seen to end. */
export type JournalledUpload = Pick<Note, 'key' | 'uploadId' | 'startedAtMs'> & {
  /** Whether the process that began it lives; `unknown` when it ran in another container. */
  readonly state: 'alive' | 'dead' | 'unknown';
  /** Takes it off the journal. */
  readonly forget: () => Promise<void>;
};

/** An upload that is being journalled. */
export type JournalEntry = {
  readonly startedAtMs: number;
  /** Notes the id that the server gave it; on disk when this returns. */
  readonly noteUploadId: (uploadId: string) => Promise<void>;
  /** Takes it off the journal: it was completed, or its parts are gone. */
  readonly close: () => Promise<void>;
};

/**
 * Notes that a multipart upload is about to begin, so that it is found should this process be killed: servers keep the
 * parts of an upload that nobody completes, and charge for them.
 *
 * @param place - Where.
 * @param key - The object's key.
 * @param env - Environment variables; they say where the journal is.
 * @returns The entry, on disk.
 * @throws `journal-refused`.
 */
export async function openJournalEntry(
  { endpoint, bucket }: BucketPlace,
  key: string,
  env: NodeJS.ProcessEnv,
): Promise<JournalEntry> {
  const path = join(journalFolder(env), `${randomBytes(8).toString('hex')}.json`);
  const startedAtMs = Date.now();
  const about = { schemaVersion: 1, endpoint, bucket, key, startedAtMs, process: identifyProcess() } as const;
  const write = async (uploadId: string | null): Promise<void> => {
    try {
      await writeFileAtomically(path, JSON.stringify({ ...about, uploadId } satisfies Note));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw OptimiseModelError.of('journal-refused', { path, reason: explainSystemError(error) }, error);
    }
  };
  await write(null);
  return { startedAtMs, noteUploadId: write, close: () => rm(path, { force: true }) };
}

/**
 * Lists the uploads to a bucket that were begun and not seen to end, whichever process began them.
 *
 * @param place - The bucket.
 * @param env - Environment variables; they say where the journal is.
 * @returns The uploads; none when there is no journal.
 */
export async function readJournal(
  place: BucketPlace,
  env: NodeJS.ProcessEnv,
): Promise<readonly JournalledUpload[]> {
  const folder = journalFolder(env);
  const names = await readdir(folder).catch(() => []);
  const found: JournalledUpload[] = [];
  for (const name of names.filter((each) => /^[0-9a-f]{16}\.json$/.test(each)).sort()) {
    const path = join(folder, name);
    const note = await readNote(path);
    if (note === undefined || note.endpoint !== place.endpoint || note.bucket !== place.bucket) continue;
    const { key, uploadId, startedAtMs } = note;
    const state = findProcess(note.process);
    found.push({ key, uploadId, startedAtMs, state, forget: () => rm(path, { force: true }) });
  }
  return found;
}

function journalFolder(env: NodeJS.ProcessEnv): string {
  return join(findStateFolder(env), 'uploads');
}

/** Undefined for what is none of this version's notes, or was taken off meanwhile. */
async function readNote(path: string): Promise<Note | undefined> {
  try {
    const note = JSON.parse(await readFile(path, 'utf8')) as Partial<Note>;
    const isOurs = note.schemaVersion === 1 && typeof note.key === 'string' && note.process !== undefined;
    return isOurs ? (note as Note) : undefined;
  } catch {
    return undefined;
  }
}
