import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/**
 * Hashes bytes or text that are already in memory.
 *
 * @param data - The bytes, or text taken as UTF-8.
 * @returns SHA-256 as 64 lower-case hexadecimal digits.
 */
export function hashBytes(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/**
 * Hashes a file in pieces, so that its size does not matter.
 *
 * @param path - The file.
 * @param signal - Stops the reading.
 * @returns SHA-256 as 64 lower-case hexadecimal digits.
 * @throws The file system's own error when the file cannot be read, `AbortError` when stopped.
 */
export async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const stream = createReadStream(path, { highWaterMark: 1 << 20, signal });
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}
