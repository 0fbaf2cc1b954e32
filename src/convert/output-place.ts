import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { prepareBeside } from '../lib/beside-target.js';
import { OptimiseModelError } from '../messages/error.js';
import { findWorthKeeping } from './replaceable-folder.js';

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
 * @throws `output-refused` when it is a source, holds one, or is a folder with something else in it than an artifact.
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
  const reason = kind === 'folder' ? await findWorthKeeping(path) : undefined;
  return reason === undefined ? { kind, path } : refuse(reason);
}

/**
 * Builds a folder beside its target and puts it there whole, in place of the old one.
 *
 * @param target - The folder; its parent is made if missing.
 * @param build - Fills the folder it is given.
 * @returns What `build` returned.
 * @throws Whatever `build` or the file system throws; nothing stays beside the target then. `output-refused` when
 *   other files have come into the target meanwhile. `output-set-aside` when neither the new folder nor the old one
 *   could be put in place: the old one is kept.
 */
export async function replaceFolder<T>(target: string, build: (folder: string) => Promise<T>): Promise<T> {
  const beside = await prepareBeside(target);
  // Not swept: when a swap breaks off, it is all that is left of what was there.
  const old = beside.replace(/\.part$/, '.old');
  try {
    await mkdir(beside);
    const result = await build(beside);
    await swapFolders(beside, target, old);
    return result;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function swapFolders(beside: string, target: string, old: string): Promise<void> {
  const hadOld = await stat(target).then(
    () => true,
    () => false,
  );
  if (hadOld) {
    const reason = await findWorthKeeping(target);
    if (reason !== undefined) throw OptimiseModelError.of('output-refused', { out: target, reason });
    await rename(target, old);
  }
  await rename(beside, target).catch(async (cause: Error) => {
    if (hadOld) {
      await rename(old, target).catch(() => {
        throw OptimiseModelError.of('output-set-aside', { out: target, old, reason: cause.message }, cause);
      });
    }
    throw cause;
  });
  // Only now is the old folder not needed any more.
  await rm(old, { recursive: true, force: true });
}
