import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing.
 *
 * Node's own recursive `mkdir` never ends on a file system that refuses with ENOENT, such as `/proc`, and hides why a
 * read-only one refuses.
 *
 * @param path - Absolute or relative path of the folder; one that is there is left as it is.
 * @throws The operating system's error of the first folder that cannot be made; `ENOTDIR` when something else is there.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
    return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (await isFolder(path)) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw asNotDirectory(error);
  }
  await makeFolder(dirname(path));
  // Once more, whether the folder above is ours or has come from someone else meanwhile: a second refusal is meant.
  try {
    await mkdir(path);
  } catch (error) {
    if (!(await isFolder(path))) throw asNotDirectory(error);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** What stands there is no folder: the operating system only says that something is there. */
function asNotDirectory(error: unknown): unknown {
  const refused = error as NodeJS.ErrnoException;
  return refused.code === 'EEXIST' ? Object.assign(refused, { code: 'ENOTDIR' }) : refused;
}
