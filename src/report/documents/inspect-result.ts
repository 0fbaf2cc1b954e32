import { z } from 'zod';
import type { DeepReadonly } from './deep-readonly.js';
import { bytesSchema, countSchema, valueSpecSchema } from './shared-schemas.js';

const storedTensorSchema = z
  .strictObject({
    name: z.string(),
    scope: z.string(),
    role: z.enum(['initializer', 'constant', 'attribute', 'sparse']),
    type: z.string(),
    dims: z.array(z.number()),
    sizeBytes: bytesSchema,
  })
  .meta({ id: 'StoredTensor' });

/** `result` of `inspect`. */
export const inspectResultSchema = z
  .strictObject({
    path: z.string(),
    sizeBytes: bytesSchema,
    irVersion: z.number().int(),
    producer: z.string(),
    opsets: z.array(z.strictObject({ domain: z.string(), version: z.number().int() })),
    inputs: z.array(valueSpecSchema),
    outputs: z.array(valueSpecSchema),
    scopeCount: countSchema,
    nodeCount: countSchema,
    operators: z.array(z.strictObject({ type: z.string(), domain: z.string(), count: countSchema })),
    weights: z.array(
      z.strictObject({
        type: z.string(),
        tensorCount: countSchema,
        parameters: countSchema,
        sizeBytes: bytesSchema,
      }),
    ),
    largestTensors: z.array(storedTensorSchema),
    externalFiles: z.array(
      z.strictObject({
        location: z.string(),
        path: z.string(),
        sizeBytes: bytesSchema,
        referencedBytes: bytesSchema,
        tensorCount: countSchema,
      }),
    ),
    unknownFields: z.array(z.strictObject({ path: z.string(), field: z.number().int(), count: countSchema })),
    estimates: z
      .strictObject({
        fp32Bytes: z.number().min(0),
        fp16WeightsBytes: z.number().min(0),
        fp16Bytes: z.number().min(0),
      })
      .describe('All files now, and about what each precision would take.'),
  })
  .meta({ id: 'InspectResult' });

/** What `inspect` hands to reports. */
export type InspectReport = DeepReadonly<z.infer<typeof inspectResultSchema>>;
