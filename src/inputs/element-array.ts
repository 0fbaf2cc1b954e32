import type { ElementType, TensorData } from '../lib/tensor.js';

type NumericData = Exclude<TensorData, readonly string[]>;

/** The array class that holds the elements of each type; half types hold bit patterns, bool 0 and 1. */
const arrayClasses = {
  float32: Float32Array,
  float16: Uint16Array,
  float64: Float64Array,
  bfloat16: Uint16Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  bool: Uint8Array,
} as const satisfies Record<Exclude<ElementType, 'string'>, unknown>;

/** An element type whose elements are numbers of a fixed width. */
export type NumericType = keyof typeof arrayClasses;

/**
 * Tells how wide an element is.
 *
 * @param type - A numeric element type.
 * @returns Bytes per element.
 */
export function elementSizeBytes(type: NumericType): number {
  return arrayClasses[type].BYTES_PER_ELEMENT;
}

/**
 * Makes the elements of a tensor, all zero.
 *
 * @param type - A numeric element type.
 * @param count - Number of elements.
 * @returns The array that a tensor of that type holds.
 */
export function makeElements(type: NumericType, count: number): NumericData {
  return new arrayClasses[type](count);
}

/**
 * Takes little-endian bytes as the elements of a tensor; they are copied, so that any alignment will do.
 *
 * @param type - A numeric element type.
 * @param bytes - Little-endian elements, a whole number of them.
 * @returns The array that a tensor of that type holds.
 */
export function elementsFromBytes(type: NumericType, bytes: Uint8Array): NumericData {
  const elements = makeElements(type, bytes.byteLength / elementSizeBytes(type));
  new Uint8Array(elements.buffer).set(bytes);
  return elements;
}

/**
 * Counts the elements of a shape.
 *
 * @param dims - Sizes of the axes.
 * @returns Their product, 1 for a scalar.
 */
export function countElements(dims: readonly number[]): number {
  return dims.reduce((product, size) => product * size, 1);
}
