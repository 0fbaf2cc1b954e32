import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { writeAtomically } from '../lib/write-atomically.js';
import { OptimiseModelError } from '../messages/error.js';
import type { PutFile } from './store.js';

/**
 * Copies a file beside its target, hashing what passes, and renames it only if it is what was announced.
 *
 * @param target - Path of the copy.
 * @param file - The source, what it must be, and where to report.
 * @throws `source-changed` when the source is not, or no longer, what was announced; nothing is left behind then.
 */
export async function copyVerified(target: string, file: PutFile): Promise<void> {
  file.signal.throwIfAborted();
  const before = await stat(file.path, { bigint: true });
  await writeAtomically(target, async (copy) => {
    const hash = createHash('sha256');
    let seenBytes = 0;
    const source = createReadStream(file.path, { highWaterMark: 1 << 20, signal: file.signal });
    for await (const chunk of source) {
      hash.update(chunk);
      await copy.writeFile(chunk);
      seenBytes += chunk.length;
      file.onProgress(seenBytes);
    }
    const after = await stat(file.path, { bigint: true });
    const problem = findChange(file, seenBytes, hash.digest('hex'), before.mtimeNs !== after.mtimeNs);
    if (problem === undefined) return;
    const facts = { path: file.path, expectedBytes: file.sizeBytes, seenBytes, problem };
    throw OptimiseModelError.of('source-changed', facts);
  });
}

/**
 * Says how a file that was just read differs from what was announced.
 *
 * @param file - What was announced.
 * @param seenBytes - How much was read.
 * @param sha256 - Of what was read.
 * @param wasTouched - Whether its time of change moved meanwhile.
 * @returns The difference, or undefined.
 */
export function findChange(
  file: PutFile,
  seenBytes: number,
  sha256: string,
  wasTouched: boolean,
): string | undefined {
  if (seenBytes !== file.sizeBytes) return 'its size is another';
  if (sha256 !== file.sha256) return 'its content is not what its record says';
  return wasTouched ? 'it was written to' : undefined;
}
