// The graphs that a conversion looks into: the main graph and the bodies of If, Loop and Scan, to any depth.

/** Operators of ONNX's own domain whose bodies are looked into. */
const controlFlow = new Set(['If', 'Loop', 'Scan']);

/**
 * Finds the bodies of a control flow node.
 * @param {import('onnx-proto').onnx.INodeProto} node - Any node.
 * @returns {{ name: string, graph: import('onnx-proto').onnx.IGraphProto }[]} Its bodies; none for other nodes.
 */
export function controlBodies(node) {
  if (!['', 'ai.onnx'].includes(node.domain ?? '') || !controlFlow.has(node.opType ?? '')) return [];
  return (node.attribute ?? []).flatMap(({ name, g }) => (g ? [{ name: name ?? '', graph: g }] : []));
}

/**
 * Lists a graph and the bodies in it.
 * @param {import('onnx-proto').onnx.IGraphProto} graph - The graph.
 * @param {string} path - What it is called; bodies are called after it as the project calls scopes.
 * @returns {{ graph: import('onnx-proto').onnx.IGraphProto, path: string }[]} Outer before inner.
 */
export function listGraphs(graph, path = 'graph') {
  const inner = (graph.node ?? []).flatMap((node, index) =>
    controlBodies(node).flatMap((body) =>
      listGraphs(body.graph, `${path}/${node.opType}[${index}].${body.name}`),
    ),
  );
  return [{ graph, path }, ...inner];
}
