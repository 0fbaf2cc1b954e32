import { type FileHandle, open } from 'node:fs/promises';
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
export async function readFingerprint(range: FileRange): Promise<string> {
  const start = Math.floor(Math.max(0, range.sizeBytes - fingerprintBytes) / 2);
  const file = await open(range.path, 'r');
  try {
    const bytes = await readAt(file, range, start, Buffer.alloc(fingerprintBytes));
    return `${range.sizeBytes} ${bytes.toString('base64')}`;
  } finally {
    await file.close();
  }
}

/**
 * Compares two ranges byte by byte.
 *
 * @param left - One range.
 * @param right - The other.
 * @returns Whether they hold the same bytes.
 * @throws The file system's own error.
 */
export async function areEqualRanges(left: FileRange, right: FileRange): Promise<boolean> {
  if (left.sizeBytes !== right.sizeBytes) return false;
  const files = [await open(left.path, 'r'), await open(right.path, 'r')] as const;
  const buffers = [Buffer.alloc(blockBytes), Buffer.alloc(blockBytes)] as const;
  try {
    for (let start = 0; start < left.sizeBytes; start += blockBytes) {
      const one = await readAt(files[0], left, start, buffers[0]);
      const other = await readAt(files[1], right, start, buffers[1]);
      if (!one.equals(other)) return false;
    }
    return true;
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

/** Reads from `start` within the range on, as much as fits into the buffer and is there. */
async function readAt(file: FileHandle, range: FileRange, start: number, buffer: Buffer): Promise<Buffer> {
  const length = Math.min(buffer.length, range.sizeBytes - start);
  const { bytesRead } = await file.read(buffer, 0, length, range.offset + start);
  return buffer.subarray(0, bytesRead);
}
