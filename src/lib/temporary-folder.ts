import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { markName, sweepMarked } from './marked-name.js';

/**
 * Makes an empty folder for the time of some work, and removes those of the same kind whose makers died before they
 * could.
 *
 * @param parent - Where to; it exists.
 * @param prefix - What its name begins with, such as `optimise-model-bench-`.
 * @returns Its path; only the user of this process may look into it.
 * @throws The file system's own error.
 */
export async function makeTemporaryFolder(parent: string, prefix: string): Promise<string> {
  const name = { prefix, suffix: '' };
  await sweepMarked(parent, name);
  const path = join(parent, markName(name));
  await mkdir(path, { mode: 0o700 });
  return path;
}
