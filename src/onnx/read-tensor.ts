import { readFile } from 'node:fs/promises';
import type { ElementType, Tensor, TensorData } from '../lib/tensor.js';
import { OptimiseModelError } from '../messages/error.js';
import { windowOver } from './byte-window.js';
import { dataTypeOf } from './element-type.js';
import { codecs, type TensorProto } from './proto.js';
import { scanFields } from './scan-fields.js';
import { storedAt } from './stored-payload.js';
import { payloadFields } from './tensor-fields.js';
import { findPayload, readPayload } from './tensor-payload.js';

const views: Readonly<
  Record<Exclude<ElementType, 'string'>, (bytes: ArrayBuffer) => Exclude<TensorData, readonly string[]>>
> = {
  float32: (bytes) => new Float32Array(bytes),
  float64: (bytes) => new Float64Array(bytes),
  float16: (bytes) => new Uint16Array(bytes),
  bfloat16: (bytes) => new Uint16Array(bytes),
  int8: (bytes) => new Int8Array(bytes),
  int16: (bytes) => new Int16Array(bytes),
  int32: (bytes) => new Int32Array(bytes),
  int64: (bytes) => new BigInt64Array(bytes),
  uint8: (bytes) => new Uint8Array(bytes),
  uint16: (bytes) => new Uint16Array(bytes),
  uint32: (bytes) => new Uint32Array(bytes),
  uint64: (bytes) => new BigUint64Array(bytes),
  bool: (bytes) => new Uint8Array(bytes),
};

/**
 * Reads a tensor of a model into a tensor of ours; the elements are copied.
 *
 * @param modelPath - The model it belongs to, where its external data is looked for.
 * @param tensor - The tensor.
 * @param label - How to name it in an error.
 * @returns The tensor.
 * @throws `tensor-wrong` also for element types that a tensor of ours cannot hold; `external-data-refused`.
 */
export async function readTensor(modelPath: string, tensor: TensorProto, label: string): Promise<Tensor> {
  const type = dataTypeOf(tensor.dataType)?.name;
  const dims = (tensor.dims ?? []).map(Number);
  if (type === 'string') {
    const texts = await readTexts(modelPath, tensor);
    return { type, dims, data: texts.map((text) => Buffer.from(text).toString('utf8')) };
  }
  const payload = await findPayload(modelPath, tensor, label);
  if (type === undefined || payload === undefined) {
    const reason = `its element type (${tensor.dataType ?? 0}) cannot be read`;
    throw OptimiseModelError.of('tensor-wrong', { path: modelPath, tensor: label, reason });
  }
  const bytes = await readPayload(payload);
  return { type, dims, data: views[type](Uint8Array.from(bytes).buffer) };
}

/** A single long text stays in the model file. */
async function readTexts(path: string, tensor: TensorProto): Promise<readonly Uint8Array[]> {
  const stored = storedAt(tensor);
  if (stored?.field !== payloadFields.strings) return tensor.stringData ?? [];
  return [await readPayload({ kind: 'file', path, location: undefined, ...stored })];
}

/**
 * Reads a file that holds one encoded tensor, as ONNX's test data sets do.
 *
 * @param path - The `.pb` file.
 * @returns The tensor.
 * @throws `tensor-file-wrong`, `tensor-wrong`.
 */
export async function readTensorFile(path: string): Promise<Tensor> {
  const refuse = (reason: string, cause?: unknown): never => {
    throw OptimiseModelError.of('tensor-file-wrong', { path, reason }, cause);
  };
  const bytes = await readFile(path).catch((cause: Error) => refuse(cause.message, cause));
  if (bytes.length === 0) return refuse('it is empty (0 bytes)');
  const { problem, goodFields } = scanFields(
    windowOver(bytes),
    bytes.length,
    'TensorProto',
    Number.POSITIVE_INFINITY,
  );
  if (problem !== undefined || goodFields === 0) return refuse('its bytes are something else, or cut off');
  const tensor = codecs.TensorProto.decode(bytes);
  if (dataTypeOf(tensor.dataType) === undefined) return refuse('it names no element type');
  return readTensor(path, tensor, tensor.name || path);
}
