import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { createRequire as requireFrom } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import type { Engine } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';

/** One file that a machine needs to run an engine; `path` is relative to its `node_modules`, with `/`. */
type RuntimePackFile = { readonly path: string; readonly source: string; readonly sizeBytes: number };

/** All files that a machine needs to run an engine, sorted by path, and the engine's version. */
export type RuntimePack = { readonly version: string; readonly files: readonly RuntimePackFile[] };

type Package = {
  readonly name: string;
  readonly folder: string;
  readonly main: string;
  readonly version: string;
};

/** GPU providers that may have been downloaded into the binary folder; the CPU provider opens none of them. */
const gpuProvider = /onnxruntime_providers_(cuda|tensorrt|shared)/;

/**
 * Lists what has to be in a layer or package so that an engine runs there, from what is installed here: the
 * JavaScript that is reached from the entry point, the package.json of each package, the binaries of one platform.
 *
 * @param engine - Which one.
 * @param platform - `process.platform` of the target.
 * @param arch - `process.arch` of the target.
 * @returns Version and files, each with its size in bytes and where it is here.
 * @throws `runtime-missing` when the package, or its binary for that platform, is not installed.
 */
export async function runtimePackFiles(engine: Engine, platform: string, arch: string): Promise<RuntimePack> {
  const target = `${platform}/${arch}`;
  const { node, common } = await findPackages(engine, target);
  const binaries = await listBinaries(node, platform, arch);
  if (!binaries.some((path) => path.endsWith('.node')))
    throw missing(engine, target, `${node.name} ${node.version} has no binary for it`);
  const [nodeScripts, commonScripts] = await Promise.all([traceScripts(node), traceScripts(common)]);
  const files = await Promise.all([
    ...[...nodeScripts, ...binaries].map((path) => describeFile(node, path)),
    ...commonScripts.map((path) => describeFile(common, path)),
  ]);
  return { version: node.version, files: files.sort((left, right) => (left.path < right.path ? -1 : 1)) };
}

/**
 * Reads which version of an engine is installed; no binary has to be there, for this machine or another.
 *
 * @param engine - Which one.
 * @returns Such as `1.30.0`.
 * @throws `runtime-missing` when its package is not installed.
 */
export async function runtimeVersion(engine: Engine): Promise<string> {
  return (await findPackages(engine, `${process.platform}/${process.arch}`)).node.version;
}

function missing(engine: Engine, platform: string, reason: string, cause?: unknown): OptimiseModelError {
  return OptimiseModelError.of(
    'runtime-missing',
    { engine, packageName: 'onnxruntime-node', platform, reason },
    cause,
  );
}

type Packages = { readonly node: Package; readonly common: Package };

async function findPackages(engine: Engine, target: string): Promise<Packages> {
  return openPackages().catch((error: unknown) => {
    throw missing(engine, target, 'the package is not installed', error);
  });
}

async function openPackages(): Promise<Packages> {
  const fromHere = requireFrom(import.meta.url);
  const node = await readPackage('onnxruntime-node', fromHere.resolve('onnxruntime-node/package.json'));
  const fromNode = requireFrom(join(node.folder, node.main));
  // Its exports hide package.json, so the way there leads over the file that `require` would load.
  const entry = fromNode.resolve('onnxruntime-common');
  const folder = entry.slice(0, entry.lastIndexOf(`${sep}onnxruntime-common${sep}`) + 1);
  const common = await readPackage('onnxruntime-common', join(folder, 'onnxruntime-common', 'package.json'));
  return { node, common };
}

async function readPackage(name: string, manifestPath: string): Promise<Package> {
  const manifest: unknown = JSON.parse(await readFile(manifestPath, 'utf8'));
  const { main, version } = manifest as { readonly main: string; readonly version: string };
  return { name, folder: await realpath(dirname(manifestPath)), main, version };
}

async function listBinaries(node: Package, platform: string, arch: string): Promise<string[]> {
  const folder = join('bin', 'napi-v6', platform, arch);
  const names = await readdir(join(node.folder, folder)).catch(() => []);
  return names.filter((name) => !gpuProvider.test(name)).map((name) => join(folder, name));
}

/** Follows relative `require` calls from the entry point: both packages ship plain CommonJS with literal paths. */
async function traceScripts(packageOf: Package): Promise<string[]> {
  const found = new Set(['package.json']);
  const open = [join(packageOf.main)];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const manifest = join(dirname(path), 'package.json');
    // A package.json on the way decides whether Node takes a file as CommonJS.
    if (await exists(join(packageOf.folder, manifest))) found.add(manifest);
    const text = await readFile(join(packageOf.folder, path), 'utf8');
    for (const [, target] of text.matchAll(/\brequire\("(\.[^"]+)"\)/g)) {
      if (target !== undefined) open.push(await resolveScript(packageOf, join(dirname(path), target)));
    }
  }
  return [...found];
}

async function resolveScript(packageOf: Package, path: string): Promise<string> {
  return (await exists(join(packageOf.folder, path))) ? path : `${path}.js`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

async function describeFile(packageOf: Package, path: string): Promise<RuntimePackFile> {
  const source = join(packageOf.folder, path);
  const { size } = await stat(source);
  const inPackage = relative('.', path).split(sep).join('/');
  return { path: `${packageOf.name}/${inPackage}`, source, sizeBytes: size };
}
