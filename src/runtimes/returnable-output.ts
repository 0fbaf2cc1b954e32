import type { ValueSpec } from '../lib/tensor.js';

/** Assigning it to an object, as onnxruntime-node does with each output, replaces the prototype and stores nothing. */
export const prototypeName = '__proto__';

/**
 * Tells whether an engine can hand an output to JavaScript.
 *
 * @param output - What the model declares.
 * @returns Why it cannot, one clause; undefined when it can.
 */
export function findUnreturnable({ name, isTensor }: ValueSpec): string | undefined {
  if (!isTensor) return 'not a tensor';
  return name === prototypeName ? 'onnxruntime-node cannot return an output of this name' : undefined;
}

/**
 * The same question, for those who only choose.
 *
 * @param output - What the model declares.
 * @returns Whether it can be asked for.
 */
export function isReturnable(output: ValueSpec): boolean {
  return findUnreturnable(output) === undefined;
}
