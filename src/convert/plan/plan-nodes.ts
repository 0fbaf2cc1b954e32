import { findAttribute } from '../../onnx/build-node.js';
import type { Signature } from '../../onnx/operator-signature.js';
import type { Fp32Rule } from '../convert-options.js';
import { handedShift } from './exact-values.js';
import { isKept, type KeptNames } from './keep-rules.js';
import { keepFloat, type NodeDecision, type NodeDecisions } from './node-decision.js';
import { fp32Reductions, ruleOfOperator } from './operator-traits.js';
import { planCast, planGenerator, planShapeConstant } from './plan-cast.js';
import { planOperator } from './plan-operator.js';
import { takesHalf } from './takes-half.js';
import {
  groupOf,
  isFloat,
  type Mark,
  type Value,
  type ValueGraph,
  type ValueGroup,
  type ValueNode,
} from './value-graph.js';

/** What planning a node may look at. */
export type PlanContext = {
  /** Nodes whose numbers grow beyond FP16 although their inputs do not. */
  readonly growing: ReadonlySet<ValueNode>;
  readonly rules: ReadonlySet<Fp32Rule>;
  readonly keepFp32: KeptNames;
  /** Outputs of the main graph that are to be FP32. */
  readonly floatOutputs: ReadonlySet<Value>;
};

/** Each round takes FP16 from at least one group; nested bodies need one round per level, and nothing needs this many. */
const mostRounds = 64;

const strength: Readonly<Record<Mark, number>> = { none: 0, count: 1, tiny: 2, grown: 3, wide: 4 };

/**
 * Decides for every node which of its type variables become FP16.
 *
 * What goes round a Loop or comes out of the branches of an If depends on what is inside and the other way round:
 * everything is planned as if such values could be FP16, and planned again without those that cannot, until none is left.
 *
 * @param graph - The model; exact values, constants and groups are marked. Marks of what is computed are added.
 * @param context - Rules and wishes.
 * @returns A decision for each node outside of sealed scopes.
 */
export function planNodes(graph: ValueGraph, context: PlanContext): NodeDecisions {
  const groups = listGroups(graph);
  for (let round = 1; ; round += 1) {
    const decisions = new Map<ValueNode, NodeDecision>();
    if (graph.main !== undefined) planScope(graph.main, context, decisions);
    const failed = groups.filter((group) => !group.barred && !fits(group, decisions, round));
    if (failed.length === 0) return decisions;
    for (const group of failed) group.barred = true;
  }
}

function listGroups(graph: ValueGraph): ValueGroup[] {
  const groups = new Set<ValueGroup>();
  for (const { values } of graph.scopes) {
    for (const value of values.values()) {
      const group = groupOf(value);
      if (group !== undefined) groups.add(group);
    }
  }
  return [...groups];
}

function fits(group: ValueGroup, decisions: NodeDecisions, round: number): boolean {
  return round < mostRounds && group.members.every((member) => holdsHalf(member, decisions));
}

function holdsHalf(value: Value, decisions: NodeDecisions): boolean {
  if (value.isExact || value.mark !== 'none' || value.origin === 'sparse') return false;
  const { producer } = value;
  if (producer === undefined || producer.kind === 'control') return true;
  if (producer.kind === 'constant') return findAttribute(producer.node, 'sparse_value') === undefined;
  return decisions.get(producer)?.gives[producer.outputs.indexOf(value)] ?? false;
}

function planScope(
  scope: ValueGraph['scopes'][number],
  context: PlanContext,
  decisions: Map<ValueNode, NodeDecision>,
): void {
  for (const node of scope.nodes) {
    if (node.kind === 'constant') continue;
    if (node.kind === 'control') planControl(node, context, decisions);
    else decisions.set(node, planNode(node, context));
  }
}

function planNode(node: ValueNode, context: PlanContext): NodeDecision {
  const { signature } = node;
  if (signature === undefined) return keepFloat(node, node.isCall ? 'function' : 'unknown-operator');
  // Planned all the same: what its results carry is told to those that read them.
  const decision = planKnown(node, signature, context);
  return isKept(node, context.keepFp32) ? keepFloat(node, 'kept-by-user') : decision;
}

