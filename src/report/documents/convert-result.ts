import { z } from 'zod';
import type { DeepReadonly } from './deep-readonly.js';
import {
  bytesSchema,
  countSchema,
  findingsSchema,
  hashedFileSchema,
  sha256Schema,
  variantSchema,
} from './shared-schemas.js';

/** The content of `artifact.json`. */
const artifactRecordSchema = z
  .strictObject({
    schemaVersion: z.literal(1),
    kind: z.literal('artifact'),
    variant: variantSchema,
    entry: z.string(),
    files: z.array(hashedFileSchema),
    digest: sha256Schema,
    sizeBytes: bytesSchema,
    expandedSizeBytes: bytesSchema,
    requires: z.strictObject({
      engine: variantSchema.shape.engine,
      minimumVersion: z.string(),
      opset: z.number().int(),
      irVersion: z.number().int(),
    }),
    provenance: z.strictObject({
      toolVersion: z.string(),
      sourceName: z.string(),
      sourceSizeBytes: bytesSchema,
      sourceSha256: sha256Schema,
      options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    }),
  })
  .meta({ id: 'ArtifactRecord' });

/** `result` of `convert`. */
export const convertResultSchema = z
  .strictObject({
    variant: variantSchema,
    out: z.string().describe('The artifact folder, or the bare model file.'),
    record: artifactRecordSchema.nullable().describe('Null for a bare model file.'),
    sourceSizeBytes: bytesSchema,
    sizeBytes: bytesSchema,
    weights: z.strictObject({
      storedAsFp16: countSchema,
      fp16Bytes: bytesSchema,
      lossless: countSchema.describe('Of those stored as FP16, tensors that it holds exactly.'),
      maxRelativeError: z.number().min(0).describe('Largest relative rounding error of a stored number.'),
      keptFp32: z.array(
        z.strictObject({
          name: z.string(),
          scope: z.string(),
          reason: z.string(),
          sizeBytes: bytesSchema,
        }),
      ),
    }),
    castsAdded: countSchema,
    nodesFp16: countSchema,
    nodesTotal: countSchema,
    findings: findingsSchema,
  })
  .meta({ id: 'ConvertResult' });

/** What `convert` hands to reports. */
export type ConvertReport = DeepReadonly<z.infer<typeof convertResultSchema>>;
