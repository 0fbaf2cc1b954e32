import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './file-system-error.js';

/**
 * Finds the folder that holds everything with a prefix, so that nothing beside it has to be read.
 *
 * @param root - The store's folder.
 * @param prefix - What keys begin with.
 * @returns The folder relative to the store, with its final `/`; empty for the store itself. Undefined when it is not
 *   there: a link to a folder is none.
 * @throws The file system's own error.
 */
export async function findFolderOf(root: string, prefix: string): Promise<string | undefined> {
  let folder = '';
  for (const name of prefix.split('/').slice(0, -1)) {
    // No key has a part like these.
    if (name === '' || name === '.' || name === '..') return undefined;
    folder += `${name}/`;
    const isFolder = await lstat(join(root, folder.slice(0, -1))).then(
      (found) => found.isDirectory(),
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      },
    );
    if (!isFolder) return undefined;
  }
  return folder;
}
