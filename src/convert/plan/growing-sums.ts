import type { ValueGraph, ValueNode } from './value-graph.js';

const sums: ReadonlySet<string> = new Set(['ReduceMean', 'ReduceSum', 'GlobalAveragePool']);

/**
 * Finds squares and exponentials that are summed: x² leaves FP16 at |x| = 256, and variances are made of it.
 *
 * @param graph - The model.
 * @returns The nodes that square or exponentiate, and the sums over them.
 */
export function findGrowingSums(graph: ValueGraph): ReadonlySet<ValueNode> {
  const found = new Set<ValueNode>();
  for (const { nodes } of graph.scopes) {
    for (const node of nodes) {
      if (node.node.opType === 'ReduceSumSquare') found.add(node);
      const source = sums.has(node.node.opType ?? '') ? node.inputs[0]?.producer : undefined;
      if (source !== undefined && isGrowing(source)) found.add(source).add(node);
    }
  }
  return found;
}

function isGrowing({ node, inputs }: ValueNode): boolean {
  if (node.opType === 'Pow' || node.opType === 'Exp') return true;
  return node.opType === 'Mul' && inputs[0] !== undefined && inputs[0] === inputs[1];
}
