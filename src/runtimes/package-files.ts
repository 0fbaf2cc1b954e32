import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** One file that a machine needs to run an engine; `path` is where it belongs, with `/`. */
export type RuntimePackFile = { readonly path: string; readonly source: string; readonly sizeBytes: number };

/** An installed npm package. */
export type InstalledPackage = {
  readonly name: string;
  readonly folder: string;
  readonly main: string;
  readonly version: string;
};

/**
 * Reads what a package says of itself.
 *
 * @param name - Its name.
 * @param manifestPath - Its package.json.
 * @returns The package, in the folder that links lead to.
 * @throws The file system's error when it is not there.
 */
export async function readPackage(name: string, manifestPath: string): Promise<InstalledPackage> {
  const manifest: unknown = JSON.parse(await readFile(manifestPath, 'utf8'));
  const { main, version } = manifest as { readonly main: string; readonly version: string };
  return { name, folder: await realpath(dirname(manifestPath)), main, version };
}

/** Relative paths that a module names, literally: `require("./a.js")`, `import … from "./a.js"`. */
const relativeLoad = /\b(?:require\(|from )["'](\.[^"']+)["']/g;

/**
 * Follows relative imports from an entry point: what is traced so names its modules literally.
 *
 * @param packageOf - The package.
 * @param entry - Its entry point, relative to the package.
 * @returns The scripts that are reached and every package.json on the way, relative to the package.
 */
export async function traceScripts(packageOf: InstalledPackage, entry: string): Promise<string[]> {
  const found = new Set(['package.json']);
  const open = [join(entry)];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const manifest = join(dirname(path), 'package.json');
    // A package.json on the way decides whether Node takes a file as CommonJS.
    if (await exists(join(packageOf.folder, manifest))) found.add(manifest);
    const text = await readFile(join(packageOf.folder, path), 'utf8');
    for (const [, target] of text.matchAll(relativeLoad)) {
      if (target !== undefined) open.push(await resolveScript(packageOf, join(dirname(path), target)));
    }
  }
  return [...found];
}

/**
 * Lists the names in a folder.
 *
 * @param folder - A folder, which need not exist.
 * @returns The names; none where nothing can be read.
 */
export async function listNames(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/**
 * Measures a file of a package.
 *
 * @param packageOf - The package.
 * @param path - The file, relative to it.
 * @returns The file; its place is below `node_modules`.
 * @throws The file system's error when it is not there.
 */
export async function describeFile(packageOf: InstalledPackage, path: string): Promise<RuntimePackFile> {
  const inPackage = relative('.', path).split(sep).join('/');
  return measureFile(`${packageOf.name}/${inPackage}`, join(packageOf.folder, path));
}

/**
 * Measures a file that is to lie somewhere.
 *
 * @param path - Its place, with `/`.
 * @param source - Where it is here; it may be a link.
 * @returns The file with its apparent size.
 * @throws The file system's error when it is not there.
 */
export async function measureFile(path: string, source: string): Promise<RuntimePackFile> {
  const target = await realpath(source);
  return { path, source: target, sizeBytes: (await stat(target)).size };
}

async function resolveScript(packageOf: InstalledPackage, path: string): Promise<string> {
  return (await exists(join(packageOf.folder, path))) ? path : `${path}.js`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
