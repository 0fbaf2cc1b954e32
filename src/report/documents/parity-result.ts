import { z } from 'zod';
import { engines, inferencePrecisions } from '../../lib/variant.js';
import type { DeepReadonly } from './deep-readonly.js';
import { countSchema, findingsSchema, measureSchema } from './shared-schemas.js';

const outputSchema = z
  .strictObject({
    name: z.string(),
    status: z.enum(['equal', 'within', 'outside', 'skipped']),
    reason: z.string(),
    type: z.string().nullable(),
    dims: z.array(z.number()),
    count: countSchema.describe('Elements compared.'),
    maxAbsError: measureSchema.nullable(),
    maxRelError: measureSchema.nullable(),
    cosine: measureSchema.nullable(),
    nanReference: countSchema,
    nanCandidate: countSchema,
    nanBoth: countSchema,
    infReference: countSchema,
    infCandidate: countSchema,
    outsideCount: countSchema,
    worstIndex: countSchema.nullable(),
    neededRtol: measureSchema.nullable().describe('With the given atol.'),
    neededAtol: measureSchema.nullable().describe('With the given rtol.'),
    maxAbsReference: measureSchema.nullable().describe('Largest finite magnitude of the reference.'),
    belowAtolShare: measureSchema
      .nullable()
      .describe('Share of the finite elements whose |reference| is not above atol.'),
    isConstant: z.boolean().describe('All finite elements of the reference are one number.'),
    passedBy: z
      .enum(['zeros', 'constant'])
      .nullable()
      .describe('What would pass the bounds in place of the candidate; null when neither does.'),
  })
  .meta({ id: 'OutputParity' });

const parityEngineSchema = z
  .strictObject({
    engine: z.enum(engines),
    version: z.string().nullable().describe('Null when it did not run.'),
    inference: z
      .enum(inferencePrecisions)
      .nullable()
      .describe('What FP32 operations were computed in, read back; null when it did not run.'),
  })
  .meta({ id: 'ParityEngine' });

/** `result` of `validate`. */
export const parityResultSchema = z
  .strictObject({
    verdict: z.enum(['pass', 'fail', 'partial', 'inconclusive']),
    reason: z.string(),
    reference: z.string(),
    candidate: z.string(),
    bounds: z.strictObject({
      rtol: z.number(),
      atol: z.number(),
      cosine: z.number().optional(),
      maxAbs: z.number().optional(),
    }),
    outputs: z.array(outputSchema),
    nondeterministic: z.array(z.string()).describe('Operators that draw random numbers.'),
    engines: z
      .strictObject({ reference: parityEngineSchema, candidate: parityEngineSchema })
      .describe('What computed both sides, with equal threads.'),
    findings: findingsSchema,
  })
  .meta({ id: 'ParityResult' });

/** What `validate` hands to reports. */
export type ParityReport = DeepReadonly<z.infer<typeof parityResultSchema>>;
