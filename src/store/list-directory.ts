import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './file-system-error.js';
import { findFolderOf } from './find-folder-of.js';

/**
 * Lists the files below a folder in the order in which S3 would list their keys.
 *
 * What is being written beside its target (`.NAME.….part`) and locks (`.NAME.lock`, and what becomes one) are left out.
 *
 * @param root - The folder.
 * @param prefix - Only keys that begin with it.
 * @returns Keys, relative to the folder, with `/`.
 */
export async function* listDirectory(root: string, prefix: string): AsyncIterable<string> {
  const folder = await findFolderOf(root, prefix);
  if (folder !== undefined) yield* walk(root, folder, prefix);
}

async function* walk(root: string, base: string, prefix: string): AsyncIterable<string> {
  for (const entry of await readSorted(join(root, base))) {
    const key = `${base}${entry}`;
    if (!key.startsWith(prefix) || /^\..*\.(part|lock|lock\.\d+\.[0-9a-f]+)$/.test(entry)) continue;
    if (entry.endsWith('/')) yield* walk(root, key, prefix);
    else yield key;
  }
}

async function readSorted(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    // A folder sorts as its keys do: `a-b` comes before `a/c`.
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
