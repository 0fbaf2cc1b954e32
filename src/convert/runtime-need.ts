import type { Engine } from '../lib/variant.js';
import type { ModelProto } from '../onnx/proto.js';
import { defaultOpset } from '../onnx/value-specs.js';
import type { RuntimeNeed } from '../store/artifact-record.js';

type Support = { readonly version: string; readonly opset: number; readonly irVersion: number };

/**
 * Highest opset of the default domain and IR version that a release of onnxruntime opens; each listed release is the
 * first with a change. Below 1.22, onnxruntime-node ignores session options without a word, so that is the floor.
 *
 * @see https://onnxruntime.ai/docs/reference/compatibility.html tried with one-node models on 1.22.1 to 1.30.0 on 2026-11-30
 */
const onnxruntimeSupport: readonly Support[] = [
  { version: '1.22.0', opset: 22, irVersion: 10 },
  { version: '1.23.0', opset: 23, irVersion: 11 },
  { version: '1.24.0', opset: 25, irVersion: 13 },
  { version: '1.25.0', opset: 26, irVersion: 13 },
];

/**
 * Finds what an artifact needs to be opened.
 *
 * @param engine - The engine it is made for.
 * @param model - The converted model.
 * @returns The need; for a model beyond what is known, the newest release that is.
 */
export function runtimeNeed(engine: Engine, model: ModelProto): RuntimeNeed {
  const opset = defaultOpset(model);
  const irVersion = Number(model.irVersion ?? 0);
  const support = onnxruntimeSupport.find((row) => row.opset >= opset && row.irVersion >= irVersion);
  const minimumVersion = (support ?? onnxruntimeSupport.at(-1))?.version ?? '';
  return { engine, minimumVersion, opset, irVersion };
}
