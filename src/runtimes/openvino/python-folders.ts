import { access, constants, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

/** Variables of a process, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A folder that a Python imports packages from, and what led there. */
export type PackageFolder = { readonly folder: string; readonly python: string; readonly foundBy: string };

/** A Python on PATH, and which of the folders beside it are its own. */
type Python = {
  readonly path: string;
  /** What its own folders are called, such as `python3.11`; null where that cannot be seen. */
  readonly release: string | null;
};

/**
 * Lists where the Pythons on PATH import packages from, without starting any: what a wrapper such as pyenv's stands
 * for is not seen.
 *
 * @param environment - PATH, PYTHONPATH, PYTHONUSERBASE and HOME of it count.
 * @returns Folders that need not exist, in the order of PATH.
 */
export async function listPackageFolders(environment: Environment): Promise<readonly PackageFolder[]> {
  const pythons = await listPythons(environment);
  const [first] = pythons;
  if (first === undefined) return [];
  const named = splitPath(environment.PYTHONPATH).map((folder) => ({
    folder,
    python: first.path,
    foundBy: 'PYTHONPATH',
  }));
  const own = await Promise.all(pythons.map((python) => listFoldersOf(python, environment)));
  return [...named, ...own.flat()];
}

/**
 * Finds the Python that imports from a folder, by where it lies in an installation.
 *
 * @param packageFolder - Such as `/opt/venv/lib/python3.11/site-packages`.
 * @returns The interpreter; null where the folder is part of none.
 */
export async function findPythonOf(packageFolder: string): Promise<string | null> {
  return firstAccessible(listProgramsOf(packageFolder), constants.X_OK);
}

/**
 * Finds the Python of a folder where it is there and this user may not execute it.
 *
 * @param packageFolder - Such as `/opt/venv/lib/python3.11/site-packages`.
 * @returns The interpreter; null where there is none, or one that may be executed.
 */
export async function findLockedPythonOf(packageFolder: string): Promise<string | null> {
  if ((await findPythonOf(packageFolder)) !== null) return null;
  return firstAccessible(listProgramsOf(packageFolder), constants.F_OK);
}

function listProgramsOf(packageFolder: string): readonly string[] {
  const release = dirname(packageFolder);
  if (!/^python3(\.\d+)?$/.test(basename(release))) return [];
  const binaries = join(dirname(dirname(release)), 'bin');
  return [basename(release), 'python3', 'python'].map((name) => join(binaries, name));
}

/**
 * Splits a list of folders.
 *
 * @param list - Such as PATH.
 * @returns The absolute folders in it, in order; none for undefined.
 */
export function splitPath(list: string | undefined): readonly string[] {
  return (list ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
}

async function listPythons(environment: Environment): Promise<readonly Python[]> {
  const paths = splitPath(environment.PATH).flatMap((folder) => [
    join(folder, 'python3'),
    join(folder, 'python'),
  ]);
  const found = await Promise.all(
    paths.map(async (path) => ((await isAccessible(path, constants.X_OK)) ? [path] : [])),
  );
  return Promise.all(found.flat().map(async (path) => ({ path, release: await findRelease(path) })));
}

/** A Python's program is a link to one that is named after its release. */
async function findRelease(path: string): Promise<string | null> {
  const target = await realpath(path).catch(() => path);
  return /^python3\.\d+$/.exec(basename(target))?.[0] ?? null;
}

async function listFoldersOf(python: Python, environment: Environment): Promise<readonly PackageFolder[]> {
  const { path, release } = python;
  const prefix = dirname(dirname(path));
  const settings = await readFile(join(prefix, 'pyvenv.cfg'), 'utf8').catch(() => null);
  const isIsolated = settings !== null && !/^include-system-site-packages\s*=\s*true\s*$/im.test(settings);
  const home = /^home\s*=\s*(.+?)\s*$/m.exec(settings ?? '')?.[1];
  const installed = home === undefined ? dirname(dirname(await realpath(path))) : dirname(home);
  // Debian keeps what pip installs for its own Python apart.
  const beyond = [...listUserBase(environment), installed, ...(installed === '/usr' ? ['/usr/local'] : [])];
  const prefixes = new Set([prefix, ...(isIsolated ? [] : beyond)]);
  const folders = await Promise.all([...prefixes].map((each) => listFoldersBelow(each, release)));
  return folders.flat().map((folder) => ({ folder, python: path, foundBy: `${path} on PATH` }));
}

function listUserBase({ PYTHONUSERBASE, HOME }: Environment): readonly string[] {
  if (PYTHONUSERBASE) return [PYTHONUSERBASE];
  return HOME ? [join(HOME, '.local')] : [];
}

async function listFoldersBelow(prefix: string, release: string | null): Promise<readonly string[]> {
  const libraries = [join(prefix, 'lib'), join(prefix, 'lib64')];
  const own = await Promise.all(libraries.map((folder) => listReleases(folder, release)));
  return own.flat().flatMap((folder) => [join(folder, 'site-packages'), join(folder, 'dist-packages')]);
}

async function listReleases(folder: string, release: string | null): Promise<readonly string[]> {
  // Those of Debian's own packages lie below a folder for all releases.
  if (release !== null) return [join(folder, release), join(folder, 'python3')];
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /^python3(\.\d+)?$/.test(name)).map((name) => join(folder, name));
}

async function firstAccessible(paths: readonly string[], mode: number): Promise<string | null> {
  for (const path of paths) if (await isAccessible(path, mode)) return path;
  return null;
}

function isAccessible(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
