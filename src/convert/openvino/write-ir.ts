import type { WorkContext } from '../../lib/work-context.js';
import { lowestVersionFor } from '../../runtimes/engine-support.js';
import type { RuntimeNeed } from '../../store/runtime-need.js';
import type { Source } from '../open-source.js';
import { nameValues } from '../runtime-need.js';
import { type MadeIr, makeIr } from './make-ir.js';
import type { OpenvinoJob, WrittenModel } from './written-model.js';

/**
 * The highest opset whose operators the lowest version that we open has. On 2026-12-01, 2025.1.0 opened the 112 IRs of 56
 * models that 2026.4.1 had written with operators up to opset 12, to the same numbers; 6 with opset 16 it refused.
 *
 * @see https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/available-opsets.html opset15 is of 2024.5
 */
const highestCommonOpset = 15;

/**
 * Writes an IR of a model.
 *
 * @param job - The model, and where it goes.
 * @param context - Stops the work; hears of its progress.
 * @returns What was written.
 * @throws What `makeIr` throws.
 */
export async function writeIr(job: OpenvinoJob, context: WorkContext): Promise<WrittenModel> {
  const { installation, source, options, target } = job;
  const { folder, entry } = target;
  const stem = entry.replace(/\.xml$/, '');
  const isHalf = options.precision === 'fp16-weights';
  const plan = { installation, modelPath: source.onnx.path, folder, stem, isHalf };
  const made = await makeIr(plan, context);
  return {
    names: [entry, `${stem}.bin`],
    requires: needOfIr(made, source),
    compared: made.compared,
    madeWith: { openvinoVersion: made.converterVersion },
  };
}

/**
 * Finds what an IR needs to be opened.
 *
 * @param made - The IR.
 * @param source - The exported model.
 * @returns The need: any version that we open, unless it has newer operators; then the one that wrote it.
 */
export function needOfIr({ graph, converterVersion }: MadeIr, source: Source): RuntimeNeed {
  const { opset, irVersion } = graph;
  const [writer = converterVersion] = converterVersion.split('-', 1);
  const minimumVersion = opset <= highestCommonOpset ? lowestVersionFor('openvino', 0, 0) : writer;
  const names = nameValues(source.onnx);
  return { engine: 'openvino', minimumVersion, opset, irVersion, architecture: 'any', boundTo: null, names };
}
