import type { Engine } from '../lib/variant.js';
import type { ModelProto } from '../onnx/proto.js';
import type { OnnxModel } from '../onnx/read-model.js';
import { defaultOpset, modelInputs, modelOutputs } from '../onnx/value-specs.js';
import { lowestVersionFor } from '../runtimes/engine-support.js';
import type { RuntimeNeed } from '../store/runtime-need.js';
import { findBinding } from './optimised-source.js';

/**
 * Finds what an ONNX artifact needs to be opened.
 *
 * @param engine - The engine it is made for.
 * @param model - The converted model.
 * @param source - The exported model.
 * @returns The need; for a model beyond what is known, the newest release that is. Only a source that onnxruntime has
 *   saved in the layout of some processors binds it to them.
 */
export function runtimeNeed(
  engine: Engine,
  model: ModelProto,
  source: Pick<OnnxModel, 'model'>,
): RuntimeNeed {
  const opset = defaultOpset(model);
  const irVersion = Number(model.irVersion ?? 0);
  const minimumVersion = lowestVersionFor(engine, opset, irVersion);
  const boundTo = findBinding(source.model);
  const names = engine === 'openvino' ? nameValues(source) : null;
  return { engine, minimumVersion, opset, irVersion, architecture: 'any', boundTo, names };
}

/**
 * Lists what a model's inputs and outputs are called: OpenVINO may have several names for one, and tells any of them.
 *
 * @param source - The exported model.
 * @returns Their names in declared order; inputs that have a value already are none.
 */
export function nameValues(source: Pick<OnnxModel, 'model'>): NonNullable<RuntimeNeed['names']> {
  return {
    inputs: modelInputs(source).map(({ name }) => name),
    outputs: modelOutputs(source).map(({ name }) => name),
  };
}
