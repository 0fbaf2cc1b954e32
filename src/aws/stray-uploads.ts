import { listUploads, type OpenUpload, type UploadList } from './list-uploads.js';
import type { S3Connection } from './s3-connection.js';
import { type JournalledUpload, type RequestWindow, readJournal } from './upload-journal.js';

/** What the moments of a server's list and of its `Date` header leave out, and the way of an answer. */
const clockToleranceMs = 2_000;

/** Which uploads are ours though we never got their ids. */
export type SoughtStrays = RequestWindow & {
  readonly key: string;
  /** How many answers with an id can have been lost. */
  readonly most: number;
};

/**
 * Finds uploads of one key that the server began when we asked it to, and whose ids we never got.
 *
 * @param connection - The bucket.
 * @param sought - The key, when we asked, and how often without an answer.
 * @param signal - Stops the listing.
 * @returns The uploads; none when it cannot be told which are ours.
 * @throws The `s3-…` errors, `journal-refused`, `state-folder-unsafe`.
 */
export async function findStrays(
  connection: S3Connection,
  sought: SoughtStrays,
  signal: AbortSignal,
): Promise<readonly OpenUpload[]> {
  const list = await listUploads(connection, sought.key, signal);
  // In this order: what is in the list was noted before.
  return pickStrays(list, sought, await readJournal(connection));
}

/**
 * Picks those uploads from a list. Another machine that sends the same content may have begun an upload of the same
 * key at that time, and nothing tells it from ours. So only the time of our request counts, by the server's clock, and
 * when there are more uploads in it than we can have begun, all are left: whoever runs goes on, and what nobody
 * completes is removed when the grace is over.
 *
 * @param list - The server's list.
 * @param sought - The key, when we asked, and how often without an answer.
 * @param journal - What this machine has begun.
 * @returns The uploads; none when it cannot be told which are ours.
 */
export function pickStrays(
  { uploads, clockLeadMs }: UploadList,
  { key, fromMs, toMs, most }: SoughtStrays,
  journal: readonly JournalledUpload[],
): readonly OpenUpload[] {
  const known = new Set(journal.map(({ uploadId }) => uploadId));
  const earliestMs = fromMs + clockLeadMs - clockToleranceMs;
  const latestMs = toMs + clockLeadMs + clockToleranceMs;
  const found = uploads.filter(({ key: of, uploadId, initiatedAtMs: atMs }) => {
    return of === key && !known.has(uploadId) && atMs !== null && atMs >= earliestMs && atMs <= latestMs;
  });
  // Another process of this machine that waits for its id.
  const isAskedFor = journal.some(
    (entry) =>
      entry.key === key && entry.uploadId === null && entry.state !== 'dead' && entry.startedAtMs !== fromMs,
  );
  return isAskedFor || found.length > most ? [] : found;
}
