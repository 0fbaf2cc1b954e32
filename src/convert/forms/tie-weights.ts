import { isExternal } from '../../onnx/external-data.js';
import type { Value } from '../plan/value-graph.js';
import { rangeKey, type Weight } from '../plan/weight.js';
import { hashRange, readFingerprint } from './describe-range.js';

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
  const large = weights.filter(({ value, sizeBytes }) => {
    return value.origin === 'initializer' && sizeBytes >= smallestTied;
  });
  // By the scope itself: two overloads of a function have the same path.
  for (const ofScope of await gather(large, ({ value }) => value.scope)) {
    for (const alike of await gather(ofScope, describe)) {
      if (alike.length > 1) await tieEqual(alike, ties);
    }
  }
  return ties;
}

async function tieEqual(alike: readonly Weight[], ties: Map<Value, Value>): Promise<void> {
  for (const [first, ...others] of await gather(alike, describeWhole)) {
    if (first !== undefined) for (const { value } of others) ties.set(value, first.value);
  }
}

/** Puts those together that are described alike, in their order. */
async function gather(
  weights: readonly Weight[],
  describeOne: (weight: Weight) => unknown,
): Promise<Iterable<readonly Weight[]>> {
  const groups = new Map<unknown, Weight[]>();
  for (const weight of weights) {
    const key = await describeOne(weight);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [weight]);
    else group.push(weight);
  }
  return groups.values();
}

/** What weights share that may be equal as FP16. */
function describe(weight: Weight): string {
  return `${describeContent(weight)} ${(weight.tensor.dims ?? []).join(',')}`;
}

function describeContent({ range, halves, tensor }: Weight): string {
  if (range === undefined) return Buffer.from(halves).toString('latin1');
  return isExternal(tensor) ? rangeKey(range) : readFingerprint(range);
}

/** Only what was told apart by a few of its bytes must be looked at as a whole. */
async function describeWhole({ range, tensor }: Weight): Promise<string> {
  return range === undefined || isExternal(tensor) ? '' : hashRange(range);
}
