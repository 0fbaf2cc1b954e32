import { join } from 'node:path';
import type { ConvertResult } from './convert/convert-options.js';
import { convertStep } from './convert/step.js';
import {
  allowLeavingOut,
  type ConversionOutput,
  type LeftOutVariant,
  refuseNothingLeft,
} from './leave-out-variant.js';
import { type KeepRule, parseKeepRule } from './lib/fp32-rules.js';
import { usualSessions } from './lib/session-options.js';
import { nameVariant } from './lib/variant.js';
import type { OpenvinoHere } from './look-for-openvino.js';
import { OptimiseModelError } from './messages/error.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { StepRunner } from './pipeline/run-steps.js';
import type { RunVariant, SourceModel } from './run-pipeline.js';

/** The variants of a run that were made, and those that it goes on without. */
export type ConvertedVariants = {
  readonly variants: readonly RunVariant[];
  readonly leftOut: readonly LeftOutVariant[];
};

/**
 * Converts the model of a pipeline to each variant that it asks for. One for OpenVINO that cannot be made, because it is
 * not installed or does not know the model, is left out.
 *
 * @param runner - Does the steps, or takes them from the record.
 * @param pipeline - The variants, and how they are converted.
 * @param model - The source.
 * @param openvino - What was found of it.
 * @param mustMake - Ids of variants that may not be left out because of this machine.
 * @returns What was made, each variant once: what does not fit into one file becomes `external`, which may be asked for
 *   as well; and what was left out.
 * @throws keep-rule-wrong, and whatever a conversion throws; why the first was left out when nothing else is left.
 */
export async function convertVariants(
  runner: StepRunner,
  pipeline: Pipeline,
  model: SourceModel,
  openvino: OpenvinoHere,
  mustMake: readonly string[],
): Promise<ConvertedVariants> {
  const variants: RunVariant[] = [];
  const leftOut: LeftOutVariant[] = [];
  const keepFp32 = pipeline.convert.keepFp32.map(readKeepRule);
  for (const asked of pipeline.variants) {
    // How it is judged is no part of what is made.
    const { precision, engine, layout, inference } = asked;
    const { id } = nameVariant(asked);
    const folder = join(pipeline.output, 'variants', id);
    const step = convertStep({
      ...{ precision, engine, layout, inference },
      ...pipeline.convert,
      keepFp32,
      model: model.path,
      sourceSha256: model.sha256,
      processor: openvino.processor,
      out: folder,
      // Validate opens each variant anyway, and what fails there is a candidate and not the run.
      loadCheck: false,
    });
    const made: ConversionOutput =
      engine === 'openvino'
        ? await runner.step(allowLeavingOut(step, openvino, mustMake.includes(id)))
        : await runner.step(step);
    if ('leftOut' in made) leftOut.push(made.leftOut);
    else if (!variants.some((variant) => variant.id === made.variant.id))
      variants.push(describeVariant(made, folder));
  }
  const [first] = leftOut;
  if (variants.length === 0 && first !== undefined) throw refuseNothingLeft(first);
  return { variants, leftOut };
}

function describeVariant(converted: ConvertResult, folder: string): RunVariant {
  const { variant, record } = converted;
  if (record === null) throw new Error(`converting ${variant.id} gave no artifact record`);
  const later = { parity: null, staged: null, sessions: usualSessions };
  return { id: variant.id, folder, converted, record, ...later };
}

function readKeepRule(text: string): KeepRule {
  const rule = parseKeepRule(text);
  if (rule === undefined) throw OptimiseModelError.of('keep-rule-wrong', { rule: text });
  return rule;
}
