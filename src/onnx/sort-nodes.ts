import { rememberResult } from '../lib/remember-result.js';
import { bodiesOf } from './graph-walk.js';
import type { GraphProto, NodeProto } from './proto.js';

/**
 * Lists the names that a node reads: its inputs and whatever its bodies may take from the scopes around them.
 *
 * A body may not give a name of its own to a value that exists outside, so that every name found in a body counts.
 *
 * @param node - The node.
 * @returns Names, possibly repeated; among them the bodies' own.
 */
function namesReadBy(node: NodeProto): string[] {
  return [...(node.input ?? []), ...namesReadInBodies(node)].filter((name) => name !== '');
}

/**
 * Lists the names that the bodies of a node read.
 *
 * @param node - The node.
 * @returns Names, possibly repeated; among them the bodies' own.
 */
function namesReadInBodies(node: NodeProto): string[] {
  return bodiesOf(node).flatMap(({ graph }) => namesReadInGraph(graph));
}

function namesReadInGraph(graph: GraphProto): string[] {
  const outputs = (graph.output ?? []).map((output) => output.name ?? '');
  return [...(graph.node ?? []).flatMap(namesReadBy), ...outputs];
}

/**
 * Puts nodes into dependency order, captures of bodies included; nodes that are in order already do not move.
 *
 * @param nodes - The nodes of one scope.
 * @returns The same nodes; those of a cycle come last, as they were.
 */
export const sortNodes: (nodes: readonly NodeProto[]) => readonly NodeProto[] = rememberResult(orderNodes);

function orderNodes(nodes: readonly NodeProto[]): readonly NodeProto[] {
  const producer = indexProducers(nodes);
  if (isSorted(nodes, producer)) return nodes;
  const sorted: NodeProto[] = [];
  const state = new Uint8Array(nodes.length);
  for (let root = 0; root < nodes.length; root += 1) visit(root, { nodes, producer, state, sorted });
  return sorted;
}

/**
 * Finds a node that needs what is computed from its own results, which no order can satisfy.
 *
 * @param nodes - The nodes of one scope.
 * @returns The first such node; undefined when the nodes can be put into dependency order.
 */
export function findCycle(nodes: readonly NodeProto[]): NodeProto | undefined {
  const sorted = sortNodes(nodes);
  // Nodes that did not have to be moved are in order.
  if (sorted === nodes) return undefined;
  const producer = indexProducers(sorted);
  return sorted.find((node, index) => !isInPlace(node, index, producer));
}

function indexProducers(nodes: readonly NodeProto[]): Map<string, number> {
  const producer = new Map<string, number>();
  for (const [index, node] of nodes.entries()) {
    for (const name of node.output ?? []) if (name !== '') producer.set(name, index);
  }
  return producer;
}

/** Nearly every model is in order. */
function isSorted(nodes: readonly NodeProto[], producer: ReadonlyMap<string, number>): boolean {
  return nodes.every((node, index) => isInPlace(node, index, producer));
}

function isInPlace(node: NodeProto, index: number, producer: ReadonlyMap<string, number>): boolean {
  const isEarlier = (name: string): boolean => (producer.get(name) ?? -1) < index;
  return (node.input ?? []).every(isEarlier) && namesReadInBodies(node).every(isEarlier);
}

type Visit = {
  readonly nodes: readonly NodeProto[];
  readonly producer: ReadonlyMap<string, number>;
  /** 0 not seen, 1 waiting for its inputs, 2 placed. */
  readonly state: Uint8Array;
  readonly sorted: NodeProto[];
};

/** Depth first with a stack of our own: a chain of 100,000 nodes in reverse order must not overflow. */
function visit(root: number, { nodes, producer, state, sorted }: Visit): void {
  const stack = [root];
  for (let index = stack.at(-1); index !== undefined; index = stack.at(-1)) {
    const node = nodes[index];
    if (node === undefined || state[index] === 2) {
      stack.pop();
      continue;
    }
    const missing = state[index] === 1 ? [] : missingProducers(node, producer, state);
    state[index] = 1;
    if (missing.length > 0) {
      // One by one: a node may read more values than a call takes arguments.
      for (const needed of missing.reverse()) stack.push(needed);
      continue;
    }
    state[index] = 2;
    sorted.push(node);
    stack.pop();
  }
}

function missingProducers(
  node: NodeProto,
  producer: ReadonlyMap<string, number>,
  state: Uint8Array,
): number[] {
  const found = new Set<number>();
  for (const name of namesReadBy(node)) {
    const index = producer.get(name);
    if (index !== undefined && state[index] === 0) found.add(index);
  }
  return [...found];
}
