import { nameVariant } from './lib/variant.js';
import type { OpenvinoHere } from './look-for-openvino.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { StepRunner } from './pipeline/run-steps.js';
import type { RunVariant, SourceModel } from './run-pipeline.js';
import type { ParityBounds } from './validate/parity-result.js';
import { validateStep } from './validate/step.js';
import { widenBounds } from './validate/usual-bounds.js';
import type { SharedReference } from './validate/validate-parity.js';

/**
 * Compares each variant of a run with its source, which runs once for all of them, by the bounds that are its own.
 *
 * @param runner - Does the steps, or takes them from the record.
 * @param pipeline - What models are fed, and the bounds.
 * @param ground - The source, and the OpenVINO that is here: another may give other numbers.
 * @param variants - All that were made.
 * @returns The variants with their parity.
 * @throws Whatever comparing throws.
 */
export async function proveVariants(
  runner: StepRunner,
  pipeline: Pipeline,
  { model, openvino }: { readonly model: SourceModel; readonly openvino: OpenvinoHere },
  variants: readonly RunVariant[],
): Promise<readonly RunVariant[]> {
  const proven: RunVariant[] = [];
  const shared: SharedReference = { run: null };
  for (const variant of variants) {
    const parity = await runner.step(
      validateStep(
        {
          subject: variant.id,
          reference: model.path,
          referenceSha256: model.sha256,
          candidate: variant.folder,
          candidateDigest: variant.record.digest,
          ground: variant.record.variant.engine === 'openvino' ? openvino : null,
          inputs: pipeline.inputs,
          bounds: boundsOf(pipeline, variant),
        },
        shared,
      ),
    );
    proven.push({ ...variant, parity });
  }
  return proven;
}

/** What the pipeline says, wider for bf16; what the variant says itself wins. */
function boundsOf({ variants, parity }: Pipeline, { id, record }: RunVariant): ParityBounds {
  const { layout, inference } = record.variant;
  const asked =
    variants.find((variant) => nameVariant(variant).id === id) ??
    // What did not fit into one file was asked for by another layout.
    variants.find((variant) => nameVariant({ ...variant, layout }).id === id);
  const own = Object.entries(asked?.parity ?? {}).filter(([, bound]) => bound !== undefined);
  return { ...widenBounds(parity, inference), ...Object.fromEntries(own) };
}
