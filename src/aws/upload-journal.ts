import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sweepMarked } from '../lib/marked-name.js';
import { findProcess, identifyProcess, type ProcessIdentity } from '../lib/process-identity.js';
import { type StateFolder, secureStateFolder } from '../lib/state-folder.js';
import { writeFileAtomically } from '../lib/write-atomically.js';
import { OptimiseModelError } from '../messages/error.js';
import { explainSystemError } from '../messages/explain-system-error.js';

/** Which bucket of which server, and where uploads to it are noted; a connection is one. */
export type JournalPlace = {
  /** The endpoint's address, or `aws`: the same whatever the region. */
  readonly server: string;
  readonly bucket: string;
  readonly stateFolder: StateFolder;
};

/** What is noted of a multipart upload before it is begun. */
type Note = Pick<JournalPlace, 'server' | 'bucket'> & {
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

/** When a server was asked to begin an upload, ms since 1970 by this machine's clock. */
export type RequestWindow = { readonly fromMs: number; readonly toMs: number };

/** An upload that is being journalled. */
export type JournalEntry = {
  /** @returns From the note to the arrival of the id, or to this moment when none has arrived. */
  readonly window: () => RequestWindow;
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
 * @returns The entry, on disk.
 * @throws `journal-refused`, `state-folder-unsafe`.
 */
export async function openJournalEntry(place: JournalPlace, key: string): Promise<JournalEntry> {
  const { server, bucket } = place;
  const path = join(journalFolder(place), `${randomBytes(8).toString('hex')}.json`);
  await refuseUnsafe(place, path);
  const startedAtMs = Date.now();
  const about = { schemaVersion: 1, server, bucket, key, startedAtMs, process: identifyProcess() } as const;
  const write = async (uploadId: string | null): Promise<void> => {
    const note = JSON.stringify({ ...about, uploadId } satisfies Note);
    await writeFileAtomically(path, note).catch((error) => refuse(path, error));
  };
  await write(null);
  let begunAtMs: number | undefined;
  return {
    window: () => ({ fromMs: startedAtMs, toMs: begunAtMs ?? Date.now() }),
    noteUploadId: (uploadId) => {
      begunAtMs = Date.now();
      return write(uploadId);
    },
    close: () => rm(path, { force: true }),
  };
}

/**
 * Lists the uploads to a bucket that were begun and not seen to end, whichever process began them.
 *
 * @param place - The bucket.
 * @returns The uploads; none when there is no journal.
 * @throws `journal-refused`, `state-folder-unsafe`.
 */
export async function readJournal(place: JournalPlace): Promise<readonly JournalledUpload[]> {
  const folder = journalFolder(place);
  await refuseUnsafe(place, folder);
  const names = await readdir(folder).catch(() => []);
  await sweepHalfWritten(folder, names);
  const found: JournalledUpload[] = [];
  for (const name of names.filter((each) => /^[0-9a-f]{16}\.json$/.test(each)).sort()) {
    const path = join(folder, name);
    const note = await readNote(path);
    if (note === undefined || note.server !== place.server || note.bucket !== place.bucket) continue;
    const { key, uploadId, startedAtMs } = note;
    const state = findProcess(note.process);
    found.push({ key, uploadId, startedAtMs, state, forget: () => rm(path, { force: true }) });
  }
  return found;
}

/** Each note has a name of its own, so nobody else comes by who would remove what a process left that died over it. */
async function sweepHalfWritten(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const prefix = /^\.[0-9a-f]{16}\.json\.(?=.*\.part$)/.exec(name)?.[0];
    if (prefix !== undefined) await sweepMarked(folder, { prefix, suffix: '.part' });
  }
}

function journalFolder({ stateFolder }: JournalPlace): string {
  return join(stateFolder.path, 'uploads');
}

async function refuseUnsafe({ stateFolder }: JournalPlace, path: string): Promise<void> {
  const problem = await secureStateFolder(stateFolder).catch((error) => refuse(path, error));
  if (problem === undefined) return;
  throw OptimiseModelError.of('state-folder-unsafe', { path: stateFolder.path, problem });
}

function refuse(path: string, error: unknown): never {
  if (!(error instanceof Error)) throw error;
  throw OptimiseModelError.of('journal-refused', { path, reason: explainSystemError(error) }, error);
}

/** Undefined for what is none of this version's notes, or was taken off meanwhile. */
async function readNote(path: string): Promise<Note | undefined> {
  try {
    const note: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isNote(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Every field is looked at: what a note says is aborted. */
function isNote(value: unknown): value is Note {
  const { schemaVersion, server, bucket, key, uploadId, startedAtMs, process } = asFields(value);
  const { pid, started, world } = asFields(process);
  const isId = uploadId === null || (typeof uploadId === 'string' && uploadId !== '');
  const isProcess = Number.isSafeInteger(pid) && Number(pid) > 0;
  const texts = [server, bucket, key, started, world];
  const isText = texts.every((text) => typeof text === 'string') && key !== '';
  return schemaVersion === 1 && isText && isId && isProcess && Number.isSafeInteger(startedAtMs);
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
