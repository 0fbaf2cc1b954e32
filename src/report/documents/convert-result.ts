import { z } from 'zod';
import { fp32Rules } from '../../lib/fp32-rules.js';
import { artifactRecordSchema } from './artifact-record.js';
import type { DeepReadonly } from './deep-readonly.js';
import { bytesSchema, countSchema, findingsSchema, variantSchema } from './shared-schemas.js';

const fixedReasons = [
  'kept-by-user',
  'fp32-only-slot',
  'unknown-operator',
  'function',
  'shared-value',
] as const;

const weightReasons = [
  'beyond FP16',
  'would become 0 in FP16',
  'relative error above the limit',
  'opset below 6',
  'below the size threshold',
  'read as FP32 and too small for a Cast',
  'graph input',
  'graph output',
  'needs all its digits',
  'would lose its digits in FP16',
  'read by nothing',
  'quantisation scale',
  'read by the training graph',
  'kept by the user',
  'mostly outside FP16',
  'its precision matters to OpenVINO',
] as const;

const weightsSchema = z.strictObject({
  storedAsFp16: countSchema,
  fp16Bytes: bytesSchema,
  losslessTensors: countSchema.describe('Of those stored as FP16, tensors that it holds exactly.'),
  values: countSchema.describe('Numbers in the tensors that are stored as FP16.'),
  vanishedValues: countSchema.describe('Of those, numbers that became 0.'),
  subnormalValues: countSchema.describe('Of those, numbers that FP16 holds with fewer digits.'),
  overflowingValues: countSchema.describe(
    'Finite numbers beyond FP16, in the tensors that stay FP32 for them.',
  ),
  clampedValues: countSchema.describe(
    'Numbers beyond FP16, infinite or NaN that OpenVINO stored as 65504 or -65504.',
  ),
  maxRelativeError: z
    .number()
    .min(0)
    .describe('Largest |rounded - exact| / |exact|, norms over one tensor, of those stored as FP16.'),
  keptFp32: z.array(
    z.strictObject({
      name: z.string(),
      scope: z.string(),
      reason: z.enum(weightReasons),
      sizeBytes: bytesSchema,
    }),
  ),
});

const nodesSchema = z.strictObject({
  total: countSchema.describe('Of the source, in all scopes.'),
  allowed: countSchema.describe('Nodes with a FLOAT input or output that their operator allows in FP16.'),
  fp16: countSchema.describe('Of those, nodes that compute in FP16 now.'),
  keptFp32: z.array(
    z.strictObject({
      reason: z.enum([...fp32Rules, ...fixedReasons]),
      count: countSchema,
      examples: z.array(z.string()).describe('Up to 5 of them, with their scope outside the main graph.'),
    }),
  ),
});

/** `result` of `convert`. */
export const convertResultSchema = z
  .strictObject({
    variant: variantSchema.describe('As it was written: what does not fit into one file becomes `external`.'),
    out: z.string().describe('The artifact folder, or the bare model file.'),
    record: artifactRecordSchema.nullable().describe('Null for a bare model file.'),
    sourceSizeBytes: bytesSchema.describe('The source with its data files.'),
    sizeBytes: bytesSchema.describe('All files that were written but artifact.json.'),
    weights: weightsSchema,
    nodes: nodesSchema,
    castsAdded: countSchema,
    loadCheck: z
      .enum(['opened', 'left-out', 'not-judged'])
      .describe('`not-judged` when the runtime does not open the source either.'),
    findings: findingsSchema,
  })
  .meta({ id: 'ConvertResult' });

/** What `convert` hands to reports. */
export type ConvertReport = DeepReadonly<z.infer<typeof convertResultSchema>>;
/** Why nodes compute in FP32. */
export type NodeReason = ConvertReport['nodes']['keptFp32'][number]['reason'];
/** Why a weight is stored as FP32. */
export type WeightReason = ConvertReport['weights']['keptFp32'][number]['reason'];
