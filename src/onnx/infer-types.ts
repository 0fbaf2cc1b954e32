import { attributeOutputType } from './attribute-types.js';
import { bodiesOf, normaliseDomain, opsetsOf } from './graph-walk.js';
import { findSignature, type Signature, type Slot, slotAt } from './operator-signature.js';
import type { FunctionProto, GraphProto, ModelProto, NodeProto } from './proto.js';
import { sortNodes } from './sort-nodes.js';
import { declaredType, typeNamed, type ValueType } from './value-type.js';

/** Types by value name; a body's view falls back to that of the scope around it. */
export type TypeScope = {
  readonly get: (name: string) => ValueType;
  readonly set: (name: string, type: ValueType) => void;
};

/** The types of a model's values. */
export type ModelTypes = {
  /** Of the main graph; nothing is known without one. */
  readonly main: TypeScope;
  /** Of the main graph and of each body of If, Loop and Scan in it; undefined for other graphs and for functions. */
  readonly of: (graph: GraphProto | undefined) => TypeScope | undefined;
};

/** What typing a model's nodes needs to know of the model. */
export type TypingModel = {
  readonly functions: ReadonlyMap<string, FunctionProto>;
  readonly opsets: ReadonlyMap<string, number>;
  /** Takes the types of each graph; a function is typed per call, which is not kept. */
  readonly found: Map<GraphProto, TypeScope> | undefined;
  /** What calls of functions gave before: functions that call functions are called many times more than there are. */
  readonly calls: Map<string, readonly ValueType[]>;
};

/** Operators whose outputs are those of their bodies. */
const controlFlow: ReadonlySet<string> = new Set(['If', 'Loop', 'Scan']);

/** Functions may call functions; ONNX forbids recursion, a broken model may have it. */
const callDepthLimit = 16;
/** Calls that differ in the types they hand over; no model of use has so many, and nothing is known of more. */
const callLimit = 100_000;

/**
 * Computes the types of all values from the inputs, tensors and operators of a model; `value_info` is not read.
 *
 * @param model - The model.
 * @returns The types; `unknown` behind operators that we do not know.
 */
export function inferModelTypes(model: ModelProto): ModelTypes {
  const main = openScope(undefined);
  const found = new Map<GraphProto, TypeScope>();
  if (model.graph) inferGraph(model.graph, main, { ...typingOf(model), found }, 0);
  return { main, of: (graph) => (graph === undefined ? undefined : found.get(graph)) };
}

/**
 * Collects what typing needs to know.
 *
 * @param model - The model.
 * @returns Its functions by `domain:name` and its opsets.
 */
export function typingOf(model: ModelProto): TypingModel {
  const functions = new Map<string, FunctionProto>();
  for (const fn of model.functions ?? []) {
    const key = `${fn.domain ?? ''}:${fn.name ?? ''}`;
    // Overloads differ in a field that onnx-proto does not decode: nothing is known of what they give.
    functions.set(key, functions.has(key) ? {} : fn);
  }
  return { functions, opsets: opsetsOf(model.opsetImport), found: undefined, calls: new Map() };
}

/**
 * Finds the function of the model's own that a node calls.
 *
 * @param node - The node.
 * @param typing - What is known of the model.
 * @returns The function, or undefined when the node is an operator.
 */
export function calledFunction(node: NodeProto, typing: TypingModel): FunctionProto | undefined {
  return typing.functions.get(`${node.domain ?? ''}:${node.opType ?? ''}`);
}

function openScope(parent: TypeScope | undefined): TypeScope {
  const types = new Map<string, ValueType>();
  return {
    get: (name) => types.get(name) ?? parent?.get(name) ?? 'unknown',
    set: (name, type) => types.set(name, type),
  };
}

function inferGraph(graph: GraphProto, scope: TypeScope, typing: TypingModel, depth: number): void {
  typing.found?.set(graph, scope);
  for (const tensor of graph.initializer ?? []) {
    scope.set(tensor.name ?? '', attributeOutputType(asConstant(tensor)) ?? 'unknown');
  }
  for (const { values } of graph.sparseInitializer ?? []) {
    scope.set(values?.name ?? '', values ? (attributeOutputType(asConstant(values)) ?? 'unknown') : 'other');
  }
  for (const input of graph.input ?? []) {
    const name = input.name ?? '';
    const declared = declaredType(input.type);
    // What a body is handed counts; what it declares may be left out or out of date.
    const counts = depth === 0 || scope.get(name) === 'unknown';
    if (counts && declared !== 'unknown') scope.set(name, declared);
  }
  inferNodes(graph.node ?? [], scope, typing, depth);
}

function asConstant(tensor: NonNullable<GraphProto['initializer']>[number]): NodeProto {
  return { opType: 'Constant', attribute: [{ name: 'value', t: tensor }] };
}

