import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire as requireFrom } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { resolveChildModule } from '../lib/child-module.js';
import type { Engine } from '../lib/variant.js';
import type { MeasuredFile } from './measured-file.js';

/** Part of the platform, or counted elsewhere: Lambda's Node runtimes bring the AWS SDK, the runtime pack its own files. */
const broughtAlong = /^(node:|@aws-sdk\/|@smithy\/|onnxruntime-|koffi$)/;

/** What the loader loads for an engine by a name that no import states. */
const loadedByName: Readonly<Record<Engine, readonly string[]>> = {
  onnxruntime: [],
  openvino: ['../runtimes/openvino/openvino-adapter.js'],
};

const relativeImport = /(?:from|import\()\s*['"](\.[^'"]+)['"]/g;
/** By a name that our package.json gives a file. */
const namedImport = /from\s*['"](#[^'"]+)['"]/g;
const packageImport = /(?:from|import\(|import)\s*['"]([^.#'"][^'"]*)['"]/g;

/**
 * Lists what a handler needs to import the loader: our built modules that it reaches, and the packages they import.
 *
 * The AWS SDK is left out: the managed Node runtimes bring it.
 *
 * @param engine - What it is to open artifacts of.
 * @returns Files sorted by path, relative to a deployment's `node_modules`.
 * @throws The file system's error when this installation is incomplete.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html (the runtime includes the AWS SDK v3)
 */
export async function listLoaderFiles(engine: Engine): Promise<readonly MeasuredFile[]> {
  const entry = resolveChildModule('../loader/index.js', import.meta.url);
  const named = loadedByName[engine].map((path) => resolveChildModule(path, import.meta.url));
  const modules = await traceModules([entry, ...named]);
  const root = dirname(dirname(entry));
  // The package.json says which file is the loader.
  const own = await Promise.all(
    [...modules.paths, join(dirname(root), 'package.json')].map(async (path) => ({
      path: `optimise-model/${toSlashes(relative(dirname(root), path))}`,
      sizeBytes: (await stat(path)).size,
      sourcePath: path,
    })),
  );
  const packages = await listPackages([...modules.packages], entry, new Set());
  return [...own, ...packages].sort((left, right) => (left.path < right.path ? -1 : 1));
}

type Traced = { readonly paths: readonly string[]; readonly packages: ReadonlySet<string> };

async function traceModules(entries: readonly string[]): Promise<Traced> {
  const paths = new Set<string>();
  const packages = new Set<string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (paths.has(path)) continue;
    paths.add(path);
    const text = await readFile(path, 'utf8');
    for (const [, target] of text.matchAll(relativeImport)) open.push(join(dirname(path), target ?? ''));
    for (const [, name] of text.matchAll(namedImport)) open.push(requireFrom(path).resolve(name ?? ''));
    for (const [, name] of text.matchAll(packageImport)) {
      if (name !== undefined && !broughtAlong.test(name)) packages.add(nameOfPackage(name));
    }
  }
  return { paths: [...paths], packages };
}

function nameOfPackage(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

async function listPackages(
  names: readonly string[],
  importer: string,
  seen: Set<string>,
): Promise<MeasuredFile[]> {
  const files: MeasuredFile[] = [];
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    const folder = await findPackage(name, importer);
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    files.push(...(await listFolder(folder, name)));
    const { dependencies = {} } = manifest as { readonly dependencies?: Record<string, string> };
    files.push(...(await listPackages(Object.keys(dependencies), join(folder, 'package.json'), seen)));
  }
  return files;
}

/** Looks where Node would: in each `node_modules` on the way up; a package's exports may hide its package.json. */
async function findPackage(name: string, importer: string): Promise<string> {
  const folders = requireFrom(importer).resolve.paths(name) ?? [];
  for (const folder of folders) {
    const found = await stat(join(folder, name, 'package.json')).catch(() => undefined);
    if (found !== undefined) return join(folder, name);
  }
  throw new Error(`the package ${name} is not installed`);
}

async function listFolder(folder: string, name: string): Promise<MeasuredFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({
      path: `${name}/${toSlashes(relative(folder, path))}`,
      sizeBytes: (await stat(path)).size,
      sourcePath: path,
    })),
  );
}

function toSlashes(path: string): string {
  return path.split(sep).join('/');
}
