import { readSync, writeSync } from 'node:fs';

/** Where downloaded bytes go, at any offset. Synchronous: a positioned write of a chunk costs less than a promise. */
export type ByteSink = {
  readonly write: (offset: number, chunk: Uint8Array) => void;
  /** Reads back what was written; valid until the next call. */
  readonly read: (offset: number, length: number) => Uint8Array;
};

/**
 * Makes a sink of memory.
 *
 * @param target - As long as the object.
 * @returns The sink.
 */
export function memorySink(target: Uint8Array): ByteSink {
  return {
    write: (offset, chunk) => target.set(chunk, offset),
    read: (offset, length) => target.subarray(offset, offset + length),
  };
}

/**
 * Makes a sink of an open file.
 *
 * @param descriptor - Open for reading and writing.
 * @returns The sink.
 */
export function fileSink(descriptor: number): ByteSink {
  let buffer = new Uint8Array(0);
  return {
    write: (offset, chunk) => {
      let done = 0;
      while (done < chunk.length) {
        done += writeSync(descriptor, chunk, done, chunk.length - done, offset + done);
      }
    },
    read: (offset, length) => {
      if (buffer.length < length) buffer = new Uint8Array(length);
      const count = readSync(descriptor, buffer, 0, length, offset);
      return buffer.subarray(0, count);
    },
  };
}
