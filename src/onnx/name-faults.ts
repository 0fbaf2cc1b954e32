import { bodiesOf } from './graph-walk.js';
import type { FunctionProto, GraphProto, ModelProto, NodeProto } from './proto.js';

/** A name that is wrong, and the scope where it is, such as `graph/If[3].then_branch`. */
export type NameFault = { readonly name: string; readonly scope: string };

/** What is wrong with the names of a model; in the order of the file. */
export type NameFaults = {
  /** Names that one scope gives to two values. */
  readonly repeated: readonly NameFault[];
  /** Names that are read where no input, tensor, earlier node or scope around gives them. */
  readonly unresolved: readonly NameFault[];
};

type Search = { readonly repeated: NameFault[]; readonly unresolved: NameFault[] };

type Frame = {
  readonly path: string;
  readonly search: Search;
  readonly own: Set<string>;
  readonly parent: Frame | undefined;
};

/**
 * Checks that in every scope each value has one name and each name that is read has a value, in time linear in the
 * size of the model.
 *
 * @param model - The model. A tensor that is an input as well is that input's default, not a second value.
 * @returns What is wrong.
 */
export function findNameFaults(model: ModelProto): NameFaults {
  const search: Search = { repeated: [], unresolved: [] };
  if (model.graph) searchGraph(model.graph, openFrame('graph', search));
  for (const [index, { initialization, algorithm }] of (model.trainingInfo ?? []).entries()) {
    if (initialization) searchGraph(initialization, openFrame(`training[${index}].initialization`, search));
    if (algorithm) searchGraph(algorithm, openFrame(`training[${index}].algorithm`, search));
  }
  for (const fn of model.functions ?? []) searchFunction(fn, search);
  return search;
}

function openFrame(path: string, search: Search, parent?: Frame): Frame {
  return { path, search, own: new Set(), parent };
}

function searchGraph(graph: GraphProto, frame: Frame): void {
  const inputs = (graph.input ?? []).map((input) => input.name ?? '');
  for (const name of inputs) define(name, frame);
  const defaults = new Set(inputs);
  for (const name of tensorNames(graph)) if (!defaults.delete(name)) define(name, frame);
  searchNodes(graph.node ?? [], frame);
  for (const { name } of graph.output ?? []) read(name ?? '', frame);
}

function tensorNames({ initializer, sparseInitializer }: GraphProto): string[] {
  const sparse = (sparseInitializer ?? []).map(({ values }) => values?.name ?? '');
  return [...(initializer ?? []).map((tensor) => tensor.name ?? ''), ...sparse];
}

function searchFunction(fn: FunctionProto, search: Search): void {
  const frame = openFrame(`function ${fn.domain ?? ''}:${fn.name ?? ''}`, search);
  for (const name of fn.input ?? []) define(name, frame);
  searchNodes(fn.node ?? [], frame);
  for (const name of fn.output ?? []) read(name, frame);
}

function searchNodes(nodes: readonly NodeProto[], frame: Frame): void {
  for (const [index, node] of nodes.entries()) {
    for (const name of node.input ?? []) read(name, frame);
    for (const body of bodiesOf(node)) {
      const path = `${frame.path}/${node.opType}[${index}].${body.name}`;
      searchGraph(body.graph, openFrame(path, frame.search, frame));
    }
    for (const name of node.output ?? []) define(name, frame);
  }
}

function define(name: string, { own, path, search }: Frame): void {
  if (name !== '' && own.has(name)) search.repeated.push({ name, scope: path });
  own.add(name);
}

function read(name: string, frame: Frame): void {
  if (name === '') return;
  for (let at: Frame | undefined = frame; at !== undefined; at = at.parent) if (at.own.has(name)) return;
  frame.search.unresolved.push({ name, scope: frame.path });
}
