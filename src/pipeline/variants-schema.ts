import { z } from 'zod';
import {
  engines,
  findVariantProblem,
  inferencePrecisions,
  layouts,
  nameVariant,
  precisions,
  usualLayout,
  type Variant,
} from '../lib/variant.js';

const ownParitySchema = z
  .strictObject({
    rtol: z.number().min(0).optional(),
    atol: z.number().min(0).optional(),
    cosine: z.number().min(-1).max(1).optional(),
    maxAbs: z.number().min(0).optional(),
  })
  .optional()
  .describe(
    'Bounds of this variant alone; what is left out is as in `parity`, for bf16 at least 5e-2 and 2e-2.',
  );

const variantSchema = z
  .strictObject({
    precision: z.enum(precisions).describe('fp32 as exported, fp16-weights FP16 storage, fp16 FP16 graph.'),
    layout: z
      .enum(layouts)
      .optional()
      .describe(
        'One .onnx; a small .onnx and a mapped data file; .xml and .bin of OpenVINO, its default; what it compiled.',
      ),
    engine: z.enum(engines).default('onnxruntime').describe('The runtime that opens the artifact.'),
    inference: z
      .enum(inferencePrecisions)
      .default('f32')
      .describe('What openvino computes FP32 operations in; bf16 and f16 only where the processor can.'),
    parity: ownParitySchema,
  })
  .transform((variant) => ({ ...variant, layout: variant.layout ?? usualLayout(variant.engine) }));

/** The `variants` of the pipeline file: each can be made, and is there once. */
export const variantsSchema = z
  .array(variantSchema)
  .min(1)
  .superRefine((variants, context) => {
    const ids = variants.map((variant) => nameVariant(variant).id);
    variants.forEach((variant, index) => {
      const id = ids[index] ?? '';
      const contradiction = findContradiction(variant);
      const isTwice = ids.indexOf(id) !== index;
      const said = contradiction === undefined ? 'more than once' : contradiction.problem;
      if (contradiction === undefined && !isTwice) return;
      context.addIssue({
        code: 'custom',
        path: [index, ...(contradiction === undefined ? [] : [contradiction.key])],
        message: said,
        // Neither is about one word that must be another.
        params: {
          problem: `\`variants\` names ${id}${contradiction === undefined ? ' ' : ': '}${said}`,
          suggestion: contradiction?.suggestion ?? null,
        },
      });
    });
  })
  .prefault([{ precision: 'fp32' }, { precision: 'fp16-weights' }])
  .describe('The artifacts to make and compare.');

type Contradiction = { readonly key: string; readonly problem: string; readonly suggestion: string };

/** Names a key that the file has: the layout may be the one of its engine. */
function findContradiction(variant: Omit<Variant, 'id'>): Contradiction | undefined {
  const problem = findVariantProblem(variant);
  if (problem === undefined) return undefined;
  if (variant.engine === 'openvino') return { key: 'precision', problem, suggestion: 'fp16-weights' };
  const key = variant.layout === 'ir' || variant.layout === 'blob' ? 'layout' : 'inference';
  return { key, problem, suggestion: 'engine: openvino' };
}
