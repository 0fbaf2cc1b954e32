import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { prepareBeside } from '../lib/beside-target.js';

/**
 * Builds a bare model in a folder beside its target and puts it there, its data file first.
 *
 * With a data file, the old model is taken away before its data is replaced: whenever the work is cut off, there is the
 * old model, the new one, or none, but never an old one that computes with new numbers.
 *
 * @param target - The `.onnx` file; its folder is made if missing.
 * @param build - Writes the model, and `.data` behind the same name when it has a data file.
 * @returns What `build` returned.
 * @throws Whatever `build` or the file system throws; nothing stays beside the target then.
 */
export async function replaceModelFile<T>(target: string, build: (path: string) => Promise<T>): Promise<T> {
  const beside = await prepareBeside(target);
  try {
    await mkdir(beside);
    const built = join(beside, basename(target));
    const result = await build(built);
    await putInPlace(built, target);
    return result;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function putInPlace(built: string, target: string): Promise<void> {
  if (await exists(`${built}.data`)) {
    const old = `${built}.old`;
    const hadOld = await exists(target);
    if (hadOld) await rename(target, old);
    await flushFolder(dirname(target));
    await rename(`${built}.data`, `${target}.data`).catch(async (error: unknown) => {
      if (hadOld) await rename(old, target);
      throw error;
    });
    await flushFolder(dirname(target));
  }
  await rename(built, target);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Renames reach the device in the order of the flushes between them. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  // Some file systems cannot flush a folder; they are no worse off than without.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
