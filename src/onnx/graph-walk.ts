import { rememberResult } from '../lib/remember-result.js';
import type { FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto } from './proto.js';

/** A place where names live: the main graph, a body, or a function of the model's own. */
export type Scope = {
  /** Such as `graph`, `graph/If[3].then_branch` or `function local:Gelu`; indexes count nodes from 0. */
  readonly path: string;
  /** Absent for a function. */
  readonly graph: GraphProto | undefined;
  readonly fn: FunctionProto | undefined;
  readonly nodes: readonly NodeProto[];
  /** The scope whose names a body may use. */
  readonly parent: Scope | undefined;
  /** Opset versions by domain; the default domain is `''`. */
  readonly opsets: ReadonlyMap<string, number>;
};

/** A tensor of a model and where it is. */
export type TensorPlace = {
  readonly tensor: TensorProto;
  readonly scope: Scope;
  /** The value it gives: an initializer's name or a Constant's output; otherwise a description. */
  readonly label: string;
  readonly role: 'initializer' | 'constant' | 'attribute' | 'sparse';
  /** The Constant or other node whose attribute it is. */
  readonly node: NodeProto | undefined;
};

/**
 * Lists all scopes of a model, outer before inner, in a fixed order.
 *
 * @param model - The model.
 * @returns The main graph and its bodies, then training graphs, then functions, each followed by its bodies.
 */
export const listScopes: (model: ModelProto) => readonly Scope[] = rememberResult(collectScopes);

function collectScopes(model: ModelProto): Scope[] {
  const scopes: Scope[] = [];
  const opsets = opsetsOf(model.opsetImport);
  const addGraph = (graph: GraphProto | null | undefined, path: string): void => {
    if (graph === null || graph === undefined) return;
    addScope(scopes, { path, graph, fn: undefined, nodes: graph.node ?? [], parent: undefined, opsets });
  };
  addGraph(model.graph, 'graph');
  for (const [index, info] of (model.trainingInfo ?? []).entries()) {
    addGraph(info.initialization, `training[${index}].initialization`);
    addGraph(info.algorithm, `training[${index}].algorithm`);
  }
  for (const fn of model.functions ?? []) {
    const path = `function ${fn.domain ?? ''}:${fn.name ?? ''}`;
    const own = opsetsOf(fn.opsetImport);
    addScope(scopes, { path, graph: undefined, fn, nodes: fn.node ?? [], parent: undefined, opsets: own });
  }
  return scopes;
}

function addScope(scopes: Scope[], scope: Scope): void {
  scopes.push(scope);
  for (const [index, node] of scope.nodes.entries()) {
    for (const body of bodiesOf(node)) {
      const path = `${scope.path}/${node.opType}[${index}].${body.name}`;
      addScope(scopes, { ...scope, path, graph: body.graph, nodes: body.graph.node ?? [], parent: scope });
    }
  }
}

/**
 * Lists the bodies of a node, as If, Loop and Scan have them.
 *
 * @param node - The node.
 * @returns The graphs in its attributes with the attributes' names.
 */
export function bodiesOf(node: NodeProto): { readonly name: string; readonly graph: GraphProto }[] {
  const bodies: { name: string; graph: GraphProto }[] = [];
  for (const attribute of node.attribute ?? []) {
    const name = attribute.name ?? '';
    if (attribute.g) bodies.push({ name, graph: attribute.g });
    for (const graph of attribute.graphs ?? []) bodies.push({ name, graph });
  }
  return bodies;
}

/**
 * Reads opset imports.
 *
 * @param imports - As a model or a function declares them.
 * @returns Version by domain; `ai.onnx` is the default domain `''`.
 */
export function opsetsOf(imports: ModelProto['opsetImport'] | null | undefined): Map<string, number> {
  return new Map(
    (imports ?? []).map((entry) => [normaliseDomain(entry.domain), Number(entry.version ?? 0)] as const),
  );
}

/**
 * Gives the two spellings of the default domain one.
 *
 * @param domain - A node's or an import's domain.
 * @returns `''` for the default domain.
 */
export function normaliseDomain(domain: string | null | undefined): string {
  return domain === 'ai.onnx' ? '' : (domain ?? '');
}

/**
 * Lists every tensor of a scope: initializers, sparse ones and those in attributes of its nodes; not those of bodies.
 *
 * @param scope - The scope.
 * @returns The tensors with their places, in the order of the file.
 */
export const listTensors: (scope: Scope) => readonly TensorPlace[] = rememberResult(collectTensors);

function collectTensors(scope: Scope): TensorPlace[] {
  const places: TensorPlace[] = [];
  const add = (role: TensorPlace['role'], label: string, tensor?: TensorProto | null, node?: NodeProto) => {
    if (tensor) places.push({ tensor, scope, label, role, node });
  };
  for (const tensor of scope.graph?.initializer ?? []) add('initializer', tensor.name ?? '', tensor);
  for (const sparse of scope.graph?.sparseInitializer ?? []) {
    add('sparse', `${sparse.values?.name ?? ''} (values)`, sparse.values);
    add('sparse', `${sparse.values?.name ?? ''} (indices)`, sparse.indices);
  }
  for (const node of scope.nodes) listNodeTensors(node, add);
  return places;
}

function listNodeTensors(
  node: NodeProto,
  add: (role: TensorPlace['role'], label: string, tensor?: TensorProto | null, node?: NodeProto) => void,
): void {
  const output = node.output?.[0] ?? '';
  for (const attribute of node.attribute ?? []) {
    const isConstant = node.opType === 'Constant' && attribute.name === 'value';
    const label = isConstant ? output : `${output} (${attribute.name} of its ${node.opType})`;
    add(isConstant ? 'constant' : 'attribute', label, attribute.t, node);
    for (const tensor of attribute.tensors ?? []) add('attribute', label, tensor, node);
    for (const sparse of [attribute.sparseTensor, ...(attribute.sparseTensors ?? [])]) {
      add('sparse', `${label} (values)`, sparse?.values, node);
      add('sparse', `${label} (indices)`, sparse?.indices, node);
    }
  }
}
