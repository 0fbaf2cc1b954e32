import { createHash } from 'node:crypto';
import { putDocument } from '../aws/put-document.js';
import { connectS3, type S3Connection } from '../aws/s3-connection.js';
import { deleteObject, examineObject, listObjects } from '../aws/s3-objects.js';
import { crc32OfFile, crcBufferBytes, printCrc32 } from '../lib/crc32.js';
import type { ObjectSettings } from '../lib/object-settings.js';
import { hashBytes } from '../lib/sha256.js';
import { OptimiseModelError } from '../messages/error.js';
import { CheckedSource } from './checked-source.js';
import { refuseTooLarge } from './document-limit.js';
import { translateFileSystemError } from './file-system-error.js';
import { readBack } from './read-back.js';
import { S3Reader } from './s3-reader.js';
import type {
  ExaminedObject,
  PutFile,
  StoredObject,
  SweepOptions,
  UploadSweep,
  WritableStore,
  WriteCondition,
  WrittenDocument,
} from './store.js';
import type { StoreAddress } from './store-url.js';

/** Names of what is noted beside an object: what its content was verified to be when it was sent. */
const notes = { sha256: 'sha256', crc32: 'crc32' } as const;

/**
 * Opens a bucket, below a prefix, as a store.
 *
 * @param address - Bucket and prefix.
 * @param settings - How objects are written.
 * @returns The store.
 * @throws `s3-region-missing`, `s3-setting-unfit`.
 */
export async function openS3Store(
  address: StoreAddress & { readonly kind: 's3' },
  settings: ObjectSettings,
): Promise<WritableStore> {
  const connection = await connectS3(address.bucket, process.env, settings);
  return new S3Store(connection, address);
}

class S3Store extends S3Reader implements WritableStore {
  readonly endpoint: string;
  protected override readonly connection: S3Connection;

  constructor(connection: S3Connection, address: StoreAddress & { readonly kind: 's3' }) {
    super(connection, address);
    this.connection = connection;
    this.endpoint = connection.endpoint;
  }

  async examine(key: string, signal: AbortSignal): Promise<ExaminedObject | undefined> {
    const found = await examineObject(this.connection, this.fullKey(key), signal);
    if (found === undefined) return undefined;
    const { sizeBytes, etag, modifiedAtMs, crc32, metadata } = found;
    // A note may outlive what it was about; the server's checksum is of what it has now.
    const isAsSent = crc32 !== null && crc32 === metadata[notes.crc32];
    const noted = isAsSent ? metadata[notes.sha256] : undefined;
    const sha256 = noted ?? (await this.#hash(key, sizeBytes, signal));
    return { key, sizeBytes, etag, modifiedAtMs, sha256 };
  }

  async #hash(key: string, sizeBytes: number, signal: AbortSignal): Promise<string> {
    const hash = createHash('sha256');
    if (sizeBytes > 0) {
      const range = { offset: 0, length: sizeBytes, objectSizeBytes: sizeBytes };
      for await (const chunk of this.readRange(key, range, signal)) hash.update(chunk);
    }
    return hash.digest('hex');
  }

  async putFile(file: PutFile): Promise<StoredObject> {
    const key = this.fullKey(file.key);
    const { path, sizeBytes, sha256, partSizeBytes, slots, signal, onProgress } = file;
    const translate = (error: unknown): never => {
      throw translateFileSystemError(error, 'read', path);
    };
    // Handlers only read: what sends files would be loaded at every cold start of theirs.
    const { uploadObject } = await import('../aws/upload-object.js');
    const bufferBytes = Math.min(crcBufferBytes, Math.max(1, sizeBytes));
    const compute = (buffer: Uint8Array) => crc32OfFile(path, file, buffer, signal);
    const crc32 = await slots.use(bufferBytes, compute).catch(translate);
    const stored = await uploadObject(this.connection, {
      key,
      crc32,
      openSource: () => CheckedSource.open(file),
      metadata: { [notes.sha256]: sha256, [notes.crc32]: printCrc32(crc32.whole) },
      ...{ sizeBytes, partSizeBytes, slots, signal, onProgress },
    }).catch(translate);
    if (!stored.isVerified) await readBack(this, file);
    return { key: file.key, sizeBytes, etag: stored.etag, modifiedAtMs: null };
  }

  async write(
    key: string,
    bytes: Uint8Array,
    condition: WriteCondition | undefined,
    signal?: AbortSignal,
  ): Promise<WrittenDocument> {
    refuseTooLarge(this.urlOf(key), bytes.length);
    const asked = this.connection.settings.conditionalWrites ? condition : undefined;
    const written = await this.#writeWhole(key, bytes, asked, signal);
    if ('etag' in written) return { etag: written.etag };
    // An answer that got lost makes the SDK ask again, and then our own first write is the conflict.
    const found = written.attempts > 1 ? await this.read(key, signal) : undefined;
    if (found !== undefined && hashBytes(found.bytes) === hashBytes(bytes))
      return { etag: found.etag, wasRefused: true };
    throw OptimiseModelError.of('write-conflict', { url: this.urlOf(key) });
  }

  /** A document that was damaged on its way is what readers see from then on: it is written once more at once. */
  async #writeWhole(
    key: string,
    bytes: Uint8Array,
    condition: WriteCondition | undefined,
    signal: AbortSignal | undefined,
  ): ReturnType<typeof putDocument> {
    let asked = condition;
    for (let attempt = 1; ; attempt += 1) {
      const written = await putDocument(this.connection, this.fullKey(key), bytes, asked, signal);
      if ('conflict' in written || written.isProved) return written;
      const [expected, seen] = [hashBytes(bytes), hashBytes((await this.read(key, signal)).bytes)];
      if (seen === expected) return written;
      const facts = { url: this.urlOf(key), problem: 'its SHA-256', expected, seen };
      if (attempt === 2)
        throw OptimiseModelError.of('stored-differs', { ...facts, fate: 'it was left there' });
      asked = condition === undefined ? undefined : { ifEtag: written.etag };
    }
  }

  remove(key: string, signal?: AbortSignal): Promise<void> {
    return deleteObject(this.connection, this.fullKey(key), signal);
  }

  async sweepUploads(prefix: string, options: SweepOptions, signal: AbortSignal): Promise<UploadSweep> {
    const { sweepUploads } = await import('../aws/sweep-uploads.js');
    const found = await sweepUploads(this.connection, this.prefix + prefix, options, signal);
    const urlOf = (key: string): string => `s3://${this.connection.bucket}/${key}`;
    return {
      abandoned: found.abandoned.map(({ key, ...upload }) => ({ url: urlOf(key), ...upload })),
      runningKeys: found.running.map(({ key }) => key.slice(this.prefix.length)),
      listRefusal: found.listRefusal,
    };
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredObject> {
    for await (const found of listObjects(this.connection, this.prefix + prefix, signal)) {
      yield { ...found, key: found.key.slice(this.prefix.length) };
    }
  }
}
