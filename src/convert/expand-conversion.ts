import { decodeHalf } from '../half/encode-half.js';
import { originOf } from '../onnx/edit-message.js';
import { mapTensors } from '../onnx/map-tensors.js';
import { dataTypes, type ModelProto, type TensorProto } from '../onnx/proto.js';
import type { OnnxModel } from '../onnx/read-model.js';
import { type FileRange, type TensorContent, withContent } from '../onnx/tensor-content.js';
import type { ArtifactExpansion } from '../store/artifact-expansion.js';
import type { Converted } from './convert-into.js';
import type { ConvertOptions } from './convert-options.js';
import { rangeKey, type Weight } from './plan/weight.js';
import { type Conversion, planConversion } from './plan-conversion.js';
import { planExpansion } from './write/plan-expansion.js';
import { planModelFiles } from './write/write-model-files.js';

/**
 * Plans how the FP32 memory-mappable form of a converted model is made from its files: the graph as it was exported, with
 * the numbers that the artifact holds.
 *
 * @param source - The model that was converted.
 * @param converted - What was made of it.
 * @param options - How.
 * @param name - What the expanded `.onnx` file is called.
 * @returns The plan.
 * @throws `tensor-wrong`, `external-data-refused`.
 */
export async function expandConversion(
  source: OnnxModel,
  { conversion, written, known }: Converted,
  options: ConvertOptions,
  name: string,
): Promise<ArtifactExpansion> {
  // No weight is worth a Cast at this size: all that is left of a conversion are FP16 inputs and outputs.
  const plain = { ...options, precision: 'fp16-weights', minWeightBytes: Number.POSITIVE_INFINITY } as const;
  const exported = await planConversion(source, options.precision === 'fp32' ? options : plain, known);
  const model = roundWeights(exported.model, conversion);
  const wanted = await planModelFiles(source, model, 'external', name);
  return planExpansion({
    source: source.bytes,
    written: written.files,
    wanted: wanted.files,
    ties: tiedRanges(conversion),
  });
}

/** Large weights are expanded from the artifact, wherever they are; small ones are written as they come out of it. */
function roundWeights(model: ModelProto, { stored, tied }: Conversion): ModelProto {
  const contents = new Map<TensorProto, TensorContent>();
  for (const weight of [...stored, ...tied.keys()]) contents.set(weight.tensor, expandedContent(weight));
  return mapTensors(model, (tensor) => {
    // FP16 outputs of the graph rename the FP32 tensor behind them.
    const content = contents.get(originOf(tensor) ?? tensor);
    return content === undefined || tensor.dataType !== dataTypes.float
      ? tensor
      : withContent(tensor, dataTypes.float, content);
  });
}

function expandedContent(weight: Weight): TensorContent {
  if (weight.range !== undefined) return { kind: 'range', range: weight.range, form: 'stored' };
  const halves = new Uint16Array(Uint8Array.from(weight.halves).buffer);
  const floats = new Float32Array(halves.length);
  decodeHalf(halves, floats);
  return { kind: 'bytes', bytes: new Uint8Array(floats.buffer) };
}

function tiedRanges({ tied }: Conversion): ReadonlyMap<string, FileRange> {
  const ranges = new Map<string, FileRange>();
  for (const [weight, first] of tied) {
    if (weight.range !== undefined && first.range !== undefined)
      ranges.set(rangeKey(weight.range), first.range);
  }
  return ranges;
}
