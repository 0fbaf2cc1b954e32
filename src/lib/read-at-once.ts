import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Reads a few bytes of a file without waiting for the thread pool: a model has hundreds of tensors of a few KiB, and a
 * round trip through the pool takes ten times as long as reading one.
 *
 * @param path - A regular file.
 * @param offset - Where to begin, bytes.
 * @param sizeBytes - How many; a few KiB.
 * @returns The bytes, fewer where the file ends before.
 * @throws The file system's own error.
 */
export function readAtOnce(path: string, offset: number, sizeBytes: number): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(sizeBytes);
    let done = 0;
    while (done < sizeBytes) {
      const step = readSync(file, bytes, done, sizeBytes - done, offset + done);
      if (step === 0) break;
      done += step;
    }
    return bytes.subarray(0, done);
  } finally {
    closeSync(file);
  }
}
