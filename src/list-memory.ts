import type { Pipeline } from './pipeline/read-pipeline.js';

/**
 * Lists the memory of the functions that a pipeline imitates.
 *
 * @param pipeline - It names one, several or none.
 * @returns MiB; the first is the one that choices are made by, none is the machine as it is.
 */
export function listMemory({ bench: { memoryMiB = [] } }: Pick<Pipeline, 'bench'>): readonly number[] {
  return typeof memoryMiB === 'number' ? [memoryMiB] : memoryMiB;
}
