import { listScopes, normaliseDomain, type Scope } from '../onnx/graph-walk.js';
import type { NodeProto, TensorProto } from '../onnx/proto.js';
import type { OnnxModel } from '../onnx/read-model.js';
import { readTensor } from '../onnx/read-tensor.js';

/** Operators of the default domain that draw random numbers. */
const randomOperators = new Set([
  'RandomNormal',
  'RandomNormalLike',
  'RandomUniform',
  'RandomUniformLike',
  'Multinomial',
  'Bernoulli',
]);

/**
 * Lists the operators of a model whose values differ from run to run: random ones without a seed, and Dropout that is
 * or may be in training mode; in every body and function, called or not.
 *
 * @param model - The model.
 * @returns Operator types without repetition, sorted.
 * @see https://onnx.ai/onnx/operators/
 */
export async function listNondeterministicOperators(model: OnnxModel): Promise<string[]> {
  const found = new Set<string>();
  for (const scope of listScopes(model.model)) {
    for (const node of scope.nodes) {
      if (await isNondeterministic(model, scope, node)) found.add(node.opType ?? '');
    }
  }
  return [...found].sort();
}

async function isNondeterministic(model: OnnxModel, scope: Scope, node: NodeProto): Promise<boolean> {
  if (normaliseDomain(node.domain) !== '') return false;
  const opType = node.opType ?? '';
  // A seed makes the first run of every fresh session the same, and nothing else is compared.
  if ((node.attribute ?? []).some((attribute) => attribute.name === 'seed')) return false;
  if (randomOperators.has(opType)) return true;
  return opType === 'Dropout' && (await mayDropoutTrain(model, scope, node));
}

async function mayDropoutTrain(model: OnnxModel, scope: Scope, node: NodeProto): Promise<boolean> {
  const opset = scope.opsets.get('') ?? 0;
  // Up to opset 6 the attribute `is_test` decides, from 12 on a third input; in between it has none and never trains.
  if (opset < 7)
    return !(node.attribute ?? []).some((each) => each.name === 'is_test' && Number(each.i) !== 0);
  const trainingMode = node.input?.[2] ?? '';
  if (trainingMode === '') return false;
  const tensor = findConstant(scope, trainingMode);
  if (tensor === undefined) return true;
  const { data } = await readTensor(model.path, tensor, trainingMode);
  return data[0] !== 0;
}

function findConstant(scope: Scope, name: string): TensorProto | undefined {
  for (let place: Scope | undefined = scope; place !== undefined; place = place.parent) {
    const stored = (place.graph?.initializer ?? []).find((tensor) => tensor.name === name);
    // An initializer that is an input as well can be fed another value.
    if (stored !== undefined) return isInput(place, name) ? undefined : stored;
    const producer = place.nodes.find((node) => (node.output ?? []).includes(name));
    if (producer !== undefined) {
      const value = (producer.attribute ?? []).find((attribute) => attribute.name === 'value');
      return producer.opType === 'Constant' ? (value?.t ?? undefined) : undefined;
    }
  }
  return undefined;
}

function isInput(scope: Scope, name: string): boolean {
  return (scope.graph?.input ?? []).some((input) => input.name === name);
}
