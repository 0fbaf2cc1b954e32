import { Upload } from '@aws-sdk/lib-storage';
import type { FileCrc32 } from '../lib/crc32.js';
import type { PartSlots } from '../lib/part-slots.js';
import { OptimiseModelError } from '../messages/error.js';
import { endUpload } from './end-upload.js';
import { FileBody } from './file-body.js';
import { FirstError } from './first-error.js';
import { describeObject } from './object-params.js';
import { refusePartSize } from './part-limits.js';
import { PartProofs, type StoredAnswer } from './part-proofs.js';
import type { S3Connection } from './s3-connection.js';
import { translateS3Error } from './translate-s3-error.js';
import { openJournalEntry } from './upload-journal.js';
import { type UploadHooks, UploadSession } from './upload-session.js';
import type { UploadSource } from './upload-source.js';
import { findStored, type S3Uploaded, verifyStored } from './verify-stored.js';

/** How often an upload that someone else aborted is begun anew. */
const tries = 3;

/** One object to upload. */
export type S3Upload = {
  readonly key: string;
  readonly sizeBytes: number;
  /** Of the content, by parts of `partSizeBytes`. */
  readonly crc32: FileCrc32;
  /** Noted beside the object. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Opens the content, for each try anew. */
  readonly openSource: () => Promise<UploadSource>;
  readonly partSizeBytes: number;
  readonly slots: PartSlots;
  readonly signal: AbortSignal;
  /** Bytes that the server has acknowledged, growing. */
  readonly onProgress: (sentBytes: number) => void;
};

/**
 * Uploads an object in parallel parts (in one request when it fits one part), verified by CRC32 on the way, as a
 * whole before it becomes visible, and by what the server says of it then. A failed or stopped upload leaves no parts.
 *
 * @param connection - The bucket.
 * @param upload - The object.
 * @returns What was stored.
 * @throws `s3-part-size-wrong`, `stored-differs`, `journal-refused`, the other `s3-…` errors, what the source throws, the
 *   signal's reason; all requests have ended by then.
 */
export async function uploadObject(connection: S3Connection, upload: S3Upload): Promise<S3Uploaded> {
  refusePartSize(upload);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await uploadOnce(connection, upload);
    } catch (error) {
      if (attempt === tries || !wasAbortedByOthers(error)) throw error;
      upload.onProgress(0);
    }
  }
}

/** Another machine that cleans up, or a rule of the bucket, may take an upload for abandoned. */
function wasAbortedByOthers(error: unknown): boolean {
  if (!(error instanceof OptimiseModelError) || error.code !== 's3-failed') return false;
  return ['NoSuchUpload', 'ConditionalRequestConflict'].includes(error.facts.awsCode as string);
}

async function uploadOnce(connection: S3Connection, upload: S3Upload): Promise<S3Uploaded> {
  const { key, sizeBytes, partSizeBytes } = upload;
  const source = await upload.openSource();
  try {
    const isMultipart = sizeBytes > partSizeBytes;
    const journal = isMultipart ? await openJournalEntry(connection, key) : null;
    const proofs = new PartProofs(upload.crc32);
    const first = new FirstError();
    const session = openSession(connection, upload, { source, proofs, journal, first });
    const answer = await send(connection, upload, session, first);
    const isUndecided = answer === undefined && session.isDecisive;
    const found = isUndecided ? await findStored(connection, upload, proofs) : undefined;
    const failure = answer === undefined && found === undefined ? first.error : undefined;
    const ended = { key, session, isCompleted: answer !== undefined, failure };
    const error = journal === null ? failure : await endUpload(connection, { ...ended, journal });
    if (error !== undefined) throw error;
    return found ?? (await verifyStored(connection, upload, proofs, answer ?? {}));
  } finally {
    await source.close();
  }
}

function openSession(
  connection: S3Connection,
  { key, signal, slots, onProgress }: S3Upload,
  around: Pick<UploadHooks, 'source' | 'proofs' | 'journal' | 'first'>,
): UploadSession {
  let sentBytes = 0;
  const onSent = (bytes: number): void => {
    sentBytes += bytes;
    onProgress(sentBytes);
  };
  return new UploadSession(connection, { key, signal, slots, onSent, ...around });
}

/** Undefined when it failed; what failed first is noted then. */
async function send(
  connection: S3Connection,
  upload: S3Upload,
  session: UploadSession,
  first: FirstError,
): Promise<StoredAnswer | undefined> {
  const { key, metadata, partSizeBytes, sizeBytes, slots } = upload;
  try {
    const sending = new Upload({
      client: session.client(),
      params: {
        ...describeObject(connection, key),
        Bucket: connection.bucket,
        Key: key,
        Body: new FileBody(0, sizeBytes),
        Metadata: { ...metadata },
        // No value here: lib-storage would send it with each part.
        ...(connection.usesChecksums ? { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } : {}),
      },
      partSize: partSizeBytes,
      queueSize: slots.count,
      leavePartsOnError: true,
    });
    return await sending.done();
  } catch (error) {
    first.note(translateS3Error(error, { connection, key, operation: 'PutObject' }));
    return undefined;
  } finally {
    session.close();
  }
}
