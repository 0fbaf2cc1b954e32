import { attributeOutputType } from '../../onnx/attribute-types.js';
import { makeTensorAttribute } from '../../onnx/build-node.js';
import { bodiesOf, listScopes, normaliseDomain, type Scope } from '../../onnx/graph-walk.js';
import { calledFunction, inferModelTypes, type ModelTypes, typingOf } from '../../onnx/infer-types.js';
import { findSignature } from '../../onnx/operator-signature.js';
import type { ModelProto, NodeProto, TensorProto } from '../../onnx/proto.js';
import { sortNodes } from '../../onnx/sort-nodes.js';
import type { ValueType } from '../../onnx/value-type.js';
import { isControlFlow } from './control-flow.js';
import { isConstantNode, storedTensor } from './stored-tensor.js';
import type { Value, ValueGraph, ValueNode, ValueScope } from './value-graph.js';

type Linking = {
  readonly types: ModelTypes;
  readonly typing: ReturnType<typeof typingOf>;
  readonly listed: ReadonlyMap<unknown, Scope>;
  readonly scopes: ValueScope[];
};

type Place = Pick<ValueScope, 'kind' | 'parent' | 'host'>;

/** A scope while its values are collected. */
type OpenScope = ValueScope & {
  readonly values: Map<string, Value>;
  readonly nodes: ValueNode[];
  readonly inputs: (Value | undefined)[];
  readonly outputs: (Value | undefined)[];
};

/**
 * Resolves every name of a model to the value that it stands for, scope by scope.
 *
 * @param model - The model.
 * @returns Its scopes; names that have no value are undefined where they are read.
 */
export function linkValues(model: ModelProto): ValueGraph {
  const listed = new Map<unknown, Scope>(listScopes(model).map((scope) => [scope.graph ?? scope.fn, scope]));
  const linking: Linking = { types: inferModelTypes(model), typing: typingOf(model), listed, scopes: [] };
  const main = linkScope(model.graph, { kind: 'main', parent: undefined, host: undefined }, linking);
  for (const fn of model.functions ?? []) {
    linkScope(fn, { kind: 'sealed', parent: undefined, host: undefined }, linking);
  }
  return { scopes: linking.scopes, main };
}

function linkScope(owner: unknown, place: Place, linking: Linking): ValueScope | undefined {
  const scope = linking.listed.get(owner);
  if (scope === undefined) return undefined;
  const open: OpenScope = { scope, ...place, values: new Map(), nodes: [], inputs: [], outputs: [] };
  linking.scopes.push(open);
  const { graph, fn } = scope;
  const stored = new Map((graph?.initializer ?? []).map((tensor) => [tensor.name ?? '', tensor]));
  for (const name of fn?.input ?? (graph?.input ?? []).map((input) => input.name ?? '')) {
    open.inputs.push(addValue(open, { name, origin: 'input', tensor: stored.get(name) }, linking));
  }
  for (const [name, tensor] of stored) {
    if (!open.values.has(name)) addValue(open, { name, origin: 'initializer', tensor }, linking);
  }
  for (const { values } of graph?.sparseInitializer ?? []) {
    addValue(open, { name: values?.name ?? '', origin: 'sparse' }, linking);
  }
  for (const node of sortNodes(scope.nodes)) open.nodes.push(linkNode(node, open, linking));
  for (const name of fn?.output ?? (graph?.output ?? []).map((output) => output.name ?? '')) {
    open.outputs.push(resolve(name, open));
  }
  return open;
}

function linkNode(node: NodeProto, scope: OpenScope, linking: Linking): ValueNode {
  const kind = kindOf(node, scope, linking);
  const outputs: (Value | undefined)[] = [];
  const linked: ValueNode = {
    node,
    scope,
    kind,
    signature: kind === 'operator' || kind === 'control' ? signatureOf(node, linking) : undefined,
    isCall: calledFunction(node, linking.typing) !== undefined,
    inputs: (node.input ?? []).map((name) => resolve(name, scope)),
    outputs,
    bodies: [],
  };
  const inner = kind === 'control' ? ('body' as const) : ('sealed' as const);
  for (const { graph } of bodiesOf(node)) {
    const body = linkScope(graph, { kind: inner, parent: scope, host: linked }, linking);
    if (body !== undefined) linked.bodies.push(body);
  }
  for (const name of node.output ?? []) {
    const about = { name, origin: 'node', producer: linked, tensor: storedTensor(node) } as const;
    outputs.push(name === '' ? undefined : addValue(scope, about, linking));
  }
  return linked;
}

function kindOf(node: NodeProto, scope: ValueScope, linking: Linking): ValueNode['kind'] {
  if (isConstantNode(node)) return 'constant';
  if (scope.kind === 'sealed' || calledFunction(node, linking.typing) !== undefined) return 'opaque';
  const isKnown = signatureOf(node, linking) !== undefined;
  if (!isKnown) return 'opaque';
  if (bodiesOf(node).length === 0) return 'operator';
  return isControlFlow(node, linking.typing.opsets.get('') ?? 0) ? 'control' : 'opaque';
}

function signatureOf(node: NodeProto, { typing }: Linking): ValueNode['signature'] {
  const domain = normaliseDomain(node.domain);
  return findSignature(domain, node.opType ?? '', typing.opsets.get(domain) ?? 0);
}

type About = Pick<Value, 'name' | 'origin'> & Partial<Pick<Value, 'producer' | 'tensor'>>;

/** Written out field by field: a spread object is slow to make and to read, and there is one for every value. */
function addValue(scope: OpenScope, about: About, linking: Linking): Value {
  const { name, origin, producer, tensor } = about;
  const value: Value = {
    name,
    scope,
    type: typeOf(about, scope, linking),
    origin,
    producer,
    tensor,
    isConstant: origin === 'initializer' || origin === 'sparse' || tensor !== undefined,
    mark: 'none',
    isExact: false,
    group: undefined,
  };
  scope.values.set(name, value);
  return value;
}

/** In functions, and in bodies of nodes that we do not know, only stored tensors have a type. */
function typeOf({ name, tensor, producer }: About, { scope, kind }: ValueScope, linking: Linking): ValueType {
  if (kind !== 'sealed') return linking.types.of(scope.graph)?.get(name) ?? 'unknown';
  if (producer?.kind === 'constant') return attributeOutputType(producer.node) ?? 'unknown';
  return tensor === undefined ? 'unknown' : tensorType(tensor);
}

function tensorType(tensor: TensorProto): ValueType {
  const constant = { opType: 'Constant', attribute: [makeTensorAttribute('value', tensor)] };
  return attributeOutputType(constant) ?? 'unknown';
}

function resolve(name: string, scope: ValueScope): Value | undefined {
  if (name === '') return undefined;
  for (let at: ValueScope | undefined = scope; at !== undefined; at = at.parent) {
    const value = at.values.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}
