import type { HalfStats } from '../half/encode-half.js';
import { listTensors, type Scope, type TensorPlace } from '../onnx/graph-walk.js';
import { dataTypes, type TensorProto } from '../onnx/proto.js';
import { storeInline } from '../onnx/set-payload.js';
import { findPayload } from '../onnx/tensor-payload.js';
import { type EncodedWeight, encodePayload } from './encode-payload.js';
import { findLargest } from './small-numbers.js';

/** An FP32 initializer or Constant of a model. */
export type Weight = {
  readonly place: TensorPlace;
  /** The value it gives in its scope. */
  readonly name: string;
  /** FP32 bytes. */
  readonly sizeBytes: number;
  readonly encode: () => Promise<EncodedWeight>;
};

/** What stops the encoding, and who hears of each weight that is done. */
export type EncodingWatch = {
  readonly signal: AbortSignal;
  /** Given the FP32 bytes of the weight. */
  readonly onEncoded: (sizeBytes: number) => void;
};

/** A weight that was stored as FP16. */
export type StoredWeight = {
  readonly weight: Weight;
  readonly stats: HalfStats;
  /** Largest finite magnitude that was stored; undefined unless numbers became 0, when it says whether they mattered. */
  readonly largest: number | undefined;
};

/**
 * Checks all tensors of a scope and lists its FP32 weights.
 *
 * @param modelPath - The model.
 * @param scope - The scope.
 * @param watch - What stops the encoding, and who hears of it.
 * @returns The weights in the order of the file; each is encoded once, when first asked for.
 * @throws `tensor-wrong`, `external-data-refused`.
 */
export async function listWeights(
  modelPath: string,
  scope: Scope,
  { signal, onEncoded }: EncodingWatch,
): Promise<Weight[]> {
  const weights: Weight[] = [];
  for (const place of listTensors(scope)) {
    const payload = await findPayload(modelPath, place.tensor, place.label);
    if (payload === undefined || place.tensor.dataType !== dataTypes.float) continue;
    if (place.role !== 'initializer' && place.role !== 'constant') continue;
    let encoded: Promise<EncodedWeight> | undefined;
    const encode = (): Promise<EncodedWeight> => {
      encoded ??= encodePayload(payload, signal).finally(() => onEncoded(payload.sizeBytes));
      return encoded;
    };
    weights.push({ place, name: place.label, sizeBytes: payload.sizeBytes, encode });
  }
  return weights;
}

/**
 * Replaces the bytes of a weight by their FP16 form.
 *
 * @param weight - The weight; its tensor is changed in place.
 * @returns What was stored.
 */
export async function storeAsHalf(weight: Weight): Promise<StoredWeight> {
  const { bytes, stats } = await weight.encode();
  const tensor: TensorProto = weight.place.tensor;
  storeInline(tensor, dataTypes.float16, bytes);
  return { weight, stats, largest: stats.underflowCount > 0 ? findLargest(bytes) : undefined };
}
