import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { prepareBeside } from './beside-target.js';

/**
 * Writes a file beside its target and renames it, so that a reader sees the old content or the new, never half.
 *
 * The content is flushed to the device before the rename; whatever goes wrong, nothing stays beside the target,
 * and what a process that died left there is removed.
 *
 * @param path - The target; its folder is made if missing.
 * @param write - Writes the content into the open file; returns something the caller wants back.
 * @returns What `write` returned.
 * @throws Whatever `write` or the file system throws.
 */
export async function writeAtomically<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  const beside = await prepareBeside(path);
  try {
    const file = await open(beside, 'wx');
    let result: T;
    try {
      result = await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
    return result;
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/**
 * Writes a small file in one go, by {@link writeAtomically}.
 *
 * @param path - The target.
 * @param content - Its whole content; text is written as UTF-8.
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  await writeAtomically(path, (file) => file.writeFile(content));
}
