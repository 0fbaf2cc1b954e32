import { floatToHalf } from '../../half/half-numbers.js';
import { dataTypes, type TensorProto } from '../../onnx/proto.js';
import type { TensorContent } from '../../onnx/tensor-content.js';
import type { Weight } from '../plan/weight.js';

/**
 * Says what a weight holds as FP16.
 *
 * @param weight - An FP32 tensor.
 * @returns Its bytes where they are known already, else the range that is rounded while it is written.
 */
export function halfContent(weight: Weight): TensorContent {
  if (weight.range === undefined) return { kind: 'bytes', bytes: weight.halves };
  return { kind: 'range', range: weight.range, form: 'half' };
}

/**
 * Builds a new FP16 tensor.
 *
 * @param numbers - Its elements.
 * @param dims - Its shape.
 * @returns The tensor, without a name.
 */
export function halfTensor(numbers: readonly number[], dims: readonly number[]): TensorProto {
  const halves = Uint16Array.from(numbers, floatToHalf);
  return { dims: [...dims], dataType: dataTypes.float16, rawData: new Uint8Array(halves.buffer) };
}
