import { z } from 'zod';
import { invocationPaths } from '../lib/invocation-path.js';
import { isLayerArn } from '../lib/layer-arn.js';
import { metrics } from '../lib/objective.js';

const weightsSchema = z
  .partialRecord(z.enum(metrics), z.number().min(0))
  .refine((weights) => Object.values(weights).some((weight) => weight > 0), {
    error: 'must have a weight above 0',
  })
  .describe(
    'Share of each metric; each counts as how many times the lowest candidate it is, and their weighted geometric mean is minimised.',
  );

const objectiveSchema = z
  .union([z.enum(metrics), z.strictObject({ weights: weightsSchema })], {
    error: `must be one of ${metrics.join(', ')}, or weights of several of them, each at least 0 and one above`,
  })
  .default('total')
  .describe('What is minimised: one metric, or several by weight.');

const requireSchema = z.strictObject({
  parity: z.enum(['pass', 'any']).default('pass').describe('any: unproven variants may win too.'),
  budgets: z.enum(['pass', 'any']).default('pass').describe('any: variants over a budget may win too.'),
  bound: z
    .enum(['no', 'any'])
    .default('no')
    .describe('any: what only one version of an engine or kind of processor opens may win too.'),
});

const limit = z.number().positive().nullable().default(null);

const limitsSchema = z
  .strictObject({
    totalP95Ms: limit.describe('Milliseconds, from the call to the first answer.'),
    readyP95Ms: limit.describe('Milliseconds, from the call until the handler takes requests.'),
    steadyP95Ms: limit.describe('Milliseconds per inference after the first.'),
    costPer100kUsd: limit.describe('USD per 100,000 inferences.'),
    sizeBytes: limit.describe('The artifact, bytes.'),
  })
  .describe('What a candidate may not exceed; p95 is the highest sample where there are fewer than 20.');

const snapstartSchema = z
  .strictObject(
    {
      restoreMs: z
        .number()
        .min(0)
        .optional()
        .describe(
          'From the call until the restored process takes it, ms; imported, or not known, when left out.',
        ),
      restoreP95Ms: z
        .number()
        .min(0)
        .optional()
        .describe('Its 95th percentile, ms; without it nothing stated passes a limit on one.'),
      source: z.string().min(1).optional().describe('What restoreMs rests on.'),
    },
    orderMapping('snapstart'),
  )
  .refine(({ restoreMs, source }) => (restoreMs === undefined) === (source === undefined), {
    error: 'must have both restoreMs and source, or neither',
  })
  .refine(
    ({ restoreMs, restoreP95Ms }) =>
      restoreP95Ms === undefined || (restoreMs !== undefined && restoreP95Ms >= restoreMs),
    { error: 'must have a restoreMs that is not above restoreP95Ms' },
  )
  .describe('Restored from a snapshot that was taken after the model was loaded.');

const provisionedSchema = z
  .strictObject(
    {
      processes: z
        .number()
        .int()
        .min(1)
        .default(1)
        .describe('How many are kept ready all month, for the cost.'),
    },
    orderMapping('provisioned'),
  )
  .describe('Started ahead of all calls.');

/** Written as `on-demand` is, it says true. */
function orderMapping(name: string) {
  return {
    error: (issue: { readonly code: string }) =>
      issue.code === 'invalid_type' ? `must be a mapping: write \`${name}: {}\` for its defaults` : undefined,
  };
}

const startModesSchema = z
  .strictObject({
    'on-demand': z.boolean().default(true).describe('A new process for a call that meets none.'),
    snapstart: snapstartSchema.optional(),
    provisioned: provisionedSchema.optional(),
  })
  .refine((modes) => modes['on-demand'] || modes.snapstart !== undefined || modes.provisioned !== undefined, {
    error: 'must have one start mode at least',
  })
  .describe('How the platform starts processes: each is a candidate of its own.');

const trafficSchema = z
  .strictObject({
    callsPerMonth: z.number().int().min(1).describe('Calls in 30 days.'),
    coldStartsPerMonth: z
      .number()
      .int()
      .min(0)
      .describe('Of which so many start a process or restore one; at most callsPerMonth.'),
  })
  .refine(({ callsPerMonth, coldStartsPerMonth }) => coldStartsPerMonth <= callsPerMonth, {
    error: 'must have at most as many coldStartsPerMonth as callsPerMonth',
  })
  .describe('For costPer100k; when left out only calls that meet a ready process are priced.');

/** The `pick` section of the pipeline file. */
export const pickSchema = z.strictObject({
  objective: objectiveSchema,
  require: requireSchema.prefault({}),
  limits: limitsSchema.prefault({}),
  invokedThrough: z
    .enum(invocationPaths)
    .default('other')
    .describe(
      "api-gateway: the first answer may not come later than the 29 s that it waits; other, the default: that limit is not applied; plain-machine: none of Lambda's own times hold either.",
    ),
  openvinoLayer: z
    .string()
    .refine(isLayerArn, { error: 'must be the ARN of a layer with its version, arn:…:layer:NAME:VERSION' })
    .optional()
    .describe(
      'ARN of a Lambda layer with the libraries of OpenVINO in openvino/libs, for the parameters of pipelines/lambda.',
    ),
  startModes: startModesSchema.prefault({}),
  traffic: trafficSchema.optional(),
});
