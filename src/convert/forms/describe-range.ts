import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { readAtOnce } from '../../lib/read-at-once.js';
import type { FileRange } from '../../onnx/tensor-content.js';

const fingerprintBytes = 256;
const blockBytes = 1 << 20;

/**
 * Reads a few bytes from the middle of a range, which tell most tensors of the same shape apart.
 *
 * @param range - The range.
 * @returns Its size and those bytes as text.
 * @throws The file system's own error.
 */
export function readFingerprint(range: FileRange): string {
  const start = Math.floor(Math.max(0, range.sizeBytes - fingerprintBytes) / 2);
  const length = Math.min(fingerprintBytes, range.sizeBytes - start);
  const bytes = readAtOnce(range.path, range.offset + start, length);
  return `${range.sizeBytes} ${Buffer.from(bytes).toString('base64')}`;
}

/**
 * Hashes a range: each is read once, however many are alike.
 *
 * @param range - The range.
 * @returns SHA-256 as 64 lower-case hexadecimal digits.
 * @throws The file system's own error.
 */
export async function hashRange(range: FileRange): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(blockBytes, range.sizeBytes));
  const file = await open(range.path, 'r');
  try {
    for (let start = 0; start < range.sizeBytes; start += blockBytes) {
      hash.update(await readAt(file, range, start, buffer));
    }
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

/** Reads from `start` within the range on, as much as fits into the buffer and is there. */
async function readAt(file: FileHandle, range: FileRange, start: number, buffer: Buffer): Promise<Buffer> {
  const length = Math.min(buffer.length, range.sizeBytes - start);
  const { bytesRead } = await file.read(buffer, 0, length, range.offset + start);
  return buffer.subarray(0, bytesRead);
}
