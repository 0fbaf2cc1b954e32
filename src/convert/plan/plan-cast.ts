import { attributeNaming } from '../../onnx/attribute-types.js';
import { findAttribute } from '../../onnx/build-node.js';
import { dataTypes, type TensorProto } from '../../onnx/proto.js';
import type { ValueType } from '../../onnx/value-type.js';
import type { Fp32Rule, NodeReason } from '../convert-options.js';
import { isSmallIntegers, markOfNumbers } from './constant-marks.js';
import { keepFloat, type NodeDecision } from './node-decision.js';
import { markOutputs, type PlanContext } from './plan-nodes.js';
import { isFloat, type Mark, type Value, type ValueNode } from './value-graph.js';

/** Integers that may be too large for FP16; it holds those of 8 bits. */
const countSources: ReadonlySet<ValueType> = new Set([
  ...(['int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'] as const),
]);
/** What has a larger range than FP16, and a text, which may say anything. */
const wideSources: ReadonlySet<ValueType> = new Set(['float64', 'bfloat16', 'string']);

/**
 * Plans a Cast or CastLike: it reads what is stored, and casts to FP16 instead of FLOAT when no integer can be lost.
 *
 * @param node - A Cast, or a CastLike, which takes the type of its second input.
 * @param context - The rules; the mark of the output is added.
 * @returns The decision.
 */
export function planCast(node: ValueNode, { rules }: PlanContext): NodeDecision {
  const [input] = node.inputs;
  const [output] = node.outputs;
  const mark = rules.has('integer-values') ? castMark(input) : (input?.mark ?? 'none');
  markOutputs(node, mark, input?.isConstant ?? false);
  const refusal = output?.isExact === true ? 'integer-values' : refuseSource(input, mark, rules);
  // What a CastLike looks at for its type only is not read: it becomes a Cast where that changed.
  const wants = node.inputs.map((value, index) =>
    index === 0 && value?.isExact === true ? ('float' as const) : ('stored' as const),
  );
  const kept = { ...keepFloat(node, refusal ?? 'integer-values'), wants };
  // What does not give FP32 takes what it reads in any form, unless it needs all its digits.
  if (!isFloat(output)) return input?.isExact === true ? kept : { ...kept, reason: undefined };
  if (refusal !== undefined) return kept;
  const retype = node.node.opType === 'CastLike' ? 'like-to-cast' : { attribute: 'to' };
  return { wants, gives: [true], retype, reason: undefined };
}

/** Why what a Cast reads must not become FP16 at once. */
function refuseSource(
  input: Value | undefined,
  mark: Mark,
  rules: ReadonlySet<Fp32Rule>,
): NodeReason | undefined {
  const source = input?.type ?? 'unknown';
  if (source === 'unknown') return 'unknown-operator';
  const isWide = mark === 'wide' || (wideSources.has(source) && rules.has('beyond-fp16'));
  if (isWide) return 'beyond-fp16';
  if (mark === 'grown') return 'growing-sums';
  if (mark === 'tiny') return 'small-numbers';
  if (mark === 'count') return 'integer-values';
  // The formats of 2, 4 and 8 bits, for which few runtimes have a Cast to FP16.
  return source === 'other' && rules.has('missing-kernels') ? 'missing-kernels' : undefined;
}

function castMark(input: Value | undefined): Mark {
  if (input === undefined) return 'none';
  return countSources.has(input.type) && !isSmallIntegers(input) ? 'count' : input.mark;
}

/**
 * Plans a ConstantOfShape: its one number becomes FP16 when FP16 can hold it.
 *
 * @param node - A ConstantOfShape.
 * @param context - The rules; the mark of the output is added.
 * @returns The decision.
 */
export function planShapeConstant(node: ValueNode, { rules }: PlanContext): NodeDecision {
  const [output] = node.outputs;
  const tensor = findAttribute(node.node, 'value')?.t;
  const number = numberOf(tensor);
  if (!isFloat(output) || number === undefined) return keepFloat(node, 'fp32-only-slot');
  const mark = markOfNumbers([number]);
  const rule = mark === 'wide' ? 'beyond-fp16' : 'small-numbers';
  if (output.isExact) return keepFloat(node, 'integer-values');
  if (mark !== 'none' && rules.has(rule)) {
    markOutputs(node, mark, false);
    return keepFloat(node, rule);
  }
  markOutputs(node, 'none', false);
  return { wants: node.inputs.map(() => 'float'), gives: [true], retype: 'shape-value', reason: undefined };
}

/**
 * Plans a node that makes numbers of the type that an attribute names, once the rule for such nodes is off.
 *
 * @param node - Such as RandomNormal or HannWindow.
 * @returns The decision.
 */
export function planGenerator(node: ValueNode): NodeDecision {
  const attribute = attributeNaming(node.node.opType ?? '');
  const [output] = node.outputs;
  if (!isFloat(output) || attribute === undefined || output.isExact) return keepFloat(node, 'fp32-only-slot');
  return {
    wants: node.inputs.map(() => 'stored'),
    gives: node.outputs.map(isFloat),
    retype: { attribute },
    reason: undefined,
  };
}

/**
 * Reads the one number of a ConstantOfShape's `value`.
 *
 * @param tensor - The attribute; absent for 0.
 * @returns The number; undefined for anything but one FP32 number stored inside the model.
 */
export function numberOf(tensor: TensorProto | null | undefined): number | undefined {
  if (!tensor) return 0;
  if (tensor.dataType !== dataTypes.float) return undefined;
  if (tensor.floatData?.length === 1) return tensor.floatData[0];
  const raw = tensor.rawData;
  return raw?.length === 4 ? new DataView(raw.buffer, raw.byteOffset, 4).getFloat32(0, true) : undefined;
}
