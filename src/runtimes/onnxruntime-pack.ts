import { createRequire as requireFrom } from 'node:module';
import { join, sep } from 'node:path';
import { OptimiseModelError } from '../messages/error.js';
import {
  describeFile,
  type InstalledPackage,
  listNames,
  type RuntimePackFile,
  readPackage,
  traceScripts,
} from './package-files.js';

/** GPU providers that may have been downloaded into the binary folder; the CPU provider opens none of them. */
const gpuProvider = /onnxruntime_providers_(cuda|tensorrt|shared)/;

/**
 * Lists what onnxruntime needs: the JavaScript that is reached from the entry point, the package.json of each package,
 * the binaries of one platform.
 *
 * @param platform - `process.platform` of the target.
 * @param arch - `process.arch` of the target.
 * @returns Version and files, in no order.
 * @throws `runtime-missing` when the package, or its binary for that platform, is not installed.
 */
export async function listOnnxruntimeFiles(
  platform: string,
  arch: string,
): Promise<{ readonly version: string; readonly files: readonly RuntimePackFile[] }> {
  const target = `${platform}/${arch}`;
  const { node, common } = await findPackages(target);
  const binaries = await listBinaries(node, platform, arch);
  if (!binaries.some((path) => path.endsWith('.node')))
    throw missing(target, `${node.name} ${node.version} has no binary for it`);
  const [nodeScripts, commonScripts] = await Promise.all([
    traceScripts(node, node.main),
    traceScripts(common, common.main),
  ]);
  const files = await Promise.all([
    ...[...nodeScripts, ...binaries].map((path) => describeFile(node, path)),
    ...commonScripts.map((path) => describeFile(common, path)),
  ]);
  return { version: node.version, files };
}

/**
 * Reads which version of onnxruntime is installed; no binary has to be there, for this machine or another.
 *
 * @returns Such as `1.30.0`.
 * @throws `runtime-missing` when its package is not installed.
 */
export async function onnxruntimeVersion(): Promise<string> {
  return (await findPackages(`${process.platform}/${process.arch}`)).node.version;
}

function missing(platform: string, reason: string, cause?: unknown): OptimiseModelError {
  const facts = { engine: 'onnxruntime', packageName: 'onnxruntime-node', platform, reason };
  return OptimiseModelError.of('runtime-missing', facts, cause);
}

type Packages = { readonly node: InstalledPackage; readonly common: InstalledPackage };

async function findPackages(target: string): Promise<Packages> {
  return openPackages().catch((error: unknown) => {
    throw missing(target, 'the package is not installed', error);
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

async function listBinaries(node: InstalledPackage, platform: string, arch: string): Promise<string[]> {
  const folder = join('bin', 'napi-v6', platform, arch);
  const names = await listNames(join(node.folder, folder));
  return names.filter((name) => !gpuProvider.test(name)).map((name) => join(folder, name));
}
