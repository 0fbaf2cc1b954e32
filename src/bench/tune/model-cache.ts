import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.js';
import type { ModelCacheState } from './tune-result.js';

/** How the folder of a model cache is brought into the state in which a process is to find it. */
export type ModelCache = {
  /** Null where there is none. */
  readonly folder: string | null;
  /** What it holds, bytes; null where there is none. */
  readonly measure: () => Promise<number | null>;
};

/**
 * Makes the folder of a model cache ready for one process.
 *
 * @param state - What the process is to find.
 * @param parent - A folder of ours, each state in one of its own.
 * @param fill - Has a process fill the folder; called for the first that is to find something.
 * @returns The folder.
 * @throws What filling throws; the file system's errors.
 */
export async function prepareModelCache(
  state: ModelCacheState,
  parent: string,
  fill: (folder: string) => Promise<void>,
): Promise<ModelCache> {
  if (state === 'none') return { folder: null, measure: async () => null };
  const folder = join(parent, state);
  if (state === 'cold') await rm(folder, { recursive: true, force: true });
  await makeFolder(folder);
  if (state === 'warm' && (await readdir(folder)).length === 0) await fill(folder);
  return { folder, measure: () => measureFolder(folder) };
}

async function measureFolder(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