function planKnown(node: ValueNode, signature: Signature, context: PlanContext): NodeDecision {
  const opType = node.node.opType ?? '';
  const slots = [...signature.inputs, ...signature.outputs];
  if (slots.some((slot) => slot.kind === 'not-a-tensor' || slot.repeats === 'each')) {
    return keepFloat(node, 'fp32-only-slot');
  }
  if (takesBits(node)) return keepFloat(node, 'fp32-only-slot');
  if (opType === 'Cast' || opType === 'CastLike') return planCast(node, context);
  if (opType === 'ConstantOfShape') return planShapeConstant(node, context);
  const rule = ruleOfOperator.get(opType);
  if (rule !== undefined && context.rules.has(rule)) {
    if (rule === 'ranges') markOutputs(node, 'count', false);
    return keepFloat(node, takesHalf(node) || rule === 'ranges' ? rule : 'fp32-only-slot');
  }
  if (rule === 'generators') return planGenerator(node);
  if (givesOwnType(node, signature)) return keepFloat(node, 'fp32-only-slot');
  const decision = planOperator(node, signature, context);
  const lacksKernel = fp32Reductions.has(opType) && hasReduction(node);
  return lacksKernel && context.rules.has('missing-kernels') ? keepFloat(node, 'missing-kernels') : decision;
}

/** The bits of a BitCast are the bits of FP32, and a tensor in an attribute has a type of its own. */
function takesBits({ node }: ValueNode): boolean {
  if (node.opType === 'BitCast') return true;
  return node.opType !== 'ConstantOfShape' && (node.attribute ?? []).some(({ t }) => t != null);
}

/** A DequantizeLinear since opset 23: what it gives follows an attribute, or its scale. */
function givesOwnType({ node }: ValueNode, { inputs, outputs }: Signature): boolean {
  return node.opType === 'DequantizeLinear' && inputs.every(({ name }) => name !== outputs[0]?.name);
}

function hasReduction({ node }: ValueNode): boolean {
  const { s } = findAttribute(node, 'reduction') ?? {};
  return s != null && Buffer.from(s).toString('utf8') !== 'none';
}

/** Bodies are planned with what is handed to them, and give what their groups say. */
function planControl(node: ValueNode, context: PlanContext, decisions: Map<ValueNode, NodeDecision>): void {
  const kept = isKept(node, context.keepFp32);
  const shift = handedShift(node);
  const wants = node.inputs.map((): NodeDecision['wants'][number] => 'float');
  for (const body of node.bodies) {
    for (const [index, input] of body.inputs.entries()) {
      if (!isFloat(input)) continue;
      const outer = node.node.opType === 'If' ? undefined : node.inputs[index + shift];
      const group = groupOf(input);
      spreadMark(group, outer?.mark ?? 'none');
      if (group !== undefined && kept) group.barred = true;
      if (outer !== undefined && group?.barred === false) wants[index + shift] = 'half';
    }
    planScope(body, context, decisions);
    for (const output of body.outputs) if (output !== undefined) spreadMark(groupOf(output), output.mark);
  }
  const gives = node.outputs.map((output) => {
    const group = isFloat(output) ? groupOf(output) : undefined;
    if (group !== undefined && kept) group.barred = true;
    return group?.barred === false;
  });
  const isHalf = gives.includes(true) || wants.includes('half');
  const hasFloat = [...node.inputs, ...node.outputs].some(isFloat);
  const reason = isHalf || !hasFloat ? undefined : kept ? 'kept-by-user' : 'shared-value';
  decisions.set(node, { wants, gives, retype: 'none', reason });
}

function spreadMark(group: ValueGroup | undefined, mark: Mark): void {
  if (group === undefined || mark === 'none') return;
  for (const member of group.members) if (strength[member.mark] < strength[mark]) member.mark = mark;
}

/**
 * Notes the same facts for all outputs of a node.
 *
 * @param node - The node.
 * @param mark - What FP16 cannot carry of them.
 * @param isConstant - Whether their numbers are known before the model runs.
 */
export function markOutputs(node: ValueNode, mark: Mark, isConstant: boolean): void {
  for (const output of node.outputs) {
    if (output === undefined) continue;
    output.isConstant = isConstant;
    output.mark = mark;
  }
}
