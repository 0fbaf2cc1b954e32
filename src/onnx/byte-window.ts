import { readSync } from 'node:fs';
import type { ByteWindow } from './wire-reader.js';

/** A window that has to jump reads little, as payloads follow each other; one that goes on reads more each time. */
const jumpBytes = 4096;
const windowBytes = 256 * 1024;

/**
 * Opens a window over bytes that are all in memory.
 *
 * @param bytes - All of them; offset 0 is their beginning.
 * @returns The window, which never moves.
 */
export function windowOver(bytes: Uint8Array): ByteWindow {
  return { bytes, start: 0, end: bytes.length, seek: () => undefined };
}

/**
 * Opens a small window over a file, so that its size does not matter.
 *
 * @param fd - The file, open for reading.
 * @param sizeBytes - Its size.
 * @returns The window; `seek` throws what {@link readExactly} throws.
 */
export function windowOverFile(fd: number, sizeBytes: number): ByteWindow {
  let stepBytes = jumpBytes;
  const window: ByteWindow = {
    bytes: Buffer.allocUnsafe(Math.min(windowBytes, sizeBytes)),
    start: 0,
    end: 0,
    seek: (offset, wantedBytes) => {
      const goesOn = offset >= window.start && offset <= window.end;
      if (goesOn && window.end === sizeBytes) return;
      stepBytes = goesOn ? Math.min(stepBytes * 2, windowBytes) : jumpBytes;
      const size = Math.min(Math.max(stepBytes, wantedBytes), window.bytes.length, sizeBytes - offset);
      readExactly(fd, window.bytes.subarray(0, size), offset);
      window.start = offset;
      window.end = offset + size;
    },
  };
  return window;
}

/**
 * Fills a buffer from a file.
 *
 * @param fd - The file, open for reading.
 * @param target - Is filled.
 * @param position - Where the wanted bytes begin in the file.
 * @throws The file system's own error, or a RangeError when the file ends before.
 */
export function readExactly(fd: number, target: Uint8Array, position: number): void {
  for (let done = 0; done < target.length; ) {
    const read = readSync(fd, target, done, Math.min(target.length - done, 1 << 30), position + done);
    if (read === 0) throw new RangeError(`the file ends at byte ${position + done}`);
    done += read;
  }
}
