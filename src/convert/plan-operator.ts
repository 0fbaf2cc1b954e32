import { type Signature, type Slot, slotAt } from '../onnx/operator-signature.js';
import type { NodeProto } from '../onnx/proto.js';
import type { Mark, NodePlan, Want } from './half-plan.js';
import { exactInputs, freeInputs, lightOperators, settlingOperators } from './operator-traits.js';
import { markOutputs, type PlanContext } from './plan-half-graph.js';

type InputFacts = {
  readonly slot: Slot | undefined;
  readonly isPresent: boolean;
  readonly isFloat: boolean;
  readonly isConstant: boolean;
  readonly mark: Mark;
};

/**
 * Plans a node of a known operator by its slots: each of its type variables that is bound to FLOAT becomes FP16,
 * unless a slot does not take FP16 or numbers would be lost.
 *
 * @param node - The node.
 * @param signature - Its slots.
 * @param context - Types and facts; those of the outputs are added.
 * @returns The plan.
 */
export function planOperator(node: NodeProto, signature: Signature, context: PlanContext): NodePlan {
  const inputs = inputFacts(node, signature, context);
  const half = halfVariables(node, signature, inputs, context);
  noteOutputs(node, inputs, context);
  const free = positionsOf(freeInputs, node);
  const isHalf = (slot: Slot | undefined): boolean => slot?.kind === 'variable' && half.has(slot.name);
  return {
    node,
    wants: inputs.map(({ slot }, index): Want => {
      if (free.includes(index)) return 'stored';
      return isHalf(slot) ? 'half' : 'float';
    }),
    givesHalf: (node.output ?? []).map((_name, index) => isHalf(slotAt(signature.outputs, index))),
    retype: 'none',
  };
}

function inputFacts(node: NodeProto, signature: Signature, context: PlanContext): InputFacts[] {
  return (node.input ?? []).map((name, index) => {
    const facts = context.facts.get(name);
    return {
      slot: slotAt(signature.inputs, index),
      isPresent: name !== '',
      isFloat: name !== '' && context.types.get(name) === 'float32',
      isConstant: facts?.isConstant ?? false,
      mark: facts?.mark ?? 'none',
    };
  });
}

function halfVariables(
  node: NodeProto,
  signature: Signature,
  inputs: readonly InputFacts[],
  context: PlanContext,
): Set<string> {
  const letters = new Set(inputs.flatMap(({ slot }) => (slot?.kind === 'variable' ? [slot.name] : [])));
  if (staysWhole(node, inputs, context)) return new Set();
  const shaping = positionsOf(exactInputs, node);
  const free = positionsOf(freeInputs, node);
  for (const letter of letters) {
    const all = [...signature.inputs, ...signature.outputs].filter((slot) => slot.name === letter);
    const allows = all.every((slot) => slot.allowsHalf);
    const fits = inputs.every(
      (input, index) =>
        input.slot?.name !== letter ||
        !input.isPresent ||
        (input.isFloat && (input.mark === 'none' || input.mark === 'count') && !shaping.includes(index)),
    );
    const isRead = inputs.some((input, index) => input.slot?.name === letter && !free.includes(index));
    if (!allows || !fits || !isRead) letters.delete(letter);
  }
  return letters;
}

/** Nodes that stay FP32 as a whole: their results need all digits, grow, or only count. */
function staysWhole(node: NodeProto, inputs: readonly InputFacts[], context: PlanContext): boolean {
  if (context.growing.has(node)) return true;
  if ((node.output ?? []).some((name) => context.exact.has(name))) return true;
  return onlyCounts(inputs);
}

function onlyCounts(inputs: readonly InputFacts[]): boolean {
  const running = inputs.filter(({ isFloat, isConstant }) => isFloat && !isConstant);
  return running.length > 0 && running.every(({ mark }) => mark !== 'none');
}

function noteOutputs(node: NodeProto, inputs: readonly InputFacts[], context: PlanContext): void {
  const opType = node.opType ?? '';
  const marks = new Set(inputs.filter(({ isFloat }) => isFloat).map(({ mark }) => mark));
  if (context.growing.has(node)) marks.add('wide').add('tiny');
  const isConstant = inputs.length > 0 && inputs.every((input) => input.isConstant || !input.isPresent);
  const mark = (['wide', 'tiny'] as const).find((kind) => marks.has(kind) && !settles(kind, opType));
  const counts = onlyCounts(inputs) && lightOperators.has(opType);
  markOutputs(node, context, { isConstant, mark: mark ?? (counts ? 'count' : 'none') });
}

function settles(kind: 'wide' | 'tiny', opType: string): boolean {
  return settlingOperators[kind].has(opType);
}

function positionsOf(table: Readonly<Record<string, readonly number[]>>, node: NodeProto): readonly number[] {
  const opType = node.opType ?? '';
  return (Object.hasOwn(table, opType) ? table[opType] : undefined) ?? [];
}
