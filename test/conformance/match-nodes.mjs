// Finds the nodes of a model again in what a converter made of it, which may have added nodes.
import { controlBodies } from './walk-graphs.mjs';

/**
 * Pairs the nodes of a graph and its bodies with those of a converted graph: by the name of an output, where the same
 * operator still gives it, the others by their order among the operators of their type.
 * @param {import('onnx-proto').onnx.IGraphProto} source - A graph of the source.
 * @param {import('onnx-proto').onnx.IGraphProto} written - The graph in its place.
 * @returns {Map<object, { node: object, graph: object }>} By node of the source: the node and its graph; a node that is not
 *   found again has no entry.
 */
export function matchNodes(source, written) {
  const pairs = new Map();
  matchGraph(source, written, pairs);
  return pairs;
}

function matchGraph(source, written, pairs) {
  const nodes = source.node ?? [];
  const byOutput = new Map();
  for (const node of written.node ?? []) for (const name of node.output ?? []) byOutput.set(name, node);
  const taken = new Set();
  const pair = (node, found) => {
    pairs.set(node, { node: found, graph: written });
    taken.add(found);
  };
  for (const node of nodes) {
    const found = (node.output ?? [])
      .map((name) => byOutput.get(name))
      .find((other) => other && isSameOperator(node, other));
    if (found !== undefined && !taken.has(found)) pair(node, found);
  }
  const left = queueByOperator((written.node ?? []).filter((node) => !taken.has(node)));
  for (const node of nodes.filter((each) => !pairs.has(each))) {
    const found = left.get(operatorOf(node))?.shift();
    if (found !== undefined) pair(node, found);
  }
  for (const node of nodes) matchBodies(node, pairs.get(node)?.node, pairs);
}

function matchBodies(source, written, pairs) {
  if (written === undefined) return;
  const bodies = new Map(controlBodies(written).map(({ name, graph }) => [name, graph]));
  for (const { name, graph } of controlBodies(source)) {
    const other = bodies.get(name);
    if (other !== undefined) matchGraph(graph, other, pairs);
  }
}

function queueByOperator(nodes) {
  const queues = new Map();
  for (const node of nodes) {
    const operator = operatorOf(node);
    const queue = queues.get(operator);
    if (queue === undefined) queues.set(operator, [node]);
    else queue.push(node);
  }
  return queues;
}

/** A CastLike whose type changed is written as a Cast. */
function operatorOf({ domain, opType }) {
  return `${domain === 'ai.onnx' ? '' : (domain ?? '')}:${opType === 'CastLike' ? 'Cast' : opType}`;
}

function isSameOperator(left, right) {
  return operatorOf(left) === operatorOf(right);
}
