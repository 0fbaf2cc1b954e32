import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * Writes a CRC32 as S3 does.
 *
 * @param value - The checksum, an unsigned 32-bit number.
 * @returns Its four bytes, the highest first, in base64.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */
export function printCrc32(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes.toString('base64');
}

/**
 * Computes the CRC32 of a file in pieces.
 *
 * @param path - The file.
 * @param signal - Stops the reading.
 * @returns As {@link printCrc32} writes it.
 * @throws The file system's own error when the file cannot be read, `AbortError` when stopped.
 */
export async function crc32OfFile(path: string, signal: AbortSignal): Promise<string> {
  let value = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    value = crc32(chunk, value);
  }
  return printCrc32(value);
}
