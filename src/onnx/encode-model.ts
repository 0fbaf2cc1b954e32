import { codecs, type ModelProto } from './proto.js';

/**
 * Encodes a model; tensors stored inside it are copied.
 *
 * @param model - The model, with everything that it holds inline.
 * @returns The bytes of an `.onnx` file.
 */
export function encodeModel(model: ModelProto): Uint8Array {
  return codecs.ModelProto.encode(model).finish();
}
