import { createHash } from 'node:crypto';
import { putDocument } from '../aws/put-document.js';
import { connectS3, type S3Connection } from '../aws/s3-connection.js';
import {
  deleteObject,
  examineObject,
  getObject,
  headObject,
  listObjects,
  type S3Body,
} from '../aws/s3-objects.js';
import { translateS3Error } from '../aws/translate-s3-error.js';
import { crc32OfFile, crcBufferBytes, printCrc32 } from '../lib/crc32.js';
import type { ObjectSettings } from '../lib/object-settings.js';
import { hashBytes } from '../lib/sha256.js';
import { OptimiseModelError } from '../messages/error.js';
import { CheckedSource } from './checked-source.js';
import { refuseTooLarge } from './document-limit.js';
import { translateFileSystemError } from './file-system-error.js';
import { readBack } from './read-back.js';
import { pause, type RangeTransport, readResuming, receiveResuming, type TakeChunk } from './resume-range.js';
import type {
  ByteRange,
  ExaminedObject,
  PutFile,
  StoredObject,
  SweepOptions,
  UploadSweep,
  WritableStore,
  WriteCondition,
  WrittenDocument,
} from './store.js';
import { checkKey } from './store-key.js';
import type { StoreAddress } from './store-url.js';
import { objectChanged } from './version-pin.js';

/** How often a document is asked for whose body breaks. */
const readTries = 3;

/** Names of what is noted beside an object: what its content was verified to be when it was sent. */
const notes = { sha256: 'sha256', crc32: 'crc32' } as const;

/**
 * Opens a bucket, below a prefix, as a store.
 *
 * @param address - Bucket and prefix.
 * @param settings - How objects are written.
 * @returns The store.
 * @throws `s3-region-missing`.
 */
export async function openS3Store(
  address: StoreAddress & { readonly kind: 's3' },
  settings: ObjectSettings,
): Promise<WritableStore> {
  const connection = await connectS3(address.bucket, process.env, settings);
  return new S3Store(connection, address.url, address.prefix === '' ? '' : `${address.prefix}/`);
}

class S3Store implements WritableStore {
  readonly url: string;
  readonly endpoint: string;
  readonly #connection: S3Connection;
  readonly #prefix: string;

  constructor(connection: S3Connection, url: string, prefix: string) {
    this.url = url;
    this.endpoint = connection.endpoint;
    this.#connection = connection;
    this.#prefix = prefix;
  }

