import { findAttribute } from '../onnx/build-node.js';
import { bodiesOf, normaliseDomain } from '../onnx/graph-walk.js';
import { calledFunction, type TypeScope, type TypingModel } from '../onnx/infer-types.js';
import { findSignature, type Signature } from '../onnx/operator-signature.js';
import type { NodeProto } from '../onnx/proto.js';
import type { NodePlan, ValueFacts } from './half-plan.js';
import { fp32Operators, fp32Reductions } from './operator-traits.js';
import { planCast, planShapeConstant } from './plan-cast.js';
import { planOperator } from './plan-operator.js';

/** What planning a node may look at. */
export type PlanContext = {
  readonly types: TypeScope;
  readonly typing: TypingModel;
  /** Values that must keep all their digits. */
  readonly exact: ReadonlySet<string>;
  /** Nodes whose numbers grow beyond FP16 although their inputs do not. */
  readonly growing: ReadonlySet<NodeProto>;
  /** By value name; those of a node are added when it is planned. */
  readonly facts: Map<string, ValueFacts>;
};

/**
 * Decides for each node of the main graph which of its type variables become FP16.
 *
 * @param nodes - In dependency order.
 * @param context - Types and facts; the facts of each node's outputs are added.
 * @returns A plan per node in the same order.
 */
export function planHalfGraph(nodes: readonly NodeProto[], context: PlanContext): NodePlan[] {
  return nodes.map((node) => planNode(node, context));
}

function planNode(node: NodeProto, context: PlanContext): NodePlan {
  const opType = node.opType ?? '';
  const signature = signatureOf(node, context.typing);
  if (signature === undefined || isBarrier(signature)) return keepFloat(node);
  if (opType === 'Cast' || opType === 'CastLike') return planCast(node, context);
  if (opType === 'ConstantOfShape') return planShapeConstant(node, context);
  if (fp32Operators.has(opType)) {
    if (opType === 'Range') markOutputs(node, context, { isConstant: false, mark: 'count' });
    return keepFloat(node);
  }
  if (fp32Reductions.has(opType) && findAttribute(node, 'reduction') !== undefined) return keepFloat(node);
  return planOperator(node, signature, context);
}

/** Functions, bodies and operators of other domains are not looked into. */
function signatureOf(node: NodeProto, typing: TypingModel): Signature | undefined {
  const domain = normaliseDomain(node.domain);
  if (domain !== '' || bodiesOf(node).length > 0 || calledFunction(node, typing) !== undefined)
    return undefined;
  return findSignature(domain, node.opType ?? '', typing.opsets.get(domain) ?? 0);
}

function isBarrier({ inputs, outputs }: Signature): boolean {
  return [...inputs, ...outputs].some((slot) => slot.kind === 'not-a-tensor' || slot.repeats === 'each');
}

/**
 * Plans a node that stays as it is: FP32 in, FP32 out.
 *
 * @param node - The node.
 * @returns Its plan.
 */
export function keepFloat(node: NodeProto): NodePlan {
  return {
    node,
    wants: (node.input ?? []).map(() => 'float'),
    givesHalf: (node.output ?? []).map(() => false),
    retype: 'none',
  };
}

/**
 * Notes the same facts for all outputs of a node.
 *
 * @param node - The node.
 * @param context - Where the facts are kept.
 * @param facts - The facts.
 */
export function markOutputs(node: NodeProto, context: PlanContext, facts: ValueFacts): void {
  for (const name of node.output ?? []) context.facts.set(name, facts);
}
