import { createRequire as requireFrom } from 'node:module';

/**
 * Loads a CommonJS package at once: where it is large, and where only some commands need it. `import` searches its whole
 * text for the names of its exports first, which for `onnx-proto` takes longer than loading it, and is not at once.
 *
 * @param name - The package; one that is CommonJS.
 * @returns What it exports; the caller says which type it has.
 * @see https://github.com/nodejs/cjs-module-lexer
 */
export const requirePackage: (name: string) => unknown = requireFrom(import.meta.url);
