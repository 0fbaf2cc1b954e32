import type { Engine, Layout, Variant } from '../lib/variant.js';
import { listOnnxruntimeFiles, onnxruntimeVersion } from './onnxruntime-pack.js';
import { findOpenvino } from './openvino/find-openvino.js';
import { listOpenvinoFiles } from './openvino/openvino-pack.js';
import type { RuntimePackFile } from './package-files.js';

/** All files that a machine needs to run an engine, sorted by path, and the engine's version. */
export type RuntimePack = { readonly version: string; readonly files: readonly RuntimePackFile[] };

/** What is opened, as far as it says what of an engine is needed. */
export type PackSubject = Pick<Variant, 'engine' | 'layout'>;

/** Where a library's name tells no version, and it is not loaded to be asked. */
const unknownVersion = 'unknown';

/**
 * Lists what has to be in a layer or package so that an engine opens a layout there, from what is installed here.
 *
 * @param subject - Which engine, and what it is to open: OpenVINO has a reader of its own for each format.
 * @param platform - `process.platform` of the target.
 * @param arch - `process.arch` of the target.
 * @returns Version and files, each with its size in bytes and where it is here. Paths are those below `node_modules`;
 *   OpenVINO's libraries lie in `openvino/libs`, where they are looked for below `/opt`.
 * @throws `runtime-missing` when the engine, or its binary for that platform, is not installed;
 *   `openvino-path-wrong` when a path that was given for it leads nowhere.
 */
export async function runtimePackFiles(
  { engine, layout }: PackSubject,
  platform: string,
  arch: string,
): Promise<RuntimePack> {
  const { version, files } =
    engine === 'openvino'
      ? await listOpenvinoFiles(layout, platform, arch)
      : await listOnnxruntimeFiles(platform, arch);
  return {
    version: version ?? unknownVersion,
    files: files.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
  };
}

/**
 * Tells for which layouts an engine needs the same files.
 *
 * @param engine - Which one.
 * @returns Every layout that the engine opens, in groups.
 */
export function groupLayouts(engine: Engine): readonly (readonly Layout[])[] {
  return engine === 'openvino'
    ? [
        ['single', 'external'],
        ['ir', 'blob'],
      ]
    : [['single', 'external']];
}

/**
 * Reads which version of an engine is installed, without loading it; no binary of onnxruntime has to be there.
 *
 * @param engine - Which one.
 * @returns Such as `1.30.0`.
 * @throws `runtime-missing` when it is not installed; `openvino-path-wrong` as {@link runtimePackFiles}.
 */
export async function runtimeVersion(engine: Engine): Promise<string> {
  if (engine === 'onnxruntime') return onnxruntimeVersion();
  return (await findOpenvino()).version ?? unknownVersion;
}
