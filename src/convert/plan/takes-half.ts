import { type Slot, slotAt } from '../../onnx/operator-signature.js';
import { isFloat, type ValueNode } from './value-graph.js';

/**
 * Tells whether the slots of an operator let some of a node's FLOAT values be FP16.
 *
 * @param node - The node.
 * @returns False also for operators that we do not know.
 */
export function takesHalf({ signature, inputs, outputs }: ValueNode): boolean {
  if (signature === undefined) return false;
  const allows = (values: ValueNode['inputs'], slots: readonly Slot[]): boolean =>
    values.some((value, index) => isFloat(value) && slotAt(slots, index)?.allowsHalf === true);
  return allows(inputs, signature.inputs) || allows(outputs, signature.outputs);
}
