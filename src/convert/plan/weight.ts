import { encodeHalf } from '../../half/encode-half.js';
import type { HalfStats } from '../../half/half-stats.js';
import { listScopes, listTensors } from '../../onnx/graph-walk.js';
import { dataTypes, type ModelProto, type TensorProto } from '../../onnx/proto.js';
import type { FileRange } from '../../onnx/tensor-content.js';
import { findPayload, type Payload, readPayload } from '../../onnx/tensor-payload.js';
import type { Value, ValueGraph } from './value-graph.js';

/** Tensors up to this size are rounded before anything is planned, bytes: they may be constants of a formula. */
const smallBytes = 4096;
/** A tensor of so few numbers is taken for constants of a formula, such as an epsilon, rather than for weights. */
export const mostConstants = 16;

/** An FP32 tensor of a model: an initializer or the `value` of a Constant. */
export type Weight = {
  readonly value: Value;
  readonly tensor: TensorProto;
  /** FP32 bytes. */
  readonly sizeBytes: number;
  /** What rounding to FP16 does to it; undefined for a large one that was not rounded yet. */
  readonly stats: HalfStats | undefined;
  /** A few whole numbers, one of which FP16 would make another: lengths, thresholds, positions. */
  readonly countsBeyond: boolean;
} & (
  | { readonly range: FileRange; readonly halves?: undefined }
  /** A small one: its FP16 bytes. */
  | { readonly range?: undefined; readonly halves: Uint8Array }
);

/** What rounding did to large tensors in an earlier attempt, by {@link rangeKey}. */
export type KnownStats = ReadonlyMap<string, HalfStats>;

/**
 * Names a range of a file.
 *
 * @param range - The range.
 * @returns A text that equal ranges share.
 */
export function rangeKey({ path, offset, sizeBytes }: FileRange): string {
  return `${offset} ${sizeBytes} ${path}`;
}

/**
 * Checks all tensors of a model and finds its FP32 weights.
 *
 * @param model - The model.
 * @param modelPath - Where it was read from.
 * @param graph - Its values.
 * @param known - What is known of large tensors.
 * @returns Weights by value, in the order of the file.
 * @throws `tensor-wrong`, `external-data-refused`.
 */
export async function listWeights(
  model: ModelProto,
  modelPath: string,
  graph: ValueGraph,
  known: KnownStats,
): Promise<Map<Value, Weight>> {
  const owners = new Map<TensorProto, Value>();
  for (const { values } of graph.scopes) {
    for (const value of values.values()) if (value.tensor !== undefined) owners.set(value.tensor, value);
  }
  const weights = new Map<Value, Weight>();
  for (const { tensor, label } of listScopes(model).flatMap(listTensors)) {
    const payload = await findPayload(modelPath, tensor, label);
    const value = owners.get(tensor);
    if (payload === undefined || value === undefined || tensor.dataType !== dataTypes.float) continue;
    weights.set(value, await openWeight({ value, tensor, sizeBytes: payload.sizeBytes }, payload, known));
  }
  return weights;
}

async function openWeight(
  about: Pick<Weight, 'value' | 'tensor' | 'sizeBytes'>,
  payload: Payload,
  known: KnownStats,
): Promise<Weight> {
  if (payload.kind === 'file' && payload.sizeBytes > smallBytes) {
    const { path, offset, sizeBytes } = payload;
    const range = { path, offset, sizeBytes };
    return { ...about, range, stats: known.get(rangeKey(range)), countsBeyond: false };
  }
  const bytes = await readPayload(payload);
  // Tensors begin at any byte; numbers can be viewed only from a multiple of four on.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const floats = new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
  const halves = new Uint16Array(floats.length);
  const stats = encodeHalf(floats, halves);
  const countsBeyond =
    floats.length <= mostConstants && stats.exactCount < floats.length && floats.every(Number.isInteger);
  return { ...about, halves: new Uint8Array(halves.buffer), stats, countsBeyond };
}
