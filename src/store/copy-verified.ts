import { writeAtomically } from '../lib/write-atomically.js';
import { CheckedSource } from './checked-source.js';
import { planParts } from './plan-parts.js';
import type { PutFile } from './store.js';

const chunkBytes = 1 << 20;

/**
 * Copies a file beside its target, hashing what passes, and renames it only if it is what was announced.
 *
 * @param target - Path of the copy.
 * @param file - The source, what it must be, and where to report.
 * @throws `source-changed` when the source is not, or no longer, what was announced; nothing is left behind then.
 */
export async function copyVerified(target: string, file: PutFile): Promise<void> {
  const source = await CheckedSource.open(file);
  try {
    await writeAtomically(target, async (copy) => {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, file.sizeBytes));
      for (const { offset, length } of planParts(file.sizeBytes, chunkBytes)) {
        file.signal.throwIfAborted();
        const chunk = buffer.subarray(0, length);
        await source.readPart(offset, chunk);
        await copy.writeFile(chunk);
        file.onProgress(source.seenBytes);
      }
      await source.refuseIfChanged();
    });
  } finally {
    await source.close();
  }
}
