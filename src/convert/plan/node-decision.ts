import type { NodeReason } from '../convert-options.js';
import { isFloat, type ValueNode } from './value-graph.js';

/** How a node wants to read an input: as FP16, as FP32, or as it is stored. */
export type Want = 'half' | 'float' | 'stored';

/** What becomes of one node. */
export type NodeDecision = {
  /** By input position. */
  readonly wants: readonly Want[];
  /** By output position: whether the node gives FP16 where it gave FP32. */
  readonly gives: readonly boolean[];
  /** An attribute that must say FP16 as well: the one of that name, or what a ConstantOfShape holds. */
  readonly retype: 'none' | 'shape-value' | 'like-to-cast' | { readonly attribute: string };
  /** Why it stays FP32 although it reads or gives FP32; undefined for a node that became FP16 or has no FP32 value. */
  readonly reason: NodeReason | undefined;
};

/** What becomes of each node of a model. */
export type NodeDecisions = ReadonlyMap<ValueNode, NodeDecision>;

/**
 * Leaves a node as it is: FP32 in, FP32 out.
 *
 * @param node - The node.
 * @param reason - Why.
 * @returns The decision.
 */
export function keepFloat({ inputs, outputs }: ValueNode, reason: NodeReason): NodeDecision {
  const hasFloat = [...inputs, ...outputs].some(isFloat);
  return {
    wants: inputs.map(() => 'float'),
    gives: outputs.map(() => false),
    retype: 'none',
    reason: hasFloat ? reason : undefined,
  };
}
