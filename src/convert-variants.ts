import { join } from 'node:path';
import { convertStep } from './convert/step.js';
import { type KeepRule, parseKeepRule } from './lib/fp32-rules.js';
import { usualSessions } from './lib/session-options.js';
import { nameVariant } from './lib/variant.js';
import { OptimiseModelError } from './messages/error.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { StepRunner } from './pipeline/run-steps.js';
import type { RunVariant, SourceModel } from './run-pipeline.js';

/**
 * Converts the model of a pipeline to each variant that it asks for.
 *
 * @param runner - Does the steps, or takes them from the record.
 * @param pipeline - The variants, and how they are converted.
 * @param model - The source.
 * @returns What was made, each variant once: what does not fit into one file becomes `external`, which may be asked for
 *   as well.
 * @throws keep-rule-wrong, and whatever a conversion throws.
 */
export async function convertVariants(
  runner: StepRunner,
  pipeline: Pipeline,
  model: SourceModel,
): Promise<readonly RunVariant[]> {
  const variants: RunVariant[] = [];
  const keepFp32 = pipeline.convert.keepFp32.map(readKeepRule);
  for (const asked of pipeline.variants) {
    // How it is judged is no part of what is made.
    const { precision, engine, layout, inference } = asked;
    const folder = join(pipeline.output, 'variants', nameVariant(asked).id);
    const converted = await runner.step(
      convertStep({
        ...{ precision, engine, layout, inference },
        ...pipeline.convert,
        keepFp32,
        model: model.path,
        sourceSha256: model.sha256,
        out: folder,
        // Validate opens each variant anyway, and what fails there is a candidate and not the run.
        loadCheck: false,
      }),
    );
    const { id } = converted.variant;
    if (converted.record === null) throw new Error(`converting ${id} gave no artifact record`);
    if (variants.some((variant) => variant.id === id)) continue;
    variants.push({
      id,
      folder,
      converted,
      record: converted.record,
      parity: null,
      staged: null,
      sessions: usualSessions,
    });
  }
  return variants;
}

function readKeepRule(text: string): KeepRule {
  const rule = parseKeepRule(text);
  if (rule === undefined) throw OptimiseModelError.of('keep-rule-wrong', { rule: text });
  return rule;
}
