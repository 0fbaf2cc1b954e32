import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { OptimiseModelError } from '../../messages/error.js';

const unpack = promisify(gunzip);

/**
 * Reads one export as text; what begins like a gzip file is unpacked, as export tasks to S3 write it.
 *
 * @param file - Path.
 * @param signal - Stops reading.
 * @returns The text.
 * @throws `file-system-refused`; `import-file-wrong` for a damaged gzip file.
 */
export async function readExport(file: string, signal: AbortSignal): Promise<string> {
  const bytes = await readFile(file, { signal }).catch((cause: NodeJS.ErrnoException) => {
    signal.throwIfAborted();
    const facts = { path: file, operation: 'read', reason: cause.code ?? cause.message };
    throw OptimiseModelError.of('file-system-refused', facts, cause);
  });
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isPacked) return bytes.toString('utf8');
  const text = await unpack(bytes).catch((cause: Error) => {
    const facts = {
      file,
      seen: `a gzip file that is damaged (${cause.message})`,
      expected: 'a whole gzip file',
    };
    throw OptimiseModelError.of('import-file-wrong', facts, cause);
  });
  return text.toString('utf8');
}
