import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.js';
import type { SampleError } from '../bench-result.js';
import type { ModelCacheState } from './tune-result.js';

/** How the folder of a model cache is brought into the state in which a process is to find it. */
export type ModelCache = {
  /** Null where there is none. */
  readonly folder: string | null;
  /** The files that the process finds in it. */
  readonly paths: readonly string[];
  /** Why it could not be filled. */
  readonly error: SampleError | null;
  /** What it holds, bytes; null where there is none. */
  readonly measure: () => Promise<number | null>;
};

/**
 * Makes the folder of a model cache ready for one process.
 *
 * @param state - What the process is to find.
 * @param parent - A folder of ours, each state in one of its own.
 * @param fill - Has a process fill the folder, and says what went wrong; called for the first that is to find something.
 * @returns The folder; it is empty where filling failed.
 * @throws What filling throws; the file system's errors.
 */
export async function prepareModelCache(
  state: ModelCacheState,
  parent: string,
  fill: (folder: string) => Promise<SampleError | null>,
): Promise<ModelCache> {
  if (state === 'none') return { folder: null, paths: [], error: null, measure: async () => null };
  const folder = join(parent, state);
  if (state === 'cold') await rm(folder, { recursive: true, force: true });
  await makeFolder(folder);
  const isToFill = state === 'warm' && (await readdir(folder)).length === 0;
  const error = isToFill ? await fill(folder) : null;
  // What was left half written would pass for a cache the next time.
  if (error !== null) await rm(folder, { recursive: true, force: true });
  const paths = error === null ? await listFiles(folder) : [];
  return { folder, paths, error, measure: () => measureFolder(folder) };
}

async function listFiles(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).map((name) => join(folder, name));
}

async function measureFolder(folder: string): Promise<number> {
  const paths = await listFiles(folder);
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
