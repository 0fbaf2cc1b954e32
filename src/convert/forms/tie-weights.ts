import type { FileRange } from '../../onnx/tensor-content.js';
import type { Value } from '../plan/value-graph.js';
import { rangeKey, type Weight } from '../plan/weight.js';
import { areEqualRanges, readFingerprint } from './compare-ranges.js';

/**
 * Finds initializers that hold the same numbers as an earlier one of the same shape in the same graph, as tied embeddings
 * do: they are stored once.
 *
 * Data files are laid out by who wrote them, with what is shared in one place; inside a model file, shared numbers can
 * only be there twice.
 *
 * @param weights - The weights that are stored as FP16.
 * @returns Each repeated one with the one that stands for it.
 * @throws The file system's own error.
 */
export async function tieWeights(weights: readonly Weight[]): Promise<ReadonlyMap<Value, Value>> {
  const ties = new Map<Value, Value>();
  const alike = new Map<string, { readonly value: Value; readonly range: FileRange }[]>();
  for (const { value, range, tensor } of weights) {
    if (range === undefined || value.origin !== 'initializer') continue;
    const isInline = (tensor.externalData ?? []).length === 0;
    const content = isInline ? await readFingerprint(range) : rangeKey(range);
    const key = `${content} ${(tensor.dims ?? []).join(',')} ${value.scope.scope.path}`;
    const earlier = alike.get(key) ?? [];
    let same: Value | undefined;
    for (const other of earlier) {
      if (!isInline || (await areEqualRanges(other.range, range))) same ??= other.value;
    }
    if (same === undefined) alike.set(key, [...earlier, { value, range }]);
    else ties.set(value, same);
  }
  return ties;
}
