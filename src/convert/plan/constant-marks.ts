import { floatToHalf, halfToFloat } from '../../half/half-numbers.js';
import { dataTypeOf } from '../../onnx/element-type.js';
import { elementCount } from '../../onnx/tensor-payload.js';
import { typedFieldBytes, typedFieldLength } from '../../onnx/typed-fields.js';
import type { Fp32Rule } from '../convert-options.js';
import type { Mark, Value, ValueGraph } from './value-graph.js';
import { mostConstants, type Weight } from './weight.js';

/** Smallest number that FP16 holds with all its 11 bits: 2^-14. */
const smallestNormal = 2 ** -14;
/** FP16 holds every integer up to this one. */
const largestExactInteger = 2048;

/**
 * Marks the constants of a model that FP16 cannot carry.
 *
 * A single number below FP16's normal range is taken for an epsilon, which keeps a division from meeting 0, and so are
 * a few numbers of which FP16 takes one for 0; in larger tensors such numbers are weights that do not matter.
 *
 * @param graph - Its values are marked: `wide` when a finite number would become infinite, `tiny` for an epsilon.
 * @param weights - Its FP32 tensors.
 * @param rules - The rules that hold.
 */
export function markConstants(
  graph: ValueGraph,
  weights: ReadonlyMap<Value, Weight>,
  rules: ReadonlySet<Fp32Rule>,
): void {
  const set = (value: Value | undefined, mark: Mark): void => {
    const rule = ruleOfMark[mark];
    if (value !== undefined && rule !== undefined && rules.has(rule)) value.mark = mark;
  };
  for (const weight of weights.values()) set(weight.value, markOfWeight(weight));
  for (const { nodes } of graph.scopes) {
    for (const node of nodes) {
      const numbers = node.kind === 'constant' ? attributeNumbers(node.node) : undefined;
      const [value] = node.outputs;
      if (value === undefined || node.kind !== 'constant') continue;
      value.isConstant = true;
      if (numbers === undefined) continue;
      set(value, markOfNumbers(numbers));
      if (value.mark === 'none' && countsBeyond(numbers)) set(value, 'count');
    }
  }
}

/** The result of an overflow or a vanished number that an FP16 copy of a weight would have. */
const ruleOfMark: Readonly<Partial<Record<Mark, Fp32Rule>>> = {
  count: 'integer-values',
  tiny: 'small-numbers',
  wide: 'beyond-fp16',
};

/** Lengths, thresholds and positions: a few whole numbers, one of which FP16 would make another. */
function countsBeyond(numbers: readonly number[]): boolean {
  if (numbers.length > mostConstants || !numbers.every(Number.isInteger)) return false;
  return numbers.some((number) => halfToFloat(floatToHalf(number)) !== number);
}

function markOfWeight(weight: Weight): Mark {
  if ((weight.stats?.overflowCount ?? 0) > 0) return 'wide';
  if (losesConstants(weight)) return 'tiny';
  if (weight.countsBeyond) return 'count';
  return weight.sizeBytes === 4 && isEpsilon(weight.stats?.largest ?? 0) ? 'tiny' : 'none';
}

/**
 * Tells whether FP16 would turn a constant of a formula into 0: a root or a division by 0 may follow. In larger tensors
 * such numbers are weights that do not matter.
 *
 * @param weight - An FP32 tensor.
 * @returns True for a small tensor with a number that would become 0.
 */
export function losesConstants({ stats, sizeBytes }: Weight): boolean {
  return (stats?.underflowCount ?? 0) > 0 && sizeBytes / 4 <= mostConstants;
}

/**
 * Says what FP16 would do to a few numbers.
 *
 * @param numbers - FP32 numbers.
 * @returns `wide` when a finite number would become infinite, `tiny` for an epsilon.
 */
export function markOfNumbers(numbers: readonly number[]): Mark {
  const rounded = numbers.map((number) => halfToFloat(floatToHalf(number)));
  if (numbers.some((number, at) => Number.isFinite(number) && !Number.isFinite(rounded[at]))) return 'wide';
  const vanishes = numbers.some((number, at) => number !== 0 && rounded[at] === 0);
  if (vanishes && numbers.length <= mostConstants) return 'tiny';
  return numbers.length === 1 && isEpsilon(Math.abs(numbers[0] ?? 0)) ? 'tiny' : 'none';
}

function isEpsilon(magnitude: number): boolean {
  return magnitude > 0 && magnitude < smallestNormal;
}

/**
 * Reads the numbers of a Constant that holds them in an attribute.
 *
 * @param node - A Constant.
 * @returns The numbers of `value_float` or `value_floats`; undefined for any other.
 */
export function attributeNumbers(
  node: Value['scope']['nodes'][number]['node'],
): readonly number[] | undefined {
  const [attribute] = node.attribute ?? [];
  if (attribute?.name === 'value_float') return [attribute.f ?? 0];
  return attribute?.name === 'value_floats' ? (attribute.floats ?? []) : undefined;
}

/**
 * Tells whether a value is a few stored integers that FP16 holds exactly.
 *
 * @param value - Any value.
 * @returns False also for integers that are computed.
 */
export function isSmallIntegers(value: Value): boolean {
  const { tensor } = value;
  const type = dataTypeOf(tensor?.dataType);
  if (tensor === undefined || type === undefined || (type.bits !== 32 && type.bits !== 64)) return false;
  const count = elementCount(tensor);
  if (!(count <= mostConstants) || (tensor.externalData ?? []).length > 0) return false;
  const stored = typedFieldLength(tensor) > 0 ? typedFieldBytes(tensor, type) : tensor.rawData;
  if (stored?.length !== (count * type.bits) / 8) return false;
  const bytes = Uint8Array.from(stored).buffer;
  const integers = type.bits === 64 ? [...new BigInt64Array(bytes)].map(Number) : [...new Int32Array(bytes)];
  return integers.every((integer) => Math.abs(integer) <= largestExactInteger);
}
