import { type Signature, type Slot, slotAt } from '../../onnx/operator-signature.js';
import type { ValueType } from '../../onnx/value-type.js';
import type { NodeReason } from '../convert-options.js';
import { keepFloat, type NodeDecision, type Want } from './node-decision.js';
import {
  comparisons,
  countingOperators,
  exactInputs,
  freeInputs,
  lightOperators,
  positionsIn,
  settlingOperators,
  uniformOperators,
} from './operator-traits.js';
import { markOutputs, type PlanContext } from './plan-nodes.js';
import { isFloat, type Mark, type Value, type ValueNode } from './value-graph.js';

/**
 * Plans a node of a known operator by its slots: each of its type variables that is bound to FLOAT becomes FP16,
 * unless a slot does not take FP16 or numbers would be lost.
 *
 * @param node - The node.
 * @param signature - Its slots.
 * @param context - The rules; marks of the outputs are added.
 * @returns The decision.
 */
export function planOperator(node: ValueNode, signature: Signature, context: PlanContext): NodeDecision {
  markResults(node, context);
  const free = positionsIn(freeInputs, node.node);
  const whole = reasonForAll(node, context);
  if (whole !== undefined) {
    const wants = node.inputs.map((_input, index): Want => (free.includes(index) ? 'stored' : 'float'));
    return { ...keepFloat(node, whole), wants };
  }
  const refusals = refuseLetters(node, signature, context);
  const refused = [...refusals.values()].find(isReason);
  if (refused !== undefined && uniformOperators.has(node.node.opType ?? '')) return keepFloat(node, refused);
  const isHalf = (slot: Slot | undefined): boolean =>
    slot?.kind === 'variable' && refusals.get(slot.name) === 'none';
  const wants = node.inputs.map((_input, index): Want => {
    if (free.includes(index)) return 'stored';
    return isHalf(slotAt(signature.inputs, index)) ? 'half' : 'float';
  });
  const gives = node.outputs.map(
    (output, index) => isFloat(output) && isHalf(slotAt(signature.outputs, index)),
  );
  if (wants.includes('half') || gives.includes(true))
    return { wants, gives, retype: 'none', reason: undefined };
  return { ...keepFloat(node, refused ?? 'fp32-only-slot'), wants, gives };
}

const flagTypes: ReadonlySet<ValueType> = new Set(['bool', 'int8', 'uint8']);

/** Nodes that stay FP32 as a whole: their results need all digits, grow, or mix with integers beyond 2048. */
function reasonForAll(node: ValueNode, context: PlanContext): NodeReason | undefined {
  const { growing, rules } = context;
  if (growing.has(node) && rules.has('growing-sums')) return 'growing-sums';
  if (rules.has('beyond-fp16') && passesBeyond(node, context)) return 'beyond-fp16';
  if (node.outputs.some((output) => output?.isExact === true)) return 'integer-values';
  const counts = countsFlags(node) || node.inputs.some((input) => isCount(input, node));
  return counts && rules.has('integer-values') ? 'integer-values' : undefined;
}

/** A factor that is stored may be rounded like any other number, a threshold that is compared with may not. */
function isCount(input: Value | undefined, { node }: ValueNode): boolean {
  if (!isFloat(input) || input.mark !== 'count') return false;
  const isStored = input.tensor !== undefined || input.producer?.kind === 'constant';
  return !isStored || comparisons.has(node.opType ?? '');
}

/**
 * Nodes that hand their inputs to an FP32 output of the graph: a mask of -FLT_MAX that an Attention shows in its scores,
 * and the one of several numbers that a Min or Max picks. In FP16 they lose their range and gain nothing.
 */
function passesBeyond({ node, inputs, outputs }: ValueNode, { floatOutputs }: PlanContext): boolean {
  if (node.opType === 'Attention') return isFloat(inputs[3]) && outputs[3] !== undefined;
  const picks = node.opType === 'Min' || node.opType === 'Max';
  return picks && outputs[0] !== undefined && floatOutputs.has(outputs[0]);
}

