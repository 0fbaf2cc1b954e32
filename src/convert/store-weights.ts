import { makeCast } from '../onnx/build-node.js';
import type { Scope } from '../onnx/graph-walk.js';
import { dataTypes, type NodeProto } from '../onnx/proto.js';
import { type Conversion, type KeptReason, replaceNodes } from './conversion.js';
import { takesCasts } from './default-domain.js';
import { losesSmallNumbers } from './small-numbers.js';
import { storeAsHalf, type Weight } from './weight-store.js';

/**
 * Stores the FP32 weights of all scopes as FP16, each followed by a Cast whose output keeps the old name: no consumer,
 * no declared type and no computation changes, only the weights are rounded.
 *
 * @param conversion - The model, changed in place. Weights that another step has stored already are FP32 no more.
 */
export async function storeWeights(conversion: Conversion): Promise<void> {
  for (const scope of conversion.scopes) await storeScope(conversion, scope);
}

async function storeScope(conversion: Conversion, scope: Scope): Promise<void> {
  const declared = declaredNames(scope);
  const atHead: NodeProto[] = [];
  const behind = new Map<NodeProto, NodeProto>();
  for (const weight of conversion.weights.get(scope) ?? []) {
    if (weight.place.tensor.dataType !== dataTypes.float) continue;
    const reason = await reasonToKeep(conversion, scope, weight, declared);
    if (reason !== undefined) {
      await keep(conversion, scope, weight, reason);
      continue;
    }
    conversion.stored.push(await storeAsHalf(weight));
    const cast = castFor(conversion, weight);
    if (weight.place.node === undefined) atHead.push(cast);
    else behind.set(weight.place.node, cast);
  }
  const nodes = currentNodes(scope).flatMap((node) => [node, ...[behind.get(node) ?? []].flat()]);
  if (atHead.length + behind.size > 0) replaceNodes(scope, [...atHead, ...nodes]);
}

/** Another step may have replaced the nodes that the scope was listed with. */
function currentNodes(scope: Scope): readonly NodeProto[] {
  return scope.graph?.node ?? scope.fn?.node ?? [];
}

function declaredNames(scope: Scope): ReadonlyMap<string, KeptReason> {
  const outputs = scope.fn?.output ?? (scope.graph?.output ?? []).map((output) => output.name ?? '');
  return new Map<string, KeptReason>([
    ...outputs.map((name) => [name, 'graph output'] as const),
    ...(scope.graph?.input ?? []).map((input) => [input.name ?? '', 'graph input'] as const),
  ]);
}

async function reasonToKeep(
  conversion: Conversion,
  scope: Scope,
  weight: Weight,
  declared: ReadonlyMap<string, KeptReason>,
): Promise<KeptReason | undefined> {
  const reason = declared.get(weight.name);
  if (reason !== undefined) return reason;
  if (!takesCasts(scope)) return 'opset below 6';
  if (weight.sizeBytes < conversion.minWeightBytes) return conversion.smallReason;
  if (conversion.exactValues.get(scope)?.has(weight.name)) return 'needs all its digits';
  const encoded = await weight.encode();
  if (encoded.stats.overflowCount > 0) return 'beyond FP16';
  return losesSmallNumbers(encoded) ? 'would become 0 in FP16' : undefined;
}

async function keep(conversion: Conversion, scope: Scope, weight: Weight, reason: KeptReason): Promise<void> {
  const overflowCount = reason === 'beyond FP16' ? (await weight.encode()).stats.overflowCount : 0;
  const { name, sizeBytes } = weight;
  conversion.kept.push({ name, scope: scope.path, reason, sizeBytes, overflowCount });
}

function castFor(conversion: Conversion, weight: Weight): NodeProto {
  const stored = conversion.names.reserve(`${weight.name}_fp16`);
  const { node, tensor } = weight.place;
  if (node === undefined) tensor.name = stored;
  else node.output = [stored];
  conversion.castsAdded += 1;
  return makeCast(stored, weight.name, dataTypes.float);
}
