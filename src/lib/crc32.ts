import { open } from 'node:fs/promises';
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

/** CRC32 of a file: of each of its parts, and of the whole. Unsigned 32-bit numbers. */
export type FileCrc32 = { readonly parts: readonly number[]; readonly whole: number };

/** A good size of the buffer that a file is read with: large, since each read costs a change of threads. */
export const crcBufferBytes = 4 << 20;

/**
 * Computes the CRC32 of a file and of its parts, touching each byte once.
 *
 * @param path - The file.
 * @param sizes - Bytes that the file should have, what is behind them is not read; and size of a part, ≥ 1, of which the
 *   last one takes the rest.
 * @param buffer - Used for reading, at least a byte long.
 * @param signal - Stops the reading.
 * @returns The checksums; an empty file has one empty part.
 * @throws The file system's own error when the file cannot be read, the signal's reason.
 */
export async function crc32OfFile(
  path: string,
  { sizeBytes, partSizeBytes }: { readonly sizeBytes: number; readonly partSizeBytes: number },
  buffer: Uint8Array,
  signal: AbortSignal,
): Promise<FileCrc32> {
  const parts: number[] = [];
  let [part, partBytes, whole, restBytes] = [0, 0, 0, sizeBytes];
  const endPart = (): void => {
    parts.push(part);
    whole = combineCrc32(whole, part, partBytes);
    [part, partBytes] = [0, 0];
  };
  const file = await open(path);
  try {
    for (;;) {
      signal.throwIfAborted();
      const wanted = Math.min(buffer.length, partSizeBytes - partBytes, restBytes);
      const { bytesRead } = await file.read(buffer, 0, wanted);
      if (bytesRead === 0) break;
      part = crc32(buffer.subarray(0, bytesRead), part);
      partBytes += bytesRead;
      restBytes -= bytesRead;
      if (partBytes === partSizeBytes) endPart();
    }
  } finally {
    await file.close();
  }
  if (partBytes > 0 || parts.length === 0) endPart();
  return { parts, whole };
}

/** The polynomial of CRC32, bits reversed. */
const polynomial = 0xedb88320;

/**
 * Computes the CRC32 of two pieces joined, without their bytes.
 *
 * A CRC is a remainder of polynomials over GF(2): appending n bytes multiplies the first remainder by x^(8n).
 *
 * @param first - CRC32 of the first piece.
 * @param second - CRC32 of the second piece.
 * @param secondBytes - Length of the second piece, bytes ≥ 0, a safe integer.
 * @returns CRC32 of both, one after the other.
 * @see https://github.com/madler/zlib/blob/v1.3.1/crc32.c (crc32_combine)
 */
export function combineCrc32(first: number, second: number, secondBytes: number): number {
  // x^0, x^8, x^16, x^32, …: the powers that the bits of the length ask for.
  let product = 0x80000000;
  let power = 0x00800000;
  for (let rest = secondBytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) product = multiply(product, power);
    power = multiply(power, power);
  }
  return (multiply(product, first) ^ second) >>> 0;
}

/** Multiplies two polynomials modulo that of CRC32; the highest bit is x^0. */
function multiply(left: number, right: number): number {
  let result = 0;
  let shifted = right;
  for (let bit = 31; bit >= 0; bit -= 1) {
    if ((left >>> bit) & 1) result ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return result >>> 0;
}