type Refusal = NodeReason | 'none' | 'not-float';

function isReason(refusal: Refusal): refusal is NodeReason {
  return refusal !== 'none' && refusal !== 'not-float';
}

/** Says of each type variable whether it can become FP16, and why not. */
function refuseLetters(node: ValueNode, signature: Signature, { rules }: PlanContext): Map<string, Refusal> {
  const slots = [...signature.inputs, ...signature.outputs];
  const shaping = rules.has('integer-values') ? positionsIn(exactInputs, node.node) : [];
  const free = positionsIn(freeInputs, node.node);
  const refusals = new Map<string, Refusal>();
  for (const { kind, name } of slots) if (kind === 'variable') refusals.set(name, 'not-float');
  for (const [index, input] of node.inputs.entries()) {
    const slot = slotAt(signature.inputs, index);
    if (slot?.kind !== 'variable' || input === undefined || free.includes(index)) continue;
    const refusal = refuseInput(input, shaping.includes(index));
    const known = refusals.get(slot.name);
    if (known === 'not-float') refusals.set(slot.name, refusal);
    else if (known === 'none' && refusal === 'not-float') refusals.set(slot.name, 'unknown-operator');
    else if (known === 'none') refusals.set(slot.name, refusal);
  }
  for (const slot of slots) {
    if (!slot.allowsHalf && refusals.get(slot.name) === 'none') refusals.set(slot.name, 'fp32-only-slot');
  }
  return refusals;
}

function refuseInput(input: Value, isShaping: boolean): Refusal {
  const { type } = input;
  if (type === 'unknown' || type === 'other') return 'unknown-operator';
  if (type !== 'float32') return 'not-float';
  if (isShaping) return 'integer-values';
  if (input.mark === 'wide') return 'beyond-fp16';
  if (input.mark === 'grown') return 'growing-sums';
  if (input.mark === 'tiny') return 'small-numbers';
  return 'none';
}

function markResults(node: ValueNode, context: PlanContext): void {
  const present = node.inputs.filter((input) => input !== undefined);
  const isConstant = present.length > 0 && present.every((input) => input.isConstant);
  markOutputs(node, resultMark(node, context), isConstant);
}

function resultMark(node: ValueNode, { growing, rules }: PlanContext): Mark {
  const opType = node.node.opType ?? '';
  const floats = node.inputs.filter(isFloat);
  const marks = new Set(floats.map(({ mark }) => mark));
  if (growing.has(node) && rules.has('growing-sums')) marks.add('grown');
  const strong = (['wide', 'grown', 'tiny'] as const).find(
    (kind) => marks.has(kind) && !settlingOperators[kind].has(opType),
  );
  if (strong !== undefined) return strong;
  return handsOnCount(node) ? 'count' : 'none';
}

/** Integers beyond 2048 stay such through light operators, unless something else than constants comes in or they end. */
/** A CumSum over a mask numbers positions, without a bound. */
function countsFlags({ node, inputs }: ValueNode): boolean {
  const source = node.opType === 'CumSum' ? inputs[0]?.producer : undefined;
  return (
    source?.node.opType?.startsWith('Cast') === true && flagTypes.has(source.inputs[0]?.type ?? 'unknown')
  );
}

function handsOnCount(node: ValueNode): boolean {
  if (countsFlags(node)) return true;
  const opType = node.node.opType ?? '';
  if (!lightOperators.has(opType) && !countingOperators.has(opType)) return false;
  if (settlingOperators.count.has(opType)) return false;
  const running = node.inputs.filter(isFloat).filter(({ isConstant }) => !isConstant);
  // One through a count is within [-1, 1] if the one is.
  const isInverse = opType === 'Div' && node.inputs[0]?.isConstant === true;
  return running.length > 0 && !isInverse && running.every(({ mark }) => mark === 'count');
}
