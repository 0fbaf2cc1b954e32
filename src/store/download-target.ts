import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { EarlyFlush } from '../lib/early-flush.js';
import { fileSink, memorySink } from './byte-sink.js';
import { OrderedHash } from './ordered-hash.js';

/** Where the bytes of one object go while it is downloaded. */
export type DownloadTarget = {
  /** Waits until the part that begins there may be asked for; left out where parts may come in any order. */
  readonly ready?: (offset: number) => Promise<void>;
  /** Takes bytes for good; within a part they come in order. Synchronous: a promise per chunk costs more than the write. */
  readonly write: (offset: number, chunk: Uint8Array) => void;
  /** @returns SHA-256 of all that was written, 64 hexadecimal digits; asked for once, when everything has arrived. */
  readonly digest: () => Promise<string>;
  /** Makes what was written last; called when it is verified. */
  readonly keep: () => Promise<void>;
  /** Lets go of it, whether it was kept or not; called once. */
  readonly close: () => Promise<void>;
};

/** A hash that follows a file while it is written. */
export type FollowingHash = Pick<DownloadTarget, 'digest'> & {
  /** Takes note of bytes that have just been written. */
  readonly add: (offset: number, chunk: Uint8Array) => void;
  /** Ends it, whether it was asked for its digest or not; the file may be closed then. */
  readonly end: () => Promise<void>;
};

/** Begins to hash a file: its descriptor, open for reading too, the size that it will have, and the size of parts. */
export type StartHash = (descriptor: number, sizeBytes: number, partSizeBytes: number) => FollowingHash;

/**
 * Hashes in this thread.
 *
 * @see StartHash
 */
export const hashHere: StartHash = (descriptor, _sizeBytes, partSizeBytes) => {
  const hash = new OrderedHash(fileSink(descriptor), partSizeBytes);
  return {
    add: (offset, chunk) => hash.add(offset, chunk),
    digest: async () => hash.digest(),
    end: async () => undefined,
  };
};

/**
 * Makes a target of memory.
 *
 * @param bytes - As long as the object.
 * @param partSizeBytes - Size of a part.
 * @returns The target.
 */
export function memoryTarget(bytes: Uint8Array, partSizeBytes: number): DownloadTarget {
  const sink = memorySink(bytes);
  const hash = new OrderedHash(sink, partSizeBytes);
  return {
    write: (offset, chunk) => {
      sink.write(offset, chunk);
      hash.add(offset, chunk);
    },
    digest: async () => hash.digest(),
    keep: async () => undefined,
    close: async () => undefined,
  };
}

/**
 * Makes a target that keeps nothing but the hash, for a download that reads one range at a time, in order.
 *
 * @returns The target.
 */
export async function hashOnlyTarget(): Promise<DownloadTarget> {
  const hash = createHash('sha256');
  return {
    write: (_offset, chunk) => {
      hash.update(chunk);
    },
    digest: async () => hash.digest('hex'),
    keep: async () => undefined,
    close: async () => undefined,
  };
}

/** A file that an object is downloaded to. */
export type FileToWrite = {
  /** Nothing is there yet; its folder is. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly partSizeBytes: number;
  readonly startHash: StartHash;
  /** Whether it is flushed to the device; pointless on ephemeral storage, and a cold start would wait for it. */
  readonly isFlushed: boolean;
};

const flushStepBytes = 64 * 1024 ** 2;

/**
 * Makes a target of a new file.
 *
 * @param file - Which, and how.
 * @returns The target; a file that is not kept stays, for whoever made the folder to remove.
 * @throws The file system's own error.
 */
export async function openFileTarget(file: FileToWrite): Promise<DownloadTarget> {
  const opened = await open(file.path, 'wx+');
  const sink = fileSink(opened.fd);
  const hash = file.startHash(opened.fd, file.sizeBytes, file.partSizeBytes);
  const flush = file.isFlushed ? new EarlyFlush(opened, flushStepBytes) : undefined;
  return {
    write: (offset, chunk) => {
      sink.write(offset, chunk);
      hash.add(offset, chunk);
      flush?.add(chunk.length);
    },
    digest: hash.digest,
    keep: async () => {
      await flush?.settle();
      if (file.isFlushed) await opened.sync();
    },
    close: async () => {
      // A descriptor must not be closed, and its number given to another file, while someone still uses it.
      await Promise.allSettled([hash.end(), flush?.settle()]);
      await opened.close();
    },
  };
}
