import type { NodeProto } from '../../onnx/proto.js';
import type { Fp32Rule } from '../convert-options.js';
import type { Mark } from './value-graph.js';

/** Inputs, by position, whose values decide a shape, an index or a scale, and so must not be rounded. */
export const exactInputs: Readonly<Record<string, readonly number[]>> = {
  Resize: [1, 2],
  Upsample: [1],
  Range: [0, 1, 2],
  OneHot: [1],
  Split: [1],
  Tile: [1, 2],
  NonMaxSuppression: [3, 4],
};

/** Inputs, by position, that are scales or zero points of quantised numbers. */
export const quantisedInputs: Readonly<Record<string, readonly number[]>> = {
  QuantizeLinear: [1, 2],
  DequantizeLinear: [1, 2],
  QLinearConv: [1, 2, 4, 5, 6, 7],
  QLinearMatMul: [1, 2, 4, 5, 6, 7],
};

/** Operators that pass numbers on one by one, or move them: an exact result needs exact inputs. */
export const lightOperators: ReadonlySet<string> = new Set([
  ...['Abs', 'Add', 'Ceil', 'Clip', 'Div', 'Exp', 'Floor', 'Log', 'Max', 'Min', 'Mod', 'Mul', 'Neg', 'Pow'],
  ...['Reciprocal', 'Round', 'Sign', 'Sqrt', 'Sub', 'Sum', 'Where', 'Identity', 'Range', 'CumSum'],
  ...['Concat', 'Expand', 'Flatten', 'Gather', 'GatherElements', 'GatherND', 'Reshape', 'Slice', 'Split'],
  ...['Squeeze', 'Tile', 'Transpose', 'Unsqueeze', 'Cast', 'CastLike', 'Constant', 'ConstantOfShape'],
  ...['ReduceMax', 'ReduceMin', 'ReduceProd', 'ReduceSum', 'ReduceMean'],
]);

/** Operators that stay FP32 although their slots take FP16, by the rule that says so. */
const ruledOperators: readonly (readonly [Fp32Rule, readonly string[]])[] = [
  // Runtimes lack an FP16 kernel, or the numbers would differ.
  ['generators', ['EyeLike', 'RandomNormal', 'RandomUniform', 'RandomNormalLike', 'RandomUniformLike']],
  ['generators', ['Bernoulli', 'Multinomial', 'BlackmanWindow', 'HammingWindow', 'HannWindow']],
  ['generators', ['MelWeightMatrix']],
  ['ranges', ['Range']],
  // Small scales vanish.
  ['quantisation', ['QuantizeLinear', 'DequantizeLinear', 'QLinearConv', 'QLinearMatMul']],
  ['quantisation', ['DynamicQuantizeLinear']],
  // The expansions of onnxruntime 1.30: the one holds FP32 constants, the other fails for a single picture.
  ['missing-kernels', ['MeanVarianceNormalization', 'AffineGrid']],
];

/** The rule that keeps an operator in FP32, by its name. */
export const ruleOfOperator: ReadonlyMap<string, Fp32Rule> = new Map(
  ruledOperators.flatMap(([rule, names]) => names.map((name) => [name, rule] as const)),
);

/** Operators whose FP16 kernels in onnxruntime 1.30 know no `reduction`. */
export const fp32Reductions: ReadonlySet<string> = new Set(['ScatterElements', 'ScatterND']);

/** Operators whose result is another one when a number changes in its last digit. */
export const comparisons: ReadonlySet<string> = new Set([
  ...['Equal', 'Less', 'LessOrEqual', 'Greater', 'GreaterOrEqual'],
]);

/**
 * Operators whose inputs may have types of their own by the schema, but that onnxruntime 1.30 expands to nodes that take
 * one type only: a query in FP16 beside a mask in FP32 does not load.
 */
export const uniformOperators: ReadonlySet<string> = new Set(['Attention', 'RMSNormalization']);

/** Inputs, by position, that are read as they are stored: the result does not depend on FP16 or FP32. */
export const freeInputs: Readonly<Record<string, readonly number[]>> = {
  Cast: [0],
  CastLike: [0],
  Shape: [0],
  Size: [0],
};

/** Operators beside the light ones that hand on integers beyond 2048 that are all they are fed. */
export const countingOperators: ReadonlySet<string> = new Set(['MatMul', 'Gemm', 'Einsum']);

/** Behind these a number is within [-1, 1] or otherwise bounded again, however large it was. */
const bounding = [
  ...['Softmax', 'LogSoftmax', 'Hardmax', 'Sigmoid', 'HardSigmoid', 'Tanh', 'Erf', 'Softsign', 'Clip', 'Min'],
  ...['Div', 'Reciprocal', 'Sin', 'Cos', 'Atan', 'Sign', 'LayerNormalization', 'InstanceNormalization'],
  ...['GroupNormalization', 'RMSNormalization', 'BatchNormalization', 'LpNormalization', 'Log'],
  ...['Attention', 'LSTM', 'GRU', 'RNN'],
];

/**
 * What ends the need for FP32 behind numbers beyond FP16 (`wide`, `grown`), behind numbers that FP16 takes for 0 (`tiny`), and
 * behind integers beyond 2048 (`count`).
 */
export const settlingOperators: Readonly<Record<Exclude<Mark, 'none'>, ReadonlySet<string>>> = {
  count: new Set(['Reciprocal', 'Log', 'Sign']),
  wide: new Set(bounding),
  grown: new Set(bounding.filter((opType) => opType !== 'Clip' && opType !== 'Min')),
  tiny: new Set([
    ...bounding.filter((opType) => opType !== 'Clip' && opType !== 'Min'),
    ...['Mul', 'MatMul', 'Gemm', 'Conv', 'ConvTranspose', 'Einsum'],
  ]),
};

/**
 * Finds the inputs of a node that a table names.
 *
 * @param table - Positions by operator, such as {@link exactInputs}.
 * @param node - The node.
 * @returns Positions, from 0; none for an operator that is not in the table.
 */
export function positionsIn(
  table: Readonly<Record<string, readonly number[]>>,
  { opType }: NodeProto,
): readonly number[] {
  const name = opType ?? '';
  return (Object.hasOwn(table, name) ? table[name] : undefined) ?? [];
}
