import { z } from 'zod';
import { artifactRecordSchema } from './artifact-record.js';
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

/** `result` of `inspect` for a model. */
export const inspectResultSchema = z
  .strictObject({
    path: z.string(),
    sizeBytes: bytesSchema,
    irVersion: z.number().int(),
    producer: z.string(),
    opsets: z.array(z.strictObject({ domain: z.string(), version: z.number().int() })),
    inputs: z.array(valueSpecSchema),
    outputs: z.array(valueSpecSchema),
    nodeCount: countSchema.describe('In all scopes.'),
    scopes: z
      .array(
        z.strictObject({
          kind: z.enum(['graph', 'body', 'function', 'training']),
          count: countSchema,
          nodeCount: countSchema.describe('Without those in the bodies of its nodes.'),
        }),
      )
      .describe('The main graph, bodies of If, Loop and Scan, functions and training graphs.'),
    functions: z.array(z.strictObject({ domain: z.string(), name: z.string(), nodeCount: countSchema })),
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
    passedFields: z
      .array(
        z.strictObject({
          message: z.string(),
          field: z.number().int(),
          name: z.string().nullable().describe('Null for a field that is not of ONNX.'),
          count: countSchema,
        }),
      )
      .describe('Fields newer than the decoded schema, which pass through a conversion as they are.'),
    estimates: z
      .strictObject({
        fp32Bytes: z.number().min(0),
        fp16WeightsBytes: z.number().min(0),
        fp16Bytes: z.number().min(0),
      })
      .describe('All files now, and about what each precision would take.'),
  })
  .meta({ id: 'InspectResult' });

/** `result` of `inspect` for an artifact: its record without the plan, and its model. */
export const artifactInspectionSchema = artifactRecordSchema
  .omit({ expansion: true })
  .extend({
    path: z.string(),
    model: inspectResultSchema.nullable().describe('Null for what is no ONNX, such as an IR.'),
  })
  .meta({ id: 'ArtifactInspection' });

/** What `inspect` hands to reports for an artifact. */
export type ArtifactInspectionReport = DeepReadonly<z.infer<typeof artifactInspectionSchema>>;

/** What `inspect` hands to reports for a model. */
export type InspectReport = DeepReadonly<z.infer<typeof inspectResultSchema>>;
