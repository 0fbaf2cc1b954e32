import { isExternal } from '../../onnx/external-data.js';
import type { Value } from '../plan/value-graph.js';
import { rangeKey, type Weight } from '../plan/weight.js';
import { areEqualRanges, readFingerprint } from './compare-ranges.js';

/** Smaller tensors are not worth that a name goes, bytes. */
const smallestTied = 1024;

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
  const alike = new Map<string, Weight[]>();
  for (const weight of weights) {
    const { value, tensor, sizeBytes } = weight;
    if (value.origin !== 'initializer' || sizeBytes < smallestTied) continue;
    const key = `${await describeContent(weight)} ${(tensor.dims ?? []).join(',')} ${value.scope.scope.path}`;
    const earlier = alike.get(key) ?? [];
    const same = await findEqual(weight, earlier);
    if (same === undefined) alike.set(key, [...earlier, weight]);
    else ties.set(value, same.value);
  }
  return ties;
}

async function findEqual(weight: Weight, others: readonly Weight[]): Promise<Weight | undefined> {
  for (const other of others) if (await isEqual(other, weight)) return other;
  return undefined;
}

/** What weights share that are equal as FP16. */
async function describeContent({ range, halves, tensor }: Weight): Promise<string> {
  if (range === undefined) return Buffer.from(halves).toString('latin1');
  return isExternal(tensor) ? rangeKey(range) : readFingerprint(range);
}

/** Only what was told apart by a few of its bytes must be looked at as a whole. */
async function isEqual(left: Weight, right: Weight): Promise<boolean> {
  if (left.range === undefined || right.range === undefined || isExternal(right.tensor)) return true;
  return areEqualRanges(left.range, right.range);
}
