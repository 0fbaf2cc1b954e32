import { OptimiseModelError } from '../messages/error.js';
import type { DownloadTarget } from './download-target.js';
import type { RetryBudget } from './retry-budget.js';
import type { ByteRange, ReadableStore } from './store.js';
import { objectUrl } from './store-url.js';
import { VersionPin } from './version-pin.js';

/** One object to download, what it must be, and where it goes. */
export type ObjectToDownload = {
  readonly key: string;
  readonly sizeBytes: number;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  /** Makes the target; called when the first of its bytes are about to be asked for. */
  readonly open: (signal: AbortSignal) => Promise<DownloadTarget>;
};

/** What the parts of all objects of a download share. */
export type TransferContext = {
  readonly store: ReadableStore;
  readonly retries: RetryBudget;
  readonly signal: AbortSignal;
  /** Bytes that have just been written. */
  readonly onReceived: (sizeBytes: number) => void;
};

/** One object on its way, read by parts that arrive side by side. */
export class ObjectTransfer {
  readonly #object: ObjectToDownload;
  readonly #pin = new VersionPin();
  #target: Promise<DownloadTarget> | undefined;
  #leftBytes: number;

  /** @param object - The object. */
  constructor(object: ObjectToDownload) {
    this.#object = object;
    this.#leftBytes = object.sizeBytes;
  }

  /**
   * Reads one part; the last to arrive verifies and keeps the whole.
   *
   * @param part - The part; undefined for an object that should be empty.
   * @param context - What all parts share.
   * @throws `download-corrupt`, `object-changed`, `object-missing`, what the transport and the target say.
   */
  async read(part: ByteRange | undefined, context: TransferContext): Promise<void> {
    const target = await this.#open(context.signal);
    // Any other object says its size with its first bytes, and is refused by it then.
    if (part === undefined) await refuseOtherSize(context.store, this.#object, context.signal);
    else if (!(await this.#receive(part, target, context))) return;
    const seen = await target.digest();
    const { key, sha256 } = this.#object;
    if (seen !== sha256) throw downloadCorrupt(context.store, key, 'its SHA-256', sha256, seen);
    await target.keep();
    await this.close();
  }

  /** Whether it was the last one: parts may end together, and the object must be finished once. */
  async #receive(part: ByteRange, target: DownloadTarget, context: TransferContext): Promise<boolean> {
    const { store, signal, retries } = context;
    const { key, sizeBytes: objectSizeBytes } = this.#object;
    await target.ready?.(part.offset);
    const range = { ...part, objectSizeBytes, pin: this.#pin, retries };
    const corrupt = (seen: number | string): OptimiseModelError =>
      downloadCorrupt(store, key, 'bytes of a part', part.length, seen);
    let offset = part.offset;
    const end = part.offset + part.length;
    const take = (chunk: Uint8Array): void => {
      signal.throwIfAborted();
      if (offset + chunk.length > end) throw corrupt('more');
      target.write(offset, chunk);
      offset += chunk.length;
      context.onReceived(chunk.length);
    };
    if (store.receiveRange !== undefined) await store.receiveRange(key, range, take, signal);
    else for await (const chunk of store.readRange(key, range, signal)) take(chunk);
    if (offset !== end) throw corrupt(offset - part.offset);
    this.#leftBytes -= part.length;
    return this.#leftBytes === 0;
  }

  #open(signal: AbortSignal): Promise<DownloadTarget> {
    this.#target ??= this.#object.open(signal);
    return this.#target;
  }

  /** Lets go of the target, if there is one; a second call does nothing. To be called when no part is read any more. */
  async close(): Promise<void> {
    const target = await this.#target?.catch(() => undefined);
    this.#target = undefined;
    await target?.close();
  }
}

/**
 * Compares the size of an object with what it should be.
 *
 * @param store - The store.
 * @param object - The object.
 * @param signal - Stops asking.
 * @throws `object-missing`, `download-corrupt`.
 */
export async function refuseOtherSize(
  store: ReadableStore,
  { key, sizeBytes }: Pick<ObjectToDownload, 'key' | 'sizeBytes'>,
  signal: AbortSignal,
): Promise<void> {
  const found = await store.head(key, signal);
  if (found === undefined) throw OptimiseModelError.of('object-missing', { url: objectUrl(store.url, key) });
  if (found.sizeBytes === sizeBytes) return;
  throw downloadCorrupt(store, key, 'its size in bytes', sizeBytes, found.sizeBytes);
}

function downloadCorrupt(
  store: ReadableStore,
  key: string,
  problem: string,
  expected: string | number,
  seen: string | number,
): OptimiseModelError {
  const url = objectUrl(store.url, key);
  return OptimiseModelError.of('download-corrupt', { url, problem, expected, seen });
}
