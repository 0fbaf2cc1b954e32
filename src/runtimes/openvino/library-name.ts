import { readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A file that may be the library of OpenVINO's C API. */
export type FoundLibrary = {
  readonly path: string;
  /** Of OpenVINO, as its name tells; null where it has none. */
  readonly version: string | null;
};

/** `libopenvino_c.so.2641` of the Python package, `libopenvino_c.so` of conda, `libopenvino_c.2641.dylib` on macOS. */
const libraryName = /^libopenvino_c\.(?:so(?:\.[\d.]+)?|(?:[\d.]+\.)?dylib)$/;

/**
 * Looks for the library in a folder; where there are several versions, the highest counts.
 *
 * @param folder - A folder, which need not exist.
 * @returns The library; null where there is none, or nothing may be read.
 */
export async function findLibraryIn(folder: string): Promise<FoundLibrary | null> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter((name) => libraryName.test(name)).map((name) => join(folder, name));
  const found = await Promise.all(paths.map(readLibrary));
  const [highest] = found
    .filter((library) => library !== null)
    .sort((left, right) => orderOf(right.version) - orderOf(left.version));
  return highest ?? null;
}

/**
 * Looks at one file.
 *
 * @param path - The file.
 * @returns It, with the version that its name or that of the file it links to tells; null where there is no such file.
 */
export async function readLibrary(path: string): Promise<FoundLibrary | null> {
  const target = await realpath(path).catch(() => null);
  return target === null ? null : { path, version: versionIn(path) ?? versionIn(target) };
}

/** The digits of its shared name: `2641` is 2026.4.1; builds from source have them with dots. */
function versionIn(path: string): string | null {
  const name = basename(path);
  const [, year, minor, patch] = /\.(\d\d)(\d)(\d)(?:\.dylib)?$/.exec(name) ?? [];
  if (year !== undefined) return `20${year}.${minor}.${patch}`;
  return /\.(20\d\d\.\d+\.\d+)(?:\.dylib)?$/.exec(name)?.[1] ?? null;
}

function orderOf(version: string | null): number {
  const [year = 0, minor = 0, patch = 0] = (version ?? '').split('.').map(Number);
  return (year * 100 + minor) * 100 + patch;
}
