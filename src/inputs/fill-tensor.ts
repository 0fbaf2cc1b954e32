import { floatToHalf } from '../half/half-numbers.js';
import type { ElementType, Tensor, TensorData } from '../lib/tensor.js';
import { countElements, makeElements, type NumericType } from './element-array.js';
import type { InputSpec } from './input-spec.js';
import { openStream } from './seeded-stream.js';

type IntegerType = Exclude<NumericType, RealType>;
type RealType = 'float32' | 'float16' | 'float64' | 'bfloat16';

const integerRanges: Readonly<Record<IntegerType, readonly [min: number, max: number]>> = {
  int8: [-128, 127],
  int16: [-32_768, 32_767],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint8: [0, 255],
  uint16: [0, 65_535],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, Number.MAX_SAFE_INTEGER],
  bool: [0, 1],
};

const realLimits: Readonly<Partial<Record<NumericType, number>>> = {
  float32: 3.4028234663852886e38,
  float16: 65_504,
  float64: Number.MAX_VALUE,
};

/**
 * Finds what cannot be made of a request before anything is made.
 *
 * @param type - The input's element type.
 * @param spec - What is asked for.
 * @returns What is wrong, or undefined.
 */
export function findFillProblem(type: ElementType, spec: InputSpec): string | undefined {
  if (type === 'string' || type === 'bfloat16') return `holds ${type}, which can only be given as a \`file\``;
  if (spec.fill === 'constant' && spec.value === undefined)
    return 'is to be constant, but no `value` is given';
  if (spec.value !== undefined && spec.fill !== 'constant')
    return 'has a `value`, which goes with `fill: constant`';
  if (spec.fill === 'normal' && !isReal(type))
    return `is ${type}, which cannot be normal; use \`fill: uniform\` with \`min\` and \`max\``;
  const hasRange = spec.min !== undefined || spec.max !== undefined;
  if (hasRange && spec.fill !== undefined && spec.fill !== 'uniform')
    return `has \`min\` or \`max\`, which go with \`fill: uniform\`, not ${spec.fill}`;
  const { min = 0, max = 1 } = spec;
  if (min > max) return `has \`min\` ${min} above \`max\` ${max}`;
  if (spec.seed !== undefined && !Number.isSafeInteger(spec.seed))
    return `has the seed ${spec.seed}, no whole number`;
  return [spec.value ?? 0, min, max].map((value) => findValueProblem(type, value)).find(Boolean);
}

function findValueProblem(
  type: Exclude<ElementType, 'string' | 'bfloat16'>,
  value: number,
): string | undefined {
  const range = isReal(type) ? undefined : integerRanges[type];
  const limit = realLimits[type] ?? 0;
  const [min, max] = range ?? [-limit, limit];
  if (!(value >= min && value <= max)) return `is ${type}, which does not hold ${value}`;
  return range !== undefined && !Number.isInteger(value)
    ? `is ${type}, which does not hold ${value}`
    : undefined;
}

function isReal(type: NumericType): type is RealType {
  return type === 'float32' || type === 'float16' || type === 'float64' || type === 'bfloat16';
}

/**
 * Tells whether integers are made that nobody described: a model may take them for token or class numbers, and 0 and 1
 * prove little then. Of a bool these are all that there is.
 *
 * @param type - The input's element type.
 * @param spec - What is asked for.
 * @returns True when neither elements nor a range are asked for.
 */
export function isIntegerAssumed(type: ElementType, spec: InputSpec): boolean {
  if (type === 'string' || type === 'bool' || isReal(type)) return false;
  return [spec.file, spec.fill, spec.min, spec.max].every((asked) => asked === undefined);
}

/**
 * Makes the elements that were asked for; the same name, shape and request give the same bytes on every platform.
 *
 * @param name - The input's name; it selects the random stream.
 * @param type - A numeric element type without a {@link findFillProblem}.
 * @param dims - Sizes of the axes.
 * @param spec - What is asked for.
 * @returns The tensor.
 */
export function fillTensor(
  name: string,
  type: NumericType,
  dims: readonly number[],
  spec: InputSpec,
): Tensor {
  const next = makeSource(name, type, spec);
  const data: TensorData = makeElements(type, countElements(dims));
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    for (let at = 0; at < data.length; at += 1) data[at] = BigInt(next());
  } else if (type === 'float16') {
    for (let at = 0; at < data.length; at += 1) data[at] = floatToHalf(next());
  } else {
    for (let at = 0; at < data.length; at += 1) data[at] = next();
  }
  return { type, dims, data };
}

function makeSource(name: string, type: NumericType, spec: InputSpec): () => number {
  const { min = 0, max = 1, seed = 0, value = 0 } = spec;
  const hasRange = spec.min !== undefined || spec.max !== undefined;
  const fill = spec.fill ?? (hasRange ? 'uniform' : 'normal');
  if (fill === 'zeros') return () => 0;
  if (fill === 'ones') return () => 1;
  if (fill === 'constant') return () => value;
  const stream = openStream(seed, name);
  if (!isReal(type)) return () => stream.integer(min, max);
  return fill === 'normal' ? stream.normal : () => min + (max - min) * stream.uniform();
}
