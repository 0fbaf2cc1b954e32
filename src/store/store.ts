import type { PartSlots } from '../lib/part-slots.js';
import type { RetryBudget } from './retry-budget.js';
import type { VersionPin } from './version-pin.js';

/** One object of a store, without its bytes. */
export type StoredObject = {
  readonly key: string;
  readonly sizeBytes: number;
  /** Changes when the object changes; compared only for equality. */
  readonly etag: string;
  /** When it was last written, ms since 1970 by the store's clock; null where that is not known. */
  readonly modifiedAtMs: number | null;
};

/** One object with the SHA-256 of its content. */
export type ExaminedObject = StoredObject & { readonly sha256: string };

/** A range of one object: `offset` and `length` in bytes, `length` > 0. */
export type ByteRange = {
  readonly offset: number;
  readonly length: number;
  /** What the whole object must have, when that is known: the reader refuses an object of another size. */
  readonly objectSizeBytes?: number;
  /** The version that is wanted; it holds that of the first answer if it is still open. */
  readonly pin?: VersionPin;
  /** How often reading may still be tried again, shared by everything that is read together. */
  readonly retries?: RetryBudget;
};

/** What a small document is written on: nothing there yet, or exactly what was read before. */
export type WriteCondition = { readonly ifAbsent: true } | { readonly ifEtag: string };

/** Anything that objects can be read from: S3, a directory, an HTTP server. Keys use `/` and never start with it. */
export type ReadableStore = {
  /** Address without a final slash: `s3://bucket/prefix`, an absolute folder, or `http(s)://…`. */
  readonly url: string;
  /** Looks at one object; undefined when there is none. */
  readonly head: (key: string, signal?: AbortSignal) => Promise<StoredObject | undefined>;
  /** Reads a small object whole (documents: at most 16 MiB). Throws `object-missing`. */
  readonly read: (
    key: string,
    signal?: AbortSignal,
  ) => Promise<{ readonly bytes: Uint8Array; readonly etag: string }>;
  /**
   * Reads a range as it arrives; ends early only by throwing `object-missing`, `download-corrupt` (the object is
   * shorter or of another size than expected), `object-changed` (it is not of the version of `pin`), `range-refused`
   * (the answer is of another range) or what the transport says.
   */
  readonly readRange: (key: string, range: ByteRange, signal?: AbortSignal) => AsyncIterable<Uint8Array>;
  /**
   * Does the same with less work, where a store can: hands over bytes whose memory is used again when `take` returns.
   */
  readonly receiveRange?: (
    key: string,
    range: ByteRange,
    take: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ) => Promise<void>;
};

/** How one file is sent. */
export type PutFile = {
  readonly key: string;
  readonly path: string;
  /** What the file must still be when it has been sent, else nothing becomes visible. */
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Of a multipart upload; a directory has no parts. */
  readonly partSizeBytes: number;
  /** Shared by all files that are sent at the same time. */
  readonly slots: PartSlots;
  readonly signal: AbortSignal;
  /** Bytes sent so far, growing. */
  readonly onProgress: (sentBytes: number) => void;
};

/** How uploads that nobody will complete are removed. */
export type SweepOptions = {
  /** How old an upload must be that no journal on this machine knows, ms. */
  readonly graceMs: number;
  /** Whether the server is asked for its list; else only what the journal knows is looked at. */
  readonly lists: boolean;
  /** Only tells what would be done. */
  readonly isDryRun: boolean;
};

/** What there was to sweep. */
export type UploadSweep = {
  /** Uploads that nobody will complete. The journal is followed for the whole bucket, not only below the prefix. */
  readonly abandoned: readonly {
    readonly url: string;
    readonly uploadId: string;
    /** When it was begun, ms since 1970; null where that is not known. */
    readonly initiatedAtMs: number | null;
    /** `interrupted`: the process that began it is gone. `old`: no journal knows it and it is older than the grace. */
    readonly reason: 'interrupted' | 'old';
    /** Why its parts could not be removed; null when they were, and in a dry run. */
    readonly refusal: string | null;
  }[];
  /** Keys of uploads below the prefix that are left alone: they run, or are too young to be judged. */
  readonly runningKeys: readonly string[];
  /** Why the server's list could not be read, so that only the journal was followed; null when it was read. */
  readonly listRefusal: string | null;
};

/** A document that is there now as it was to be written. */
export type WrittenDocument = {
  readonly etag: string;
  /** True when the server refused the condition after a try whose answer got lost: the earlier try had written it. */
  readonly wasRefused?: boolean;
};

/** A store that artifacts are staged to. */
export type WritableStore = ReadableStore & {
  /** Where requests go, for messages: an address or `Amazon S3 (REGION)`; null for a folder. */
  readonly endpoint: string | null;
  /**
   * Looks at one object and its content; undefined when there is none. A folder's file is read and hashed. For S3 a
   * small request will do while the server's own checksum is that of what was sent; else the object is downloaded and
   * hashed.
   */
  readonly examine: (key: string, signal: AbortSignal) => Promise<ExaminedObject | undefined>;
  /** Sends a file and verifies what was stored, before anything else names it. */
  readonly putFile: (file: PutFile) => Promise<StoredObject>;
  /** Writes a small document if the condition holds; throws `write-conflict` otherwise. */
  readonly write: (
    key: string,
    bytes: Uint8Array,
    condition: WriteCondition | undefined,
    signal?: AbortSignal,
  ) => Promise<WrittenDocument>;
  /** Removes an object; one that is not there is fine. */
  readonly remove: (key: string, signal?: AbortSignal) => Promise<void>;
  /** Finds uploads below a prefix that nobody will complete and removes their parts; in a folder, files half written. */
  readonly sweepUploads: (prefix: string, options: SweepOptions, signal: AbortSignal) => Promise<UploadSweep>;
  /** Lists objects below a prefix, in key order. */
  readonly list: (prefix: string, signal?: AbortSignal) => AsyncIterable<StoredObject>;
};
