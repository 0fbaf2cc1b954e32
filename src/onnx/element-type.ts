import type { ElementType } from '../lib/tensor.js';

/** One number of `TensorProto.data_type`. */
export type DataType = {
  readonly code: number;
  /** Our name for it; absent where a tensor of ours cannot hold it. */
  readonly name?: ElementType;
  /** ONNX's name for it, in lower case. */
  readonly onnxName: string;
  /** Bits per element; 0 for strings. */
  readonly bits: number;
};

/**
 * All element types of ONNX.
 *
 * @see https://github.com/onnx/onnx/blob/v1.21.0/onnx/onnx.in.proto `TensorProto.DataType`
 */
const allDataTypes: readonly DataType[] = [
  { code: 1, name: 'float32', onnxName: 'float', bits: 32 },
  { code: 2, name: 'uint8', onnxName: 'uint8', bits: 8 },
  { code: 3, name: 'int8', onnxName: 'int8', bits: 8 },
  { code: 4, name: 'uint16', onnxName: 'uint16', bits: 16 },
  { code: 5, name: 'int16', onnxName: 'int16', bits: 16 },
  { code: 6, name: 'int32', onnxName: 'int32', bits: 32 },
  { code: 7, name: 'int64', onnxName: 'int64', bits: 64 },
  { code: 8, name: 'string', onnxName: 'string', bits: 0 },
  { code: 9, name: 'bool', onnxName: 'bool', bits: 8 },
  { code: 10, name: 'float16', onnxName: 'float16', bits: 16 },
  { code: 11, name: 'float64', onnxName: 'double', bits: 64 },
  { code: 12, name: 'uint32', onnxName: 'uint32', bits: 32 },
  { code: 13, name: 'uint64', onnxName: 'uint64', bits: 64 },
  { code: 14, onnxName: 'complex64', bits: 64 },
  { code: 15, onnxName: 'complex128', bits: 128 },
  { code: 16, name: 'bfloat16', onnxName: 'bfloat16', bits: 16 },
  { code: 17, onnxName: 'float8e4m3fn', bits: 8 },
  { code: 18, onnxName: 'float8e4m3fnuz', bits: 8 },
  { code: 19, onnxName: 'float8e5m2', bits: 8 },
  { code: 20, onnxName: 'float8e5m2fnuz', bits: 8 },
  { code: 21, onnxName: 'uint4', bits: 4 },
  { code: 22, onnxName: 'int4', bits: 4 },
  { code: 23, onnxName: 'float4e2m1', bits: 4 },
  { code: 24, onnxName: 'float8e8m0', bits: 8 },
  { code: 25, onnxName: 'uint2', bits: 2 },
  { code: 26, onnxName: 'int2', bits: 2 },
];

const byCode = new Map(allDataTypes.map((type) => [type.code, type]));
const byOnnxName = new Map(allDataTypes.map((type) => [type.onnxName, type]));

/**
 * Looks an element type up by its number.
 *
 * @param code - `TensorProto.data_type` or `TypeProto.Tensor.elem_type`.
 * @returns The type, or undefined for a number that we do not know.
 */
export function dataTypeOf(code: number | null | undefined): DataType | undefined {
  return code === null || code === undefined ? undefined : byCode.get(code);
}

/**
 * Looks an element type up by ONNX's name, as operator schemas and the oldest Cast spell it.
 *
 * @param onnxName - Such as `float` or `INT64`; capitals do not matter.
 * @returns The type, or undefined for a name that we do not know.
 */
export function dataTypeNamed(onnxName: string): DataType | undefined {
  return byOnnxName.get(onnxName.toLowerCase());
}

/**
 * Finds the number of an element type.
 *
 * @param name - Our name for it.
 * @returns `TensorProto.data_type`.
 */
export function dataTypeCode(name: ElementType): number {
  return allDataTypes.find((type) => type.name === name)?.code ?? 0;
}
