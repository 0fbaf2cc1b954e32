import { writeAtomically } from '../lib/write-atomically.js';
import { CheckedSource } from './checked-source.js';
import type { PutFile } from './store.js';

/**
 * Copies a file beside its target, hashing what passes, and renames it only if it is what was announced.
 *
 * @param target - Path of the copy.
 * @param file - The source, what it must be, and where to report.
 * @throws `source-changed` when the source is not, or no longer, what was announced; nothing is left behind then.
 */
export async function copyVerified(target: string, file: PutFile): Promise<void> {
  const source = new CheckedSource(file);
  await writeAtomically(target, async (copy) => {
    for await (const chunk of source.chunks()) {
      await copy.writeFile(chunk);
      file.onProgress(source.seenBytes);
    }
    await source.refuseIfChanged();
  });
}
