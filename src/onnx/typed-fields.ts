import type { DataType } from './element-type.js';
import type { TensorProto } from './proto.js';

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
 * Turns the typed field of a tensor into the bytes that `raw_data` would hold.
 *
 * Types of 16 bits and less come one per `int32_data` entry, those of 4 bits two per entry, complex numbers as two
 * entries each.
 *
 * @param tensor - A tensor that uses typed fields.
 * @param type - Its element type.
 * @param count - Its number of elements.
 * @returns Little-endian bytes; another length than the shape needs when the field has another number of entries.
 * @see https://github.com/onnx/onnx/blob/v1.21.0/onnx/onnx.in.proto `TensorProto`
 */
export function typedFieldBytes(tensor: TensorProto, type: DataType, count: number): Uint8Array {
  if (type.bits < 8) return bytesOf(Uint8Array.from(tensor.int32Data ?? []));
  switch (type.onnxName) {
    case 'float':
    case 'complex64':
      return bytesOf(Float32Array.from(tensor.floatData ?? []));
    case 'double':
    case 'complex128':
      return bytesOf(Float64Array.from(tensor.doubleData ?? []));
    case 'int64':
      return bytesOf(BigInt64Array.from(tensor.int64Data ?? [], (entry) => BigInt(entry.toString())));
    case 'uint64':
      return bytesOf(BigUint64Array.from(tensor.uint64Data ?? [], (entry) => BigInt(entry.toString())));
    case 'uint32':
      return bytesOf(Uint32Array.from(tensor.uint64Data ?? [], Number));
    default:
      return narrowBytes(tensor.int32Data ?? [], type.bits, count);
  }
}

function narrowBytes(entries: readonly number[], bits: number, count: number): Uint8Array {
  if (bits === 32) return bytesOf(Int32Array.from(entries));
  if (bits === 16) return bytesOf(Uint16Array.from(entries));
  return entries.length === count ? bytesOf(Uint8Array.from(entries)) : new Uint8Array(entries.length);
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