  #fullKey(key: string): string {
    return this.#prefix + checkKey(key);
  }

  #urlOf(key: string): string {
    return `${this.url}/${key}`;
  }

  async head(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    const found = await headObject(this.#connection, this.#fullKey(key), signal);
    return found && { ...found, key };
  }

  async examine(key: string, signal: AbortSignal): Promise<ExaminedObject | undefined> {
    const found = await examineObject(this.#connection, this.#fullKey(key), signal);
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

  async read(key: string, signal?: AbortSignal): Promise<{ bytes: Uint8Array; etag: string }> {
    const fullKey = this.#fullKey(key);
    for (let attempt = 1; ; attempt += 1) {
      const body = await getObject(this.#connection, fullKey, undefined, signal);
      if (body === undefined || typeof body === 'string') throw this.#missing(key);
      refuseTooLarge(this.#urlOf(key), body.objectSizeBytes);
      try {
        return { bytes: await collect(body.chunks), etag: body.etag };
      } catch (error) {
        if (attempt === readTries || signal?.aborted) throw this.#translateBodyError(error, fullKey, signal);
        await pause(attempt, signal);
      }
    }
  }

  async *readRange(key: string, range: ByteRange, signal?: AbortSignal): AsyncIterable<Uint8Array> {
    const open = async (rest: ByteRange) => (await this.#openRange(key, rest, false, signal)).chunks;
    try {
      yield* readResuming({ ...this.#resuming(key), open }, range, signal);
    } catch (error) {
      throw this.#translateBodyError(error, this.#fullKey(key), signal);
    }
  }

  async receiveRange(key: string, range: ByteRange, take: TakeChunk, signal: AbortSignal): Promise<void> {
    const open = (rest: ByteRange) => this.#openRange(key, rest, true, signal);
    let refusal: { readonly error: unknown } | undefined;
    const pass = (chunk: Uint8Array): void => {
      try {
        take(chunk);
      } catch (error) {
        refusal = { error };
        throw error;
      }
    };
    try {
      await receiveResuming({ ...this.#resuming(key), open }, range, pass, signal);
    } catch (error) {
      // What the disk said is no error of S3.
      if (refusal !== undefined) throw refusal.error;
      throw this.#translateBodyError(error, this.#fullKey(key), signal);
    }
  }

  #resuming(key: string): Omit<RangeTransport<never>, 'open'> {
    return {
      // What comes untranslated is a body that broke; opening has been retried by the SDK already.
      isWorthRetrying: (error) => !(error instanceof OptimiseModelError),
      shortBody: (expected, seen) => this.#wrongSize(key, expected, seen),
    };
  }

  async #openRange(
    key: string,
    range: ByteRange,
    isReceived: boolean,
    signal: AbortSignal | undefined,
  ): Promise<S3Body> {
    const { offset, length, pin } = range;
    const wanted = { first: offset, last: offset + length - 1, ifMatch: pin?.etag, isReceived };
    const body = await getObject(this.#connection, this.#fullKey(key), wanted, signal);
    if (body === undefined) throw this.#missing(key);
    if (body === 'changed') throw objectChanged(this.#urlOf(key), pin?.etag ?? '', 'another');
    const expectedBytes = range.objectSizeBytes ?? wanted.last + 1;
    if (body === 'beyond') throw this.#wrongSize(key, expectedBytes, 'fewer');
    try {
      pin?.hold(body.etag, this.#urlOf(key));
      if (body.objectSizeBytes !== (range.objectSizeBytes ?? body.objectSizeBytes)) {
        throw this.#wrongSize(key, expectedBytes, body.objectSizeBytes);
      }
      // Some servers and caches answer with the whole object: it would be written to the wrong place.
      if (body.firstByte === offset && body.lengthBytes === length) return body;
      throw this.#otherRange(key, body);
    } catch (error) {
      body.discard();
      throw error;
    }
  }

  async putFile(file: PutFile): Promise<StoredObject> {
    const key = this.#fullKey(file.key);
    const { path, sizeBytes, sha256, partSizeBytes, slots, signal, onProgress } = file;
    const translate = (error: unknown): never => {
      throw translateFileSystemError(error, 'read', path);
    };
    // Handlers only read: what sends files would be loaded at every cold start of theirs.
    const { uploadObject } = await import('../aws/upload-object.js');
    const bufferBytes = Math.min(crcBufferBytes, Math.max(1, sizeBytes));
    const compute = (buffer: Uint8Array) => crc32OfFile(path, file, buffer, signal);
    const crc32 = await slots.use(bufferBytes, compute).catch(translate);
    const stored = await uploadObject(this.#connection, {
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
    refuseTooLarge(this.#urlOf(key), bytes.length);
    const asked = this.#connection.settings.conditionalWrites ? condition : undefined;
    const written = await this.#writeWhole(key, bytes, asked, signal);
    if ('etag' in written) return { etag: written.etag };
    // An answer that got lost makes the SDK ask again, and then our own first write is the conflict.
    const found = written.attempts > 1 ? await this.read(key, signal) : undefined;
    if (found !== undefined && hashBytes(found.bytes) === hashBytes(bytes))
      return { etag: found.etag, wasRefused: true };
    throw OptimiseModelError.of('write-conflict', { url: this.#urlOf(key) });
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
      const written = await putDocument(this.#connection, this.#fullKey(key), bytes, asked, signal);
      if ('conflict' in written || written.isProved) return written;
      const [expected, seen] = [hashBytes(bytes), hashBytes((await this.read(key, signal)).bytes)];
      if (seen === expected) return written;
      const facts = { url: this.#urlOf(key), problem: 'its SHA-256', expected, seen };
      if (attempt === 2)
        throw OptimiseModelError.of('stored-differs', { ...facts, fate: 'it was left there' });
      asked = condition === undefined ? undefined : { ifEtag: written.etag };
    }
  }

  remove(key: string, signal?: AbortSignal): Promise<void> {
    return deleteObject(this.#connection, this.#fullKey(key), signal);
  }

  async sweepUploads(prefix: string, options: SweepOptions, signal: AbortSignal): Promise<UploadSweep> {
    const { sweepUploads } = await import('../aws/sweep-uploads.js');
    const found = await sweepUploads(this.#connection, this.#prefix + prefix, options, signal);
    const urlOf = (key: string): string => `s3://${this.#connection.bucket}/${key}`;
    return {
      abandoned: found.abandoned.map(({ key, ...upload }) => ({ url: urlOf(key), ...upload })),
      runningKeys: found.running.map(({ key }) => key.slice(this.#prefix.length)),
      listRefusal: found.listRefusal,
    };
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncIterable<StoredObject> {
    for await (const found of listObjects(this.#connection, this.#prefix + prefix, signal)) {
      yield { ...found, key: found.key.slice(this.#prefix.length) };
    }
  }

  #translateBodyError(error: unknown, key: string, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    return translateS3Error(error, { connection: this.#connection, key, operation: 'GetObject' });
  }

  #missing(key: string): OptimiseModelError {
    return OptimiseModelError.of('object-missing', { url: this.#urlOf(key) });
  }

  #otherRange(key: string, { firstByte, lengthBytes, objectSizeBytes }: S3Body): OptimiseModelError {
    const seen = `bytes ${firstByte}-${firstByte + lengthBytes - 1}/${objectSizeBytes}`;
    return OptimiseModelError.of('range-refused', { url: this.#urlOf(key), status: 200, contentRange: seen });
  }

  #wrongSize(key: string, expected: number, seen: number | string): OptimiseModelError {
    const facts = { url: this.#urlOf(key), problem: 'its size in bytes', expected, seen };
    return OptimiseModelError.of('download-corrupt', facts);
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
