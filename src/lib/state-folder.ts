import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHomeFolder } from './home-folder.js';

/** Where this tool keeps what it must remember between runs. */
export type StateFolder = {
  /** Absolute or relative; the folder need not exist. */
  readonly path: string;
  /** Whether it lies where every user of the machine may make one of its name. */
  readonly isInSharedPlace: boolean;
};

/**
 * Finds the folder for what this tool must remember between runs, whatever is being worked on.
 *
 * @param env - Environment variables: `OPTIMISE_MODEL_STATE` names it, else `XDG_STATE_HOME` or the home folder holds it.
 * @returns The folder. Without a home it is in the temporary folder.
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function findStateFolder(env: NodeJS.ProcessEnv): StateFolder {
  const named = env.OPTIMISE_MODEL_STATE;
  if (named) return { path: named, isInSharedPlace: false };
  if (env.XDG_STATE_HOME) return { path: join(env.XDG_STATE_HOME, 'optimise-model'), isInSharedPlace: false };
  const home = env.HOME || findHomeFolder();
  // Users without a home, such as those of many containers, have `/`, or one that is named but not there.
  if (home !== '' && home !== '/' && home !== '/nonexistent') {
    return { path: join(home, '.local', 'state', 'optimise-model'), isInSharedPlace: false };
  }
  return { path: join(tmpdir(), `optimise-model-${process.getuid?.() ?? 'user'}`), isInSharedPlace: true };
}

/**
 * Makes sure that nobody else has a hand in the state: in a shared place another user may have made the folder first,
 * and what is noted there says which uploads are removed.
 *
 * @param folder - The folder; one in a shared place is made if it is missing, for this user only.
 * @returns What is wrong with it; undefined when nothing is.
 * @throws The operating system's error when it cannot be made.
 */
export async function secureStateFolder({ path, isInSharedPlace }: StateFolder): Promise<string | undefined> {
  if (!isInSharedPlace) return undefined;
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(path);
  return findProblem(found.isDirectory(), found.uid, found.mode);
}

function findProblem(isFolder: boolean, uid: number, mode: number): string | undefined {
  if (!isFolder) return 'it is no folder';
  // Systems without user ids have no such modes either.
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  if (uid !== own) return `it belongs to user ${uid}`;
  return (mode & 0o022) === 0 ? undefined : 'others may write to it';
}
