import type { DataType } from './element-type.js';
import type { TensorProto } from './proto.js';
import { payloadFields } from './tensor-fields.js';

/**
 * Counts the entries of a tensor's typed fields, whichever is in use.
 *
 * @param tensor - The tensor.
 * @returns Entries of `float_data`, `int32_data`, `int64_data`, `double_data` and `uint64_data` together.
 */
export function typedFieldLength(tensor: TensorProto): number {
  return (
    (tensor.floatData?.length ?? 0) +
    (tensor.int32Data?.length ?? 0) +
    (tensor.int64Data?.length ?? 0) +
    (tensor.doubleData?.length ?? 0) +
    (tensor.uint64Data?.length ?? 0)
  );
}

/**
 * Says which typed field holds the elements of a type.
 *
 * Types of 16 bits and less come one per `int32_data` entry, those of 4 bits two per entry, complex numbers as two
 * entries each.
 *
 * @param type - The element type; not `string`.
 * @returns Its number in TensorProto.
 * @see https://github.com/onnx/onnx/blob/v1.21.0/onnx/onnx.in.proto `TensorProto`
 */
export function typedFieldOf(type: DataType): number {
  switch (type.onnxName) {
    case 'float':
    case 'complex64':
      return payloadFields.floats;
    case 'double':
    case 'complex128':
      return payloadFields.doubles;
    case 'int64':
      return payloadFields.int64s;
    case 'uint64':
    case 'uint32':
      return payloadFields.uint64s;
    default:
      return payloadFields.int32s;
  }
}

/**
 * Turns the typed field of a tensor into the bytes that `raw_data` would hold.
 *
 * @param tensor - A tensor that uses typed fields.
 * @param type - Its element type.
 * @returns Little-endian bytes; another length than the shape needs when the field has another number of entries.
 */
export function typedFieldBytes(tensor: TensorProto, type: DataType): Uint8Array {
  switch (typedFieldOf(type)) {
    case payloadFields.floats:
      return bytesOf(Float32Array.from(tensor.floatData ?? []));
    case payloadFields.doubles:
      return bytesOf(Float64Array.from(tensor.doubleData ?? []));
    case payloadFields.int64s:
      return bytesOf(BigInt64Array.from(tensor.int64Data ?? [], (entry) => BigInt(entry.toString())));
    case payloadFields.uint64s:
      if (type.bits === 32) return bytesOf(Uint32Array.from(tensor.uint64Data ?? [], Number));
      return bytesOf(BigUint64Array.from(tensor.uint64Data ?? [], (entry) => BigInt(entry.toString())));
    default:
      return narrowBytes(tensor.int32Data ?? [], type.bits);
  }
}

function narrowBytes(entries: readonly number[], bits: number): Uint8Array {
  if (bits === 32) return bytesOf(Int32Array.from(entries));
  return bytesOf(bits === 16 ? Uint16Array.from(entries) : Uint8Array.from(entries));
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
