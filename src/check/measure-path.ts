import type { Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import { type MeasuredFile, sumFileBytes } from './measured-file.js';

/** What a folder or file takes unpacked. */
export type Measured = { readonly files: readonly MeasuredFile[]; readonly sizeBytes: number };

/**
 * Measures a folder (all of it) or one file as an unpacked package would hold it: apparent sizes, each hard link counted,
 * folders and block rounding not; links are followed inside the folder and refused when they leave it.
 *
 * @param path - An artifact folder, any folder, or one file.
 * @returns Files sorted by path, relative to the folder, and their sum in bytes.
 * @throws path-not-found; archive-not-measured for a zip; path-not-measurable for links that leave the folder, dangle or
 *   go round, and for what is no regular file; file-system-refused when something may not be read.
 */
export async function measurePath(path: string): Promise<Measured> {
  try {
    const stats = await lookAt(path, () => OptimiseModelError.of('path-not-found', { path }));
    const root = await realpath(path);
    const files = stats.isDirectory()
      ? await measureFolder(root, root, [root], '')
      : [await measureOnly(path, stats)];
    const sorted = [...files].sort((left, right) => (left.path < right.path ? -1 : 1));
    return { files: sorted, sizeBytes: sumFileBytes(sorted) };
  } catch (error) {
    if (error instanceof OptimiseModelError) throw error;
    const reason = (error as Error).message;
    throw OptimiseModelError.of('file-system-refused', { path, operation: 'measure', reason }, error);
  }
}

async function measureOnly(path: string, stats: Stats): Promise<MeasuredFile> {
  if (!stats.isFile()) throw refuse(path, 'it is neither a regular file nor a folder');
  if (await isZip(path)) throw OptimiseModelError.of('archive-not-measured', { path });
  return { path: basename(path), sizeBytes: stats.size, sourcePath: resolve(path) };
}

async function measureFolder(
  root: string,
  folder: string,
  above: readonly string[],
  shownAs: string,
): Promise<MeasuredFile[]> {
  const files: MeasuredFile[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    const shown = shownAs === '' ? name : `${shownAs}/${name}`;
    const stats = await lookAt(path, (error) => refuse(path, 'it is a link to nothing', error));
    const target = await realpath(path);
    if (isOutside(root, target)) throw refuse(path, `it is a link that leaves ${root}, to ${target}`);
    if (stats.isFile()) files.push({ path: shown, sizeBytes: stats.size, sourcePath: target });
    else if (!stats.isDirectory()) throw refuse(path, 'it is neither a regular file nor a folder');
    else if (above.includes(target)) throw refuse(path, 'it is a link to a folder that holds it');
    else files.push(...(await measureFolder(root, target, [...above, target], shown)));
  }
  return files;
}

function isOutside(root: string, target: string): boolean {
  const way = relative(root, target);
  return way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way;
}

async function lookAt(path: string, onMissing: (error: unknown) => Error): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw onMissing(error);
    if (code === 'ELOOP') throw refuse(path, 'its links go round', error);
    throw error;
  }
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const magic = buffer.toString('latin1');
    return bytesRead === 4 && (magic === 'PK\u0003\u0004' || magic === 'PK\u0005\u0006');
  } finally {
    await file.close();
  }
}

function refuse(path: string, reason: string, cause?: unknown): OptimiseModelError {
  return OptimiseModelError.of('path-not-measurable', { path, reason }, cause);
}
