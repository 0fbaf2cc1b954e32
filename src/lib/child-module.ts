import { fileURLToPath } from 'node:url';

/**
 * Finds the built JavaScript of a module that is run as a child process, also when the parent itself runs from the
 * TypeScript sources, as it does under the test runner.
 *
 * @param relative - Path of the built module from a folder of `dist`, such as `../bench/sample-child.js`: right from the
 *   caller's own folder, and from `dist/command`, where the command's modules are joined.
 * @param importMetaUrl - The caller's `import.meta.url`.
 * @returns Absolute path of the file to start.
 */
export function resolveChildModule(relative: string, importMetaUrl: string): string {
  const path = fileURLToPath(new URL(relative, importMetaUrl));
  if (!importMetaUrl.endsWith('.ts')) return path;
  const parts = path.split('/');
  parts[parts.lastIndexOf('src')] = 'dist';
  return parts.join('/');
}
