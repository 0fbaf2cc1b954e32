import type { Engine } from '../lib/variant.js';
import type { ModelProto } from '../onnx/proto.js';
import { defaultOpset } from '../onnx/value-specs.js';
import { lowestVersionFor } from '../runtimes/engine-support.js';
import type { RuntimeNeed } from '../store/runtime-need.js';

/**
 * Finds what an artifact needs to be opened.
 *
 * @param engine - The engine it is made for.
 * @param model - The converted model.
 * @returns The need; for a model beyond what is known, the newest release that is. ONNX is bound to no processor.
 */
export function runtimeNeed(engine: Engine, model: ModelProto): RuntimeNeed {
  const opset = defaultOpset(model);
  const irVersion = Number(model.irVersion ?? 0);
  const minimumVersion = lowestVersionFor(engine, opset, irVersion);
  return { engine, minimumVersion, opset, irVersion, architecture: 'any', boundTo: null, names: null };
}
