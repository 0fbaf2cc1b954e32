import module from 'node:module';

/**
 * Lets Node.js keep what it compiles, so that the next start is faster; before any other module is loaded. Node.js
 * writes it to a folder in the temporary one, never to ours, and `NODE_DISABLE_COMPILE_CACHE=1` forbids it.
 *
 * @see https://nodejs.org/api/module.html#moduleenablecompilecachecachedir (since 22.1)
 */
export function startWithCompileCache(): void {
  const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown };
  enableCompileCache?.();
}
