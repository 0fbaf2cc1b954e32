import type { Engine } from '../lib/variant.js';
import { OptimiseModelError } from '../messages/error.js';
import { type EngineAdapter, makeCheckedRuntime } from './checked-runtime.js';
import { enginePackages } from './installed-version.js';
import { importOnnxruntime } from './onnxruntime-adapter.js';
import type { Runtime } from './runtime.js';

type ImportEngine = () => Promise<EngineAdapter>;

/** How each engine is loaded; a bundle has only those that it imports. */
const engineImports: Record<Engine, ImportEngine> = {
  onnxruntime: importOnnxruntime,
  openvino: importInstalledOpenvino,
};

/**
 * Puts an engine's adapter where it is found, for a bundle that would otherwise not hold it.
 *
 * @param engine - The engine.
 * @param load - Loads it.
 */
export function registerEngine(engine: Engine, load: ImportEngine): void {
  engineImports[engine] = load;
}

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
    if (error instanceof OptimiseModelError) throw error;
    const reason = (error instanceof Error ? error.message : String(error)).split('\n', 1).join('');
    const platform = `${process.platform}/${process.arch}`;
    throw OptimiseModelError.of('runtime-missing', { engine, packageName, platform, reason }, error);
  }
}

/**
 * By a name that no bundler follows: most handlers need no OpenVINO, and would carry its adapter. Right from this
 * module's own folder, and from `dist/command`, where the command's modules are joined.
 */
async function importInstalledOpenvino(): Promise<EngineAdapter> {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
  const address = new URL(`../runtimes/openvino/openvino-adapter${extension}`, import.meta.url).href;
  const module: typeof import('./openvino/openvino-adapter.js') = await import(
    /* @vite-ignore */ address
  ).catch((error: unknown) => {
    const isBundle = error instanceof Error && error.message.startsWith('Cannot find module');
    throw isBundle ? OptimiseModelError.of('engine-not-bundled', { engine: 'openvino' }, error) : error;
  });
  return module.importOpenvino();
}
