import { access, constants } from 'node:fs/promises';
import { type Engine, engines, type Layout, usualLayout } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { findConverter } from './openvino/find-converter.js';
import { findOpenvino } from './openvino/find-openvino.js';
import { runtimePackFiles } from './runtime-pack.js';

/** What this machine offers of one engine. */
export type RuntimeProbe =
  | {
      readonly engine: Engine;
      readonly found: true;
      readonly version: string;
      /** The engine's native library here, the one that is opened. */
      readonly path: string;
      /** Its largest library. */
      readonly librarySizeBytes: number;
      /** Everything that must be shipped so that it runs. */
      readonly packSizeBytes: number;
      /** What led to it; null for a package of npm. */
      readonly foundBy: string | null;
      /** The Python that has its converter; null where that is not there, or not needed. */
      readonly converter: string | null;
      /** Whether it opens ONNX models too, which takes a library of its own in OpenVINO. */
      readonly readsOnnx: boolean;
    }
  | { readonly engine: Engine; readonly found: false; readonly reason: string; readonly remedy: string };

/**
 * Looks for the engines on this machine without loading any.
 *
 * @returns One entry per engine: version, path and sizes in bytes, or why not and what to do.
 * @throws `openvino-path-wrong`.
 */
export async function probeRuntimes(): Promise<RuntimeProbe[]> {
  return Promise.all(engines.map(probeRuntime));
}

async function probeRuntime(engine: Engine): Promise<RuntimeProbe> {
  try {
    const pack = await runtimePackFiles(
      { engine, layout: usualLayout(engine) },
      process.platform,
      process.arch,
    );
    const openvino = engine === 'openvino' ? await findOpenvino() : null;
    const [library] = pack.files.toSorted((left, right) => right.sizeBytes - left.sizeBytes);
    if (library === undefined) throw new Error('its package is empty');
    await access(library.source, constants.R_OK);
    return {
      engine,
      found: true,
      version: pack.version,
      path: openvino?.libraryPath ?? library.source,
      librarySizeBytes: library.sizeBytes,
      packSizeBytes: pack.files.reduce((sum, file) => sum + file.sizeBytes, 0),
      foundBy: openvino?.foundBy ?? null,
      converter: openvino === null ? null : await findConverter(openvino),
      readsOnnx: await hasFiles(engine, 'single'),
    };
  } catch (error) {
    // What was named is wrong: it is not what this machine lacks.
    if (error instanceof OptimiseModelError && error.code === 'openvino-path-wrong') throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const remedy = error instanceof OptimiseModelError ? error.remedy : 'Run `npm install` again.';
    return { engine, found: false, reason, remedy };
  }
}

function hasFiles(engine: Engine, layout: Layout): Promise<boolean> {
  return runtimePackFiles({ engine, layout }, process.platform, process.arch).then(
    () => true,
    () => false,
  );
}
