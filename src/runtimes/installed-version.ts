// Not by its own name: a bundle begins with a banner of its user that may import that, and would not start.
import { createRequire as requireFrom } from 'node:module';
import type { Engine } from '../lib/variant.js';

/** The npm package of each engine. */
export const enginePackages = { onnxruntime: 'onnxruntime-node' } as const satisfies Record<Engine, string>;

/**
 * Reads which version of an engine an import would load, without loading it: one small file is read.
 *
 * @param engine - The engine.
 * @returns Such as `1.30.0`; undefined where that cannot be seen, as when it is not installed, or when a bundler has
 *   made this module one that does not know where it is.
 */
export function installedVersion(engine: Engine): string | undefined {
  try {
    const manifest: unknown = requireFrom(import.meta.url)(`${enginePackages[engine]}/package.json`);
    const { version } = manifest as { readonly version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
