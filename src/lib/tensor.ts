/** Element types a tensor of ours can have, in ONNX's spelling. */
export const elementTypes = [
  'float32',
  'float16',
  'float64',
  'bfloat16',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'bool',
  'string',
] as const;
/** One of {@link elementTypes}. */
export type ElementType = (typeof elementTypes)[number];

/** The elements of a tensor in row-major order; `float16` and `bfloat16` as bit patterns, `bool` as 0 and 1. */
export type TensorData =
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | readonly string[];

/** A dense tensor; `data.length` is the product of `dims` (1 for a scalar, 0 with a zero dimension). */
export type Tensor = {
  readonly type: ElementType;
  readonly dims: readonly number[];
  readonly data: TensorData;
};

/** Tensors by the name of the model input or output they belong to. */
export type NamedTensors = Readonly<Record<string, Tensor>>;

/** What a model declares of one input or output; symbolic axes are names, an unnamed unknown axis is `'?'`. */
export type ValueSpec = {
  readonly name: string;
  readonly isTensor: boolean;
  /** Absent when it is no tensor or of a type that we do not know. */
  readonly type?: ElementType;
  readonly dims: readonly (number | string)[];
};
