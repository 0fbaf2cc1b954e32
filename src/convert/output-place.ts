import { randomBytes } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import { artifactRecordName } from '../store/artifact-record.js';

/** Where a conversion writes. */
export type OutputPlace = {
  readonly kind: 'folder' | 'file';
  /** Absolute. */
  readonly path: string;
};

/**
 * Decides what an `--out` means and refuses it where something would be lost.
 *
 * @param out - A folder, or a path that ends in `.onnx`.
 * @param sources - The files that are read: the model and its data files.
 * @returns The place.
 * @throws `output-refused` when it is a source, holds one, or is a folder with something else in it.
 */
export async function openOutput(out: string, sources: readonly string[]): Promise<OutputPlace> {
  const path = resolve(out);
  const kind = path.endsWith('.onnx') ? 'file' : 'folder';
  const refuse = (reason: string): never => {
    throw OptimiseModelError.of('output-refused', { out, reason });
  };
  const found = await stat(path).catch(() => undefined);
  const targets = kind === 'file' ? [path, `${path}.data`] : [path];
  for (const source of await Promise.all(sources.map((file) => realpath(file)))) {
    for (const target of targets) {
      const real = await realpath(target).catch(() => target);
      if (source === real) refuse('it is a file that is read');
      if (kind === 'folder' && source.startsWith(real + sep)) refuse(`it holds the source ${source}`);
    }
  }
  if (found === undefined) return { kind, path };
  if (kind === 'file' && found.isDirectory())
    return refuse('a bare model needs a file, and this is a folder');
  if (kind === 'folder' && !found.isDirectory())
    return refuse('an artifact needs a folder, and this is a file');
  if (kind === 'folder' && !(await isReplaceable(path))) {
    return refuse(`this folder holds other files and no ${artifactRecordName}`);
  }
  return { kind, path };
}

async function isReplaceable(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  return names.length === 0 || names.includes(artifactRecordName);
}

/**
 * Builds a folder beside its target and puts it there whole, in place of the old one.
 *
 * @param target - The folder; its parent is made if missing.
 * @param build - Fills the folder it is given.
 * @returns What `build` returned.
 * @throws Whatever `build` or the file system throws; nothing stays beside the target then.
 */
export async function replaceFolder<T>(target: string, build: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(dirname(target), { recursive: true });
  const suffix = randomBytes(6).toString('hex');
  const beside = join(dirname(target), `.${basename(target)}.${suffix}.part`);
  const old = join(dirname(target), `.${basename(target)}.${suffix}.old`);
  try {
    await mkdir(beside);
    const result = await build(beside);
    const hadOld = await stat(target).then(
      () => true,
      () => false,
    );
    if (hadOld) await rename(target, old);
    await rename(beside, target).catch(async (cause: unknown) => {
      if (hadOld) await rename(old, target);
      throw cause;
    });
    return result;
  } finally {
    await rm(beside, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
}