function inferNodes(nodes: readonly NodeProto[], scope: TypeScope, typing: TypingModel, depth: number): void {
  for (const node of sortNodes(nodes)) {
    const types = outputTypes(node, scope, typing, depth);
    for (const [index, name] of (node.output ?? []).entries()) {
      if (name !== '') scope.set(name, types[index] ?? 'unknown');
    }
  }
}

function outputTypes(
  node: NodeProto,
  scope: TypeScope,
  typing: TypingModel,
  depth: number,
): readonly ValueType[] {
  const inputs = (node.input ?? []).map((name) => (name === '' ? 'unknown' : scope.get(name)));
  const fn = calledFunction(node, typing);
  if (fn !== undefined) return callTypes(fn, inputs, typing, depth);
  const domain = normaliseDomain(node.domain);
  if (domain === '' && controlFlow.has(node.opType ?? ''))
    return bodyTypes(node, scope, inputs, typing, depth);
  const signature = findSignature(domain, node.opType ?? '', typing.opsets.get(domain) ?? 0);
  if (signature === undefined) return [];
  const byAttribute = attributeOutputType(node, inputs);
  const bound = bindVariables(signature.inputs, inputs);
  return (node.output ?? []).map((_name, index) => {
    const slot = slotAt(signature.outputs, index);
    return slot === undefined ? 'unknown' : slotType(slot, bound, byAttribute);
  });
}

/**
 * Binds the type variables of a signature.
 *
 * @param slots - Input slots.
 * @param types - Types of the inputs; `unknown` for those left out.
 * @returns Type by letter; a variable whose inputs are all unknown is left out.
 */
function bindVariables(slots: readonly Slot[], types: readonly ValueType[]): Map<string, ValueType> {
  const bound = new Map<string, ValueType>();
  for (const [index, type] of types.entries()) {
    const slot = slotAt(slots, index);
    if (slot?.kind === 'variable' && type !== 'unknown' && !bound.has(slot.name)) bound.set(slot.name, type);
  }
  return bound;
}

function slotType(
  slot: Signature['outputs'][number],
  bound: ReadonlyMap<string, ValueType>,
  byAttribute: ValueType | undefined,
): ValueType {
  if (slot.kind === 'not-a-tensor') return 'other';
  if (slot.kind === 'fixed') return typeNamed(slot.name);
  return (bound.has(slot.name) ? undefined : byAttribute) ?? bound.get(slot.name) ?? 'unknown';
}

/** The same function gives the same types for the same ones. */
function callTypes(
  fn: FunctionProto,
  inputs: readonly ValueType[],
  typing: TypingModel,
  depth: number,
): readonly ValueType[] {
  const { calls } = typing;
  const key = `${depth} ${inputs.join(' ')} ${fn.domain ?? ''}:${fn.name ?? ''}`;
  const known = calls.get(key);
  if (known !== undefined) return known;
  if (depth >= callDepthLimit || calls.size >= callLimit) return [];
  const types = functionTypes(fn, inputs, typing, depth);
  calls.set(key, types);
  return types;
}

function functionTypes(
  fn: FunctionProto,
  inputs: readonly ValueType[],
  typing: TypingModel,
  depth: number,
): ValueType[] {
  const scope = openScope(undefined);
  for (const [index, name] of (fn.input ?? []).entries()) scope.set(name, inputs[index] ?? 'unknown');
  const own = { ...typing, opsets: opsetsOf(fn.opsetImport), found: undefined };
  inferNodes(fn.node ?? [], scope, own, depth + 1);
  return (fn.output ?? []).map(scope.get);
}

/** Loop hands its body an iteration number and a condition first; Scan, its states and slices of its inputs. */
function bodyTypes(
  node: NodeProto,
  scope: TypeScope,
  inputs: readonly ValueType[],
  typing: TypingModel,
  depth: number,
): ValueType[] {
  if (depth >= callDepthLimit) return [];
  const handed: readonly ValueType[] =
    node.opType === 'Loop' ? ['int64', 'bool', ...inputs.slice(2)] : inputs;
  const skipped = node.opType === 'Scan' && (typing.opsets.get('') ?? 0) < 9 ? 1 : 0;
  const given = bodiesOf(node).map(({ graph }) => {
    const inner = openScope(scope);
    for (const [index, input] of (graph.input ?? []).entries()) {
      inner.set(input.name ?? '', handed[index + skipped] ?? 'unknown');
    }
    inferGraph(graph, inner, typing, depth + 1);
    return (graph.output ?? []).map((output) => inner.get(output.name ?? ''));
  });
  const types = joinTypes(given);
  return node.opType === 'Loop' ? types.slice(1) : types;
}

/** Branches that say different things say nothing; one that we cannot type is believed to agree. */
function joinTypes(branches: readonly (readonly ValueType[])[]): ValueType[] {
  const [first = [], ...others] = branches;
  return first.map((type, index) =>
    others.reduce<ValueType>((joined, other) => {
      const next = other[index] ?? 'unknown';
      if (joined === 'unknown') return next;
      return next === 'unknown' || next === joined ? joined : 'unknown';
    }, type),
  );
}
