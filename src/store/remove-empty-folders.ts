import { rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/**
 * Removes the folders above a removed file that have become empty: a store has no folders.
 *
 * @param root - The store's folder, which stays.
 * @param path - Path of the file that was removed.
 * @throws The file system's own error.
 */
export async function removeEmptyFolders(root: string, path: string): Promise<void> {
  try {
    for (let folder = dirname(path); folder.startsWith(join(root, sep)); folder = dirname(folder)) {
      await rmdir(folder);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT') throw error;
  }
}
