import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { crc32OfFile, printCrc32 } from '../../src/lib/crc32.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const never = new AbortController().signal;

describe('CRC32', () => {
  it('is written as S3 writes it', () => {
    // The check value of the algorithm: the CRC32 of "123456789" is 0xCBF43926.
    expect(printCrc32(0xcbf43926)).toBe('y/Q5Jg==');
    expect(printCrc32(0)).toBe('AAAAAA==');
  });

  it('of a file is that of its content, stops on the signal and names a missing file', async () => {
    const path = join(await tempFolder(), 'file');
    await writeFile(path, '123456789');
    expect(await crc32OfFile(path, never)).toBe('y/Q5Jg==');
    await expect(crc32OfFile(path, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    await expect(crc32OfFile(`${path}.gone`, never)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
