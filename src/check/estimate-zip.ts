import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { OptimiseModelError } from '../messages/error.js';
import type { MeasuredFile } from './measured-file.js';

const compress = promisify(deflateRaw);
const sampleCount = 32;
const sampleBytes = 128 * 1024;
// Local header (30), central directory entry (46), and the name in both.
const headerBytes = 76;

/**
 * Estimates what a file takes in a zip from evenly spaced samples, so that big libraries are not compressed whole.
 *
 * Files of at most 4 MiB are compressed whole (deflate, level 6). Of larger ones each sample is compressed on its own:
 * a 46 MB library came out 5 % above its real size in a ninth of the time, FP32 weights 0.6 % below.
 *
 * @param file - A measured file.
 * @param signal - Stops between samples.
 * @returns Bytes in the archive, headers included.
 * @throws file-system-refused when the file cannot be read.
 */
export async function estimateZippedBytes(file: MeasuredFile, signal: AbortSignal): Promise<number> {
  const overheadBytes = headerBytes + 2 * Buffer.byteLength(file.path);
  if (file.sizeBytes === 0) return overheadBytes;
  let readBytes = 0;
  let packedBytes = 0;
  for await (const sample of readSamples(file)) {
    signal.throwIfAborted();
    readBytes += sample.byteLength;
    packedBytes += (await compress(sample, { level: 6 })).byteLength;
  }
  const ratio = readBytes === 0 ? 1 : packedBytes / readBytes;
  return overheadBytes + Math.min(file.sizeBytes, Math.ceil(file.sizeBytes * ratio));
}

/**
 * Plans where samples are taken: everything when the file is small, else evenly spaced with the first and last bytes.
 *
 * @param sizeBytes - Size of the file, > 0.
 * @returns Offsets and lengths in bytes, in order, not overlapping.
 */
export function planSamples(
  sizeBytes: number,
): readonly { readonly offset: number; readonly length: number }[] {
  if (sizeBytes <= sampleCount * sampleBytes) return [{ offset: 0, length: sizeBytes }];
  const step = (sizeBytes - sampleBytes) / (sampleCount - 1);
  return Array.from({ length: sampleCount }, (_, index) => ({
    offset: Math.round(index * step),
    length: sampleBytes,
  }));
}

async function* readSamples(file: MeasuredFile): AsyncGenerator<Uint8Array> {
  const path = file.sourcePath ?? file.path;
  try {
    const handle = await open(path);
    try {
      for (const { offset, length } of planSamples(file.sizeBytes)) {
        const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, offset);
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) throw error;
    throw OptimiseModelError.of(
      'file-system-refused',
      { path, operation: 'read', reason: error.message },
      error,
    );
  }
}
