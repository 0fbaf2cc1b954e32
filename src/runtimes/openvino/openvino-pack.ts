import { readdir } from 'node:fs/promises';
import { createRequire as requireFrom } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Layout } from '../../lib/variant.js';
import { OptimiseModelError } from '../../messages/error.js';
import {
  describeFile,
  measureFile,
  type RuntimePackFile,
  readPackage,
  traceScripts,
} from '../package-files.js';
import { findOpenvino, type OpenvinoInstallation } from './find-openvino.js';
import { readLibraryTarget } from './library-target.js';

/** A library by what its name begins with; the loader asks for it by a name with one number at the end. */
type Library = { readonly stem: string; readonly isPlugin: boolean };

const core: Library = { stem: 'libopenvino', isPlugin: false };
const threading: Library = { stem: 'libtbb', isPlugin: false };
/** Nothing else is opened as long as inference has one stream: what binds threads to nodes of memory is optional. */
const plugins: Readonly<Record<string, string>> = {
  x64: 'libopenvino_intel_cpu_plugin',
  arm64: 'libopenvino_arm_cpu_plugin',
};
/** Who reads a model; a compiled one holds the graph as IR. */
const readers: Readonly<Record<Layout, readonly string[]>> = {
  single: ['libopenvino_onnx_frontend'],
  external: ['libopenvino_onnx_frontend'],
  ir: ['libopenvino_ir_frontend'],
  blob: ['libopenvino_ir_frontend'],
};

/**
 * Lists what OpenVINO needs to open a layout on the processor: its C API, core and CPU plugin, the threads' library,
 * the reader of that format, and koffi, which calls them.
 *
 * @param layout - What is opened.
 * @param platform - `process.platform` of the target.
 * @param arch - `process.arch` of the target.
 * @returns Version, null where no name tells it, and files, in no order.
 * @throws `runtime-missing` when there is none, when what is here is for another machine, or when koffi is not there;
 *   `runtime-unusable` when a part of what is here is missing; `openvino-path-wrong`.
 */
export async function listOpenvinoFiles(
  layout: Layout,
  platform: string,
  arch: string,
): Promise<{ readonly version: string | null; readonly files: readonly RuntimePackFile[] }> {
  const target = `${platform}/${arch}`;
  const installation = await findOpenvino();
  const seen = await readLibraryTarget(installation.libraryPath);
  if (seen !== target)
    throw missing(target, `${installation.libraryPath} is ${seen === null ? 'no library' : `for ${seen}`}`);
  const files = await Promise.all([
    place(installation.libraryPath),
    ...listLibraries(layout, arch).map((library) => findLibrary(library, installation)),
  ]);
  return { version: installation.version, files: [...files, ...(await listKoffiFiles(target))] };
}

function listLibraries(layout: Layout, arch: string): readonly Library[] {
  const plugin = { stem: plugins[arch] ?? 'libopenvino_cpu_plugin', isPlugin: true };
  const reading = readers[layout].map((stem) => ({ stem, isPlugin: false }));
  return [core, plugin, threading, ...reading];
}

/** The Python package has all in one folder; other builds keep plugins a folder lower, and Intel’s archive TBB beside. */
async function findLibrary(
  { stem, isPlugin }: Library,
  { folder, libraryPath, version }: OpenvinoInstallation,
): Promise<RuntimePackFile> {
  const names = await readdir(folder);
  const below = isPlugin
    ? names
        .filter((name) => /^openvino-\d/.test(name))
        .sort()
        .toReversed()
    : [];
  const beside = stem === threading.stem ? [join(folder, '..', '..', '3rdparty', 'tbb', 'lib')] : [];
  for (const each of [folder, ...below.map((name) => join(folder, name)), ...beside]) {
    const found = choose(stem, await readdir(each).catch(() => []));
    if (found !== null) return place(join(each, found), each === folder ? '' : basename(each));
  }
  const reason = `${stem} is not in ${folder}`;
  throw OptimiseModelError.of('runtime-unusable', { engine: 'openvino', path: libraryPath, version, reason });
}

/** The name with one number, by which other libraries ask for it; else the plain one, as plugins have it. */
function choose(stem: string, names: readonly string[]): string | null {
  const own = names.filter((name) => name.startsWith(`${stem}.`));
  return (
    own.find((name) => /\.so\.\d+$|\.\d+\.dylib$/.test(name)) ??
    own.find((name) => /\.(so|dylib)$/.test(name)) ??
    null
  );
}

function place(source: string, subfolder = ''): Promise<RuntimePackFile> {
  const folder = /^openvino-/.test(subfolder) ? `openvino/libs/${subfolder}` : 'openvino/libs';
  return measureFile(`${folder}/${basename(source)}`, source);
}

/** What calls C: its scripts as `import` reaches them, and one binary, in a package for each platform. */
async function listKoffiFiles(target: string): Promise<readonly RuntimePackFile[]> {
  const native = `@koromix/koffi-${target.replace('/', '-')}`;
  try {
    const entry = requireFrom(import.meta.url).resolve('koffi');
    const koffi = await readPackage('koffi', join(dirname(entry), 'package.json'));
    const binaries = await readPackage(native, join(dirname(koffi.folder), native, 'package.json'));
    const binary = join(target.replace('/', '_'), 'koffi.node');
    return await Promise.all([
      ...(await traceScripts(koffi, 'index.js')).map((path) => describeFile(koffi, path)),
      ...['package.json', 'index.js', binary].map((path) => describeFile(binaries, path)),
    ]);
  } catch (error) {
    const reason = `${native}, through which OpenVINO is called, is not installed`;
    const facts = { engine: 'openvino', packageName: 'koffi', platform: target, reason };
    throw OptimiseModelError.of('runtime-missing', facts, error);
  }
}

function missing(platform: string, reason: string): OptimiseModelError {
  const facts = { engine: 'openvino', packageName: 'openvino', platform, reason };
  return OptimiseModelError.of('runtime-missing', facts);
}
