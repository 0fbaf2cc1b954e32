// Not by its own name: a bundle begins with a banner of its user that may import that, and would not start.
import { createRequire as requireFrom } from 'node:module';
import type { Engine } from '../lib/variant.js';

/** The package of each engine: of npm, and of PyPI for openvino, which npm does not have. */
export const enginePackages = {
  onnxruntime: 'onnxruntime-node',
  openvino: 'openvino',
} as const satisfies Record<Engine, string>;

/**
 * Reads which version of an engine an import would load, without loading it: one small file is read.
 *
 * @param engine - The engine.
 * @returns Such as `1.30.0`; undefined where that cannot be seen, as when it is not installed, or when a bundler has
 *   made this module one that does not know where it is.
 */
export function installedVersion(engine: Engine): string | undefined {
  // Seen when it is loaded; looking for it would hold up a start.
  if (engine === 'openvino') return undefined;
  try {
    const manifest: unknown = requireFrom(import.meta.url)(`${enginePackages[engine]}/package.json`);
    const { version } = manifest as { readonly version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
