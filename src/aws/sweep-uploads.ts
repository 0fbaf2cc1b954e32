import { OptimiseModelError } from '../messages/error.js';
import { abortUpload } from './abort-upload.js';
import { listUploads, type OpenUpload, type UploadList } from './list-uploads.js';
import type { S3Connection } from './s3-connection.js';
import { pickStrays } from './stray-uploads.js';
import { type JournalledUpload, readJournal } from './upload-journal.js';

/** How long a process that was killed can have asked for an id: by default three tries until the connection is given up. */
const askingTries = 3;
const longestAskingMs = 180_000;

/** An upload that nobody will complete. */
type AbandonedUpload = OpenUpload & {
  /** `interrupted`: the journal says that its process is gone. `old`: no journal knows it, and it is older than the grace. */
  readonly reason: 'interrupted' | 'old';
  /** Why its parts could not be removed; null when they were, or nothing was to be done. */
  readonly refusal: string | null;
};

/** What there was to sweep. */
export type UploadSweep = {
  readonly abandoned: readonly AbandonedUpload[];
  /** Uploads that are left alone: they run, or are too young to be judged. */
  readonly running: readonly OpenUpload[];
  /** Why the server's list could not be read, so that only the journal was followed; null when it was read. */
  readonly listRefusal: string | null;
};

/** How a sweep is done. */
export type SweepOptions = {
  /** How old an upload that no journal knows must be, ms. */
  readonly graceMs: number;
  /** Whether the server is asked for its list; else only what the journal knows is looked at. */
  readonly lists: boolean;
  /** Only tells what would be done. */
  readonly isDryRun: boolean;
};

/**
 * Finds multipart uploads that nobody will complete and removes their parts: those of ours whose process is gone, by
 * the journal, and below the prefix those that no journal knows and that are older than the grace.
 *
 * @param connection - The bucket.
 * @param prefix - What keys begin with. The journal is followed for the whole bucket.
 * @param options - The grace, and whether anything is done.
 * @param signal - Stops listing and aborting.
 * @returns What was found.
 * @throws The signal's reason, the `s3-…` errors of the list; but that it is refused or not supported is no error.
 */
export async function sweepUploads(
  connection: S3Connection,
  prefix: string,
  options: SweepOptions,
  signal: AbortSignal,
): Promise<UploadSweep> {
  const journal = await readJournal(connection);
  const over = journal.filter((entry) => isOver(entry, options.graceMs));
  const lists = new UploadLists(connection, prefix, signal);
  const interrupted: OpenUpload[] = [];
  for (const entry of over) interrupted.push(...(await findOf(entry, lists, journal)));
  const { uploads, clockLeadMs } = options.lists ? await lists.below(prefix) : nothing;
  const judged = judgeUploads(uploads, journal, interrupted, Date.now() + clockLeadMs - options.graceMs);
  const abandoned: AbandonedUpload[] = [];
  for (const upload of judged.abandoned) {
    signal.throwIfAborted();
    const refusal = options.isDryRun ? undefined : await abortUpload(connection, upload, false);
    abandoned.push({ ...upload, refusal: refusal ?? null });
  }
  if (!options.isDryRun) await forgetEnded(over, abandoned, lists);
  return { abandoned, running: judged.running, listRefusal: lists.refusal };
}

const nothing: UploadList = { uploads: [], clockLeadMs: 0 };

/** Lists of uploads; who may put may not always list, and that is no reason not to stage. */
class UploadLists {
  readonly #connection: S3Connection;
  readonly #prefix: string;
  readonly #signal: AbortSignal;
  #all: UploadList | undefined;
  /** Why a list could not be read. */
  refusal: string | null = null;

  constructor(connection: S3Connection, prefix: string, signal: AbortSignal) {
    this.#connection = connection;
    this.#prefix = prefix;
    this.#signal = signal;
  }

  /** How long a request for an id may have taken. */
  get askingMs(): number {
    return Math.min(askingTries * this.#connection.silenceMs, longestAskingMs);
  }

  async below(prefix: string): Promise<UploadList> {
    if (!prefix.startsWith(this.#prefix)) return this.#list(prefix);
    this.#all ??= await this.#list(this.#prefix);
    return { ...this.#all, uploads: this.#all.uploads.filter(({ key }) => key.startsWith(prefix)) };
  }

  async #list(prefix: string): Promise<UploadList> {
    try {
      return await listUploads(this.#connection, prefix, this.#signal);
    } catch (error) {
      this.#signal.throwIfAborted();
      if (!isListRefused(error)) throw error;
      this.refusal = error.message;
      return nothing;
    }
  }
}

/** Whether it is the list that is not to be had, and not the server that is out of reach or in trouble. */
function isListRefused(error: unknown): error is OptimiseModelError {
  if (!(error instanceof OptimiseModelError)) return false;
  if (error.code === 's3-access-denied' || error.code === 's3-not-supported') return true;
  return error.code === 's3-failed' && error.facts.awsCode === 'MethodNotAllowed';
}

type Judged = {
  readonly abandoned: readonly Omit<AbandonedUpload, 'refusal'>[];
  readonly running: readonly OpenUpload[];
};

function judgeUploads(
  listed: readonly OpenUpload[],
  journal: readonly JournalledUpload[],
  interrupted: readonly OpenUpload[],
  oldBeforeMs: number,
): Judged {
  const interruptedIds = new Set(interrupted.map(identify));
  const known = new Set(journal.map(identify));
  const rest = listed.filter((upload) => !interruptedIds.has(identify(upload)));
  const isOld = (upload: OpenUpload): boolean =>
    !known.has(identify(upload)) && upload.initiatedAtMs !== null && upload.initiatedAtMs < oldBeforeMs;
  return {
    abandoned: [
      ...interrupted.map((upload) => ({ ...upload, reason: 'interrupted' as const })),
      ...rest.filter(isOld).map((upload) => ({ ...upload, reason: 'old' as const })),
    ],
    running: rest.filter((upload) => !isOld(upload)),
  };
}

function identify({ key, uploadId }: { readonly key: string; readonly uploadId: string | null }): string {
  return `${uploadId} ${key}`;
}

/** The uploads that a note is about. */
async function findOf(
  { key, uploadId, startedAtMs }: JournalledUpload,
  lists: UploadLists,
  journal: readonly JournalledUpload[],
): Promise<readonly OpenUpload[]> {
  if (uploadId !== null) return [{ key, uploadId, initiatedAtMs: startedAtMs }];
  const sought = { key, fromMs: startedAtMs, toMs: startedAtMs + lists.askingMs, most: 1 };
  return pickStrays(await lists.below(key), sought, journal);
}

/** A process in another container cannot be looked at: its uploads are given the grace. */
function isOver({ state, startedAtMs }: JournalledUpload, graceMs: number): boolean {
  return state === 'dead' || (state === 'unknown' && startedAtMs < Date.now() - graceMs);
}

async function forgetEnded(
  over: readonly JournalledUpload[],
  abandoned: readonly AbandonedUpload[],
  { refusal }: UploadLists,
): Promise<void> {
  const left = new Set(abandoned.filter((upload) => upload.refusal !== null).map(({ key }) => key));
  for (const { key, uploadId, forget } of over) {
    // Without an id it is known only from the list whether there is something to remove.
    if (!left.has(key) && (uploadId !== null || refusal === null)) await forget();
  }
}
