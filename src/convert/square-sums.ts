import type { NodeProto } from '../onnx/proto.js';

const sums: ReadonlySet<string> = new Set(['ReduceMean', 'ReduceSum', 'GlobalAveragePool']);

/**
 * Finds squares and exponentials that are summed: x² leaves FP16 at |x| = 256, and variances are made of it.
 *
 * @param nodes - The nodes of the main graph.
 * @returns The nodes that square or exponentiate, and the sums over them.
 */
export function findSquareSums(nodes: readonly NodeProto[]): ReadonlySet<NodeProto> {
  const growing = new Map<string, NodeProto>();
  for (const node of nodes) {
    const [left, right] = node.input ?? [];
    const isSquare = node.opType === 'Mul' && left === right;
    const isPower = node.opType === 'Pow' || node.opType === 'Exp';
    if (isSquare || isPower) growing.set(node.output?.[0] ?? '', node);
  }
  const found = new Set<NodeProto>();
  for (const node of nodes) {
    const source = sums.has(node.opType ?? '') ? growing.get(node.input?.[0] ?? '') : undefined;
    if (source !== undefined) found.add(source).add(node);
  }
  return found;
}
