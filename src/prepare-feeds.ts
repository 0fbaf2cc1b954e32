import { prepareInputs } from './inputs/prepare-inputs.js';
import type { NamedTensors } from './lib/tensor.js';
import { readModel } from './onnx/read-model.js';
import { modelInputs } from './onnx/value-specs.js';
import type { Pipeline } from './pipeline/read-pipeline.js';

/**
 * Makes what everything that is measured of a pipeline is fed.
 *
 * @param pipeline - The model, and what is said of its inputs.
 * @returns One tensor per input.
 * @throws What reading the model and its input files throws.
 */
export async function prepareFeeds({ model, inputs }: Pipeline): Promise<NamedTensors> {
  return (await prepareInputs(modelInputs(await readModel(model)), inputs)).feeds;
}
