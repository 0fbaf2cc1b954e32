import { findAttribute } from '../../onnx/build-node.js';
import { normaliseDomain } from '../../onnx/graph-walk.js';
import type { NodeProto, TensorProto } from '../../onnx/proto.js';

/**
 * Tells whether a node is ONNX's Constant.
 *
 * @param node - The node.
 * @returns True also for a Constant that holds something else than a tensor.
 */
export function isConstantNode(node: NodeProto): boolean {
  return node.opType === 'Constant' && normaliseDomain(node.domain) === '';
}

/**
 * Finds the dense tensor of a Constant.
 *
 * @param node - Any node.
 * @returns The tensor in its `value`; undefined for other nodes and for a Constant that holds something else.
 */
export function storedTensor(node: NodeProto): TensorProto | undefined {
  return isConstantNode(node) ? (findAttribute(node, 'value')?.t ?? undefined) : undefined;
}
