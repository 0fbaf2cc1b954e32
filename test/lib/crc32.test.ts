import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combineCrc32, crc32OfFile, printCrc32 } from '../../src/lib/crc32.js';
import { temporaryFolder } from '../fixtures/opaque-artifact.js';

const sizes = { sizeBytes: 9, partSizeBytes: 5 };
const signal = new AbortController().signal;

describe('CRC32', () => {
  it('of two pieces joined follows from those of the pieces', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 3000 }), (left, right) => {
        const joined = combineCrc32(crc32(left), crc32(right), right.length);
        expect(joined).toBe(crc32(Buffer.concat([left, right])));
      }),
    );
  });

  it('is that of zlib behind more bytes than 32 bits count', () => {
    // 4 GiB of zeros, made from 1 MiB by doubling.
    let [value, bytes] = [crc32(Buffer.alloc(1 << 20)), 1 << 20];
    while (bytes < 4 * 1024 ** 3) [value, bytes] = [combineCrc32(value, value, bytes), bytes * 2];
    // Zeros come round after 2^32 - 1 bits, so 4 GiB of them have the CRC32 of one byte.
    expect(value).toBe(crc32(Buffer.alloc(1)));
    expect(combineCrc32(value, 0, 0)).toBe(value);
  });

  it('of a file is told for each part and for the whole', async () => {
    const folder = await temporaryFolder();
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 4000 }),
        fc.integer({ min: 1, max: 999 }),
        async (bytes, size) => {
          const path = join(folder, 'f');
          await writeFile(path, bytes);
          const { parts, whole } = await crc32OfFile(
            path,
            { sizeBytes: bytes.length, partSizeBytes: size },
            Buffer.alloc(100),
            signal,
          );
          expect(whole).toBe(crc32(bytes));
          expect(parts).toHaveLength(Math.max(1, Math.ceil(bytes.length / size)));
          for (const [index, part] of parts.entries()) {
            expect(part).toBe(crc32(bytes.subarray(index * size, (index + 1) * size)));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of a file is not told when it cannot be read or nobody waits for it any more', async () => {
    const path = join(await temporaryFolder(), 'f');
    await writeFile(path, '123456789');
    expect(printCrc32((await crc32OfFile(path, sizes, Buffer.alloc(4), signal)).whole)).toBe('y/Q5Jg==');
    // What was appended since is not part of it.
    await writeFile(path, '123456789 and more');
    expect(printCrc32((await crc32OfFile(path, sizes, Buffer.alloc(4), signal)).whole)).toBe('y/Q5Jg==');
    await expect(crc32OfFile(path, sizes, Buffer.alloc(4), AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    await expect(crc32OfFile(`${path}.gone`, sizes, Buffer.alloc(4), signal)).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('is printed as four bytes in base64, the highest first', () => {
    expect(printCrc32(0xcbf43926)).toBe('y/Q5Jg==');
  });
});
