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
 * Builds a new FP16 tensor from a small weight.
 *
 * @param weight - A weight whose FP16 bytes are known.
 * @returns The tensor, with the dims of the weight's.
 */
export function halfTensor({ tensor, halves }: Weight): TensorProto {
  return { dims: tensor.dims ?? [], dataType: dataTypes.float16, rawData: halves ?? new Uint8Array(0) };
}
