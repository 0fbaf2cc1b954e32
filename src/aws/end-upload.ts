import { abortUpload, partsLeft } from './abort-upload.js';
import type { S3Connection } from './s3-connection.js';
import { findStrays, type SoughtStrays } from './stray-uploads.js';
import type { JournalEntry } from './upload-journal.js';
import type { UploadSession } from './upload-session.js';

/** A multipart upload whose requests have ended. */
export type EndedUpload = {
  readonly key: string;
  readonly session: UploadSession;
  readonly journal: JournalEntry;
  /** Whether the server has said that it is complete. */
  readonly isCompleted: boolean;
  /** Why it failed; undefined when the object is stored, be it by another upload. */
  readonly failure: unknown;
};

/**
 * Leaves nothing of a multipart upload on the server but the object, and takes it off the journal when that is so.
 *
 * @param connection - The bucket.
 * @param upload - The upload.
 * @returns The error to throw: why it failed, or `s3-parts-left` with that as its cause; undefined when it did not fail.
 */
export async function endUpload(connection: S3Connection, upload: EndedUpload): Promise<unknown> {
  const { key, session, journal, isCompleted, failure } = upload;
  const { uploadId, wasCut } = session;
  if (session.mostStrays > 0) {
    await removeStrays(connection, { key, most: session.mostStrays, ...journal.window() });
  }
  if (!isCompleted && uploadId !== undefined) {
    const begun = { key, uploadId };
    const refusal = await abortUpload(connection, begun, wasCut);
    // It stays in the journal, so that the next start tries again.
    if (refusal !== undefined) {
      return failure === undefined ? undefined : partsLeft(connection, begun, refusal, failure);
    }
  }
  await journal.close();
  return failure;
}

/** An upload whose id never arrived holds no parts; where the list is refused it is left to the bucket's rules. */
async function removeStrays(connection: S3Connection, sought: SoughtStrays): Promise<void> {
  const signal = AbortSignal.timeout(30_000);
  const strays = await findStrays(connection, sought, signal).catch(() => []);
  for (const stray of strays) await abortUpload(connection, stray, false);
}
