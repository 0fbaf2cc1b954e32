import { z } from 'zod';
import { fp32Rules, keepRulePattern } from '../lib/fp32-rules.js';
import { benchSchema } from './bench-schema.js';
import { pickSchema } from './pick-schema.js';
import { stageSchema } from './stage-schema.js';
import { variantsSchema } from './variants-schema.js';

const inputSchema = z
  .strictObject({
    shape: z.array(z.number().int().min(0)).optional().describe('Sizes of all axes, symbolic ones included.'),
    fill: z
      .enum(['normal', 'uniform', 'zeros', 'ones', 'constant'])
      .optional()
      .describe('How values are made; normal for floats and uniform for integers when left out.'),
    seed: z.number().int().min(0).optional().describe('Seed of the generator; 0 when left out.'),
    value: z.number().optional().describe('The value of fill: constant.'),
    min: z.number().optional().describe('Lowest value of fill: uniform.'),
    max: z.number().optional().describe('Highest value of fill: uniform.'),
    file: z.string().optional().describe('A .npy or .pb file to feed instead.'),
  })
  .describe('What one model input is fed in parity runs and benchmarks.');

const convertSchema = z.strictObject({
  minWeightBytes: z
    .number()
    .int()
    .min(0)
    .default(1024)
    .describe(
      'Bytes; smaller FP32 weights stay as they are: with fp16-weights all, with fp16 those that FP32 nodes read.',
    ),
  maxWeightError: z
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe(
      'A weight that FP32 nodes read stays FP32 when rounding changes it by more than this share, |rounded-exact|/|exact|.',
    ),
  io: z
    .union([z.enum(['fp32', 'fp16']), z.array(z.string().min(1))], {
      error: 'must be fp32, fp16 or a list of names',
    })
    .default('fp32')
    .describe(
      'Type of the FLOAT inputs and outputs of fp16-weights and fp16, or the names of those that become FP16.',
    ),
  keepFp32: z
    .array(z.string().regex(keepRulePattern, 'must be op:TYPE, node:NAME or output:NAME'))
    .default([])
    .describe(
      'Nodes that compute in FP32: op:TYPE all of an operator, node:NAME one, output:NAME its producer.',
    ),
  withoutRules: z
    .array(z.enum(fp32Rules))
    .default([])
    .describe('Reasons for which FP32 is not kept; `convert --report` names them.'),
});

const paritySchema = z.strictObject({
  rtol: z.number().min(0).default(1e-2).describe('Relative part of |a-b| <= atol + rtol*|reference|.'),
  atol: z.number().min(0).default(1e-3).describe('Absolute part of |a-b| <= atol + rtol*|reference|.'),
  cosine: z.number().min(-1).max(1).optional().describe('Lowest cosine similarity per float output.'),
  maxAbs: z.number().min(0).optional().describe('Highest absolute error of any element.'),
});

const budgetsSchema = z.strictObject({
  profile: z.enum(['lambda-zip']).default('lambda-zip').describe('The named set of limits.'),
  ephemeralMiB: z
    .number()
    .int()
    .default(512)
    .describe('Ephemeral storage of the function, 512 to 10240 MiB.'),
  memoryMiB: z.number().int().min(128).optional().describe('Memory of the function; checked for lazy.'),
});

/** The pipeline file, with every default and a description for editors. */
export const pipelineSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'must be letters, digits, dot, dash or underscore, 64 at most',
    )
    .describe('Name of the model in the store and of the run folder.'),
  model: z.string().min(1).describe('The exported ONNX model, relative to this file.'),
  inputs: z
    .record(z.string(), inputSchema)
    .default({})
    .describe('Per model input; shapes for symbolic axes.'),
  variants: variantsSchema,
  convert: convertSchema.prefault({}),
  parity: paritySchema.prefault({}),
  budgets: budgetsSchema.prefault({}),
  stage: stageSchema.prefault({}),
  bench: benchSchema.prefault({}),
  pick: pickSchema.prefault({}),
  publish: z
    .strictObject({
      to: z.literal('current').default('current'),
      unconditional: z
        .boolean()
        .default(false)
        .describe(
          'true: for a server without conditional writes; two who publish at the same time can overwrite each other.',
        ),
    })
    .optional()
    .describe('Left out: pick reports, nothing is published.'),
  output: z
    .string()
    .min(1)
    .optional()
    .describe('Run folder; artifacts/NAME in the current folder when left out.'),
});

/** A pipeline file's content after validation, with defaults filled in. */
export type PipelineContent = z.infer<typeof pipelineSchema>;

/**
 * The JSON Schema of the pipeline file, for editors.
 *
 * @returns Draft 2020-12, input side: what may be left out is optional.
 */
export function pipelineJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(pipelineSchema, { io: 'input' }) as Record<string, unknown>;
}
