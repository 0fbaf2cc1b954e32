import { openConnection } from '../aws/open-connection.js';
import type { S3Reading } from '../aws/s3-connection.js';
import { getObject, headObject, type S3Body } from '../aws/s3-objects.js';
import { translateS3Error } from '../aws/translate-s3-error.js';
import type { ObjectSettings } from '../lib/object-settings.js';
import { OptimiseModelError } from '../messages/error.js';
import { refuseTooLarge } from './document-limit.js';
import { pause, type RangeTransport, readResuming, receiveResuming, type TakeChunk } from './resume-range.js';
import type { ByteRange, ReadableStore, StoredObject } from './store.js';
import { checkKey } from './store-key.js';
import type { StoreAddress } from './store-url.js';
import { objectChanged } from './version-pin.js';

/** How often a document is asked for whose body breaks. */
const readTries = 3;

/**
 * Opens a bucket, below a prefix, for reading. What writes is not loaded with it, since a handler only reads.
 *
 * @param address - Bucket and prefix.
 * @param settings - Whose the bucket must be.
 * @returns The store.
 * @throws `s3-region-missing`.
 */
export async function openS3Reader(
  address: StoreAddress & { readonly kind: 's3' },
  settings: ObjectSettings,
): Promise<ReadableStore> {
  return new S3Reader(await openConnection(address.bucket, process.env, settings), address);
}

/** A bucket, below a prefix, as far as it is read. */
export class S3Reader implements ReadableStore {
  readonly url: string;
  protected readonly connection: S3Reading;
  /** What keys begin with in the bucket: empty, or with a final `/`. */
  protected readonly prefix: string;

  /**
   * @param connection - Client and bucket.
   * @param address - Bucket and prefix.
   */
  constructor(connection: S3Reading, { url, prefix }: StoreAddress & { readonly kind: 's3' }) {
    this.url = url;
    this.connection = connection;
    this.prefix = prefix === '' ? '' : `${prefix}/`;
  }

  /** @returns The key in the bucket. */
  protected fullKey(key: string): string {
    return this.prefix + checkKey(key);
  }

  /** @returns The address of an object. */
  protected urlOf(key: string): string {
    return `${this.url}/${key}`;
  }

  async head(key: string, signal?: AbortSignal): Promise<StoredObject | undefined> {
    const found = await headObject(this.connection, this.fullKey(key), signal);
    return found && { ...found, key };
  }

  async read(key: string, signal?: AbortSignal): Promise<{ bytes: Uint8Array; etag: string }> {
    const fullKey = this.fullKey(key);
    for (let attempt = 1; ; attempt += 1) {
      const body = await getObject(this.connection, fullKey, undefined, signal);
      if (body === undefined || typeof body === 'string') throw this.#missing(key);
      refuseTooLarge(this.urlOf(key), body.objectSizeBytes);
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
      throw this.#translateBodyError(error, this.fullKey(key), signal);
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
      throw this.#translateBodyError(error, this.fullKey(key), signal);
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
    const body = await getObject(this.connection, this.fullKey(key), wanted, signal);
    if (body === undefined) throw this.#missing(key);
    if (body === 'changed') throw objectChanged(this.urlOf(key), pin?.etag ?? '', 'another');
    const expectedBytes = range.objectSizeBytes ?? wanted.last + 1;
    if (body === 'beyond') throw this.#wrongSize(key, expectedBytes, 'fewer');
    try {
      pin?.hold(body.etag, this.urlOf(key));
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

  #translateBodyError(error: unknown, key: string, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    return translateS3Error(error, { connection: this.connection, key, operation: 'GetObject' });
  }

  #missing(key: string): OptimiseModelError {
    return OptimiseModelError.of('object-missing', { url: this.urlOf(key) });
  }

  #otherRange(key: string, { firstByte, lengthBytes, objectSizeBytes }: S3Body): OptimiseModelError {
    const seen = `bytes ${firstByte}-${firstByte + lengthBytes - 1}/${objectSizeBytes}`;
    return OptimiseModelError.of('range-refused', { url: this.urlOf(key), status: 200, contentRange: seen });
  }

  #wrongSize(key: string, expected: number, seen: number | string): OptimiseModelError {
    const facts = { url: this.urlOf(key), problem: 'its size in bytes', expected, seen };
    return OptimiseModelError.of('download-corrupt', facts);
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
