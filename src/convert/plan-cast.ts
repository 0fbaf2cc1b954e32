import { findAttribute } from '../onnx/build-node.js';
import { dataTypes, type NodeProto, type TensorProto } from '../onnx/proto.js';
import type { ValueType } from '../onnx/value-type.js';
import { numberFacts } from './constant-facts.js';
import type { NodePlan } from './half-plan.js';
import { keepFloat, markOutputs, type PlanContext } from './plan-half-graph.js';

/** Whole numbers of these types are all within ±2048, where FP16 is exact; FP16 itself and FP32 are floats already. */
const exactSources: ReadonlySet<ValueType> = new Set(['bool', 'int8', 'uint8', 'float16', 'float32']);
/** Integers that may be too large for FP16. */
const countSources: ReadonlySet<ValueType> = new Set([
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
]);

/**
 * Plans a Cast or CastLike: it reads what is stored, and casts to FP16 instead of FLOAT when no integer can be lost.
 *
 * @param node - A Cast, or a CastLike, which takes the type of its second input.
 * @param context - Types and facts; those of the output are added.
 * @returns The plan.
 */
export function planCast(node: NodeProto, context: PlanContext): NodePlan {
  const [input = ''] = node.input ?? [];
  const [output = ''] = node.output ?? [];
  const source = context.types.get(input);
  const facts = context.facts.get(input) ?? { isConstant: false, mark: 'none' as const };
  const counts = countSources.has(source);
  markOutputs(node, context, counts ? { ...facts, mark: 'count' } : facts);
  const givesFloat = context.types.get(output) === 'float32';
  const isSafe = exactSources.has(source) && facts.mark === 'none' && !context.exact.has(output);
  const givesHalf = givesFloat && isSafe;
  const like = node.opType === 'CastLike' ? [givesHalf ? ('half' as const) : ('float' as const)] : [];
  const wants = [context.exact.has(input) ? ('float' as const) : ('stored' as const), ...like];
  if (like.length > 0)
    return { node, wants, givesHalf: [givesHalf], retype: givesHalf ? 'like-to-cast' : 'none' };
  return { node, wants, givesHalf: [givesHalf], retype: givesHalf ? 'cast-to' : 'none' };
}

/**
 * Plans a ConstantOfShape: its one number becomes FP16 when FP16 can hold it.
 *
 * @param node - A ConstantOfShape.
 * @param context - Types and facts; those of the output are added.
 * @returns The plan.
 */
export function planShapeConstant(node: NodeProto, context: PlanContext): NodePlan {
  const [output = ''] = node.output ?? [];
  if (context.types.get(output) !== 'float32' || context.exact.has(output)) return keepFloat(node);
  const number = numberOf(findAttribute(node, 'value')?.t);
  const mark = Number.isNaN(number) ? 'wide' : numberFacts([number]).mark;
  markOutputs(node, context, { isConstant: false, mark });
  if (mark !== 'none') return keepFloat(node);
  return { node, wants: ['float'], givesHalf: [true], retype: 'shape-value' };
}

/**
 * Reads the one number of a ConstantOfShape's `value`.
 *
 * @param tensor - The attribute; absent for 0.
 * @returns The number; NaN for anything but one FP32 number stored inside the model.
 */
export function numberOf(tensor: TensorProto | null | undefined): number {
  if (!tensor) return 0;
  if (tensor.dataType !== dataTypes.float) return Number.NaN;
  if (tensor.floatData?.length === 1) return tensor.floatData[0] ?? Number.NaN;
  const raw = tensor.rawData;
  return raw?.length === 4 ? new DataView(raw.buffer, raw.byteOffset, 4).getFloat32(0, true) : Number.NaN;
}
