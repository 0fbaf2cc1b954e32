import type { Engine } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { makeCheckedRuntime } from './checked-runtime.js';
import { enginePackages } from './installed-version.js';
import { importOnnxruntime } from './onnxruntime-adapter.js';
import type { Runtime } from './runtime.js';

/** How each engine is loaded. */
const engineImports = { onnxruntime: importOnnxruntime } as const satisfies Record<Engine, unknown>;

/**
 * Loads an engine into this process; its native library (45 MB for onnxruntime) is read only now.
 *
 * @param engine - Which one.
 * @returns The engine, with the rules that hold for every engine around it.
 * @throws `runtime-missing` when its package, or the binary for this platform, cannot be loaded.
 */
export async function importRuntime(engine: Engine): Promise<Runtime> {
  const packageName = enginePackages[engine];
  try {
    return makeCheckedRuntime(await engineImports[engine]());
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split('\n', 1).join('');
    const platform = `${process.platform}/${process.arch}`;
    throw OptimiseModelError.of('runtime-missing', { engine, packageName, platform, reason }, error);
  }
}
