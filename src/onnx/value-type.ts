import type { ElementType } from '../lib/tensor.js';
import { dataTypeNamed, dataTypeOf } from './element-type.js';
import type { TypeProto } from './proto.js';

/** What a value is: a tensor of an element type, something `other` than those, or not known to us. */
export type ValueType = ElementType | 'other' | 'unknown';

/**
 * Finds a value type by ONNX's name of the element type.
 *
 * @param onnxName - Such as `float`; empty for none.
 * @returns The type; `other` for element types that tensors of ours cannot hold.
 */
export function typeNamed(onnxName: string): ValueType {
  if (onnxName === '') return 'unknown';
  return dataTypeNamed(onnxName)?.name ?? 'other';
}

/**
 * Finds the type that a graph declares of an input.
 *
 * @param type - The declaration.
 * @returns The type; `other` for sequences, maps and the like, `unknown` when nothing is declared.
 */
export function declaredType(type: TypeProto | null | undefined): ValueType {
  if (!type) return 'unknown';
  if (type.tensorType) return typeNamed(dataTypeOf(type.tensorType.elemType)?.onnxName ?? '');
  return type.sequenceType || type.mapType || type.optionalType || type.sparseTensorType
    ? 'other'
    : 'unknown';
}
