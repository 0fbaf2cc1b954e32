import { z } from 'zod';
import { bindingKinds } from '../../store/runtime-need.js';
import { bytesSchema, countSchema, hashedFileSchema, sha256Schema, variantSchema } from './shared-schemas.js';

const fileIndex = countSchema.describe('Position in `files`.');

const partSchema = z
  .union([
    z.tuple([z.literal('copy'), fileIndex, bytesSchema, bytesSchema]),
    z.tuple([z.literal('expand'), fileIndex, bytesSchema, bytesSchema]),
    z.tuple([z.literal('literal'), bytesSchema, bytesSchema]),
    z.tuple([z.literal('zeros'), bytesSchema]),
  ])
  .meta({
    id: 'ExpansionPart',
    description:
      '`copy` and `expand`: position in `files`, offset, length; `expand` reads halves and writes twice as many bytes. ' +
      '`literal`: offset and length in the literals. `zeros`: length.',
  });

const expansionSchema = z
  .strictObject({
    entry: z.string().describe('The file that a session is opened on.'),
    literals: z.string().describe('Base64 of a raw deflate stream; empty when there are none.'),
    files: z.array(z.strictObject({ path: z.string(), sizeBytes: bytesSchema, parts: z.array(partSchema) })),
  })
  .meta({
    id: 'ArtifactExpansion',
    description: "How the FP32 form of the model is made from the artifact's bytes, without reading ONNX.",
  });

/** The content of `artifact.json`. */
export const artifactRecordSchema = z
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
      architecture: z
        .string()
        .describe('`any`, or the processor that it is made for, as Node.js names it: `x64`, `arm64`.'),
      boundTo: z
        .strictObject({
          kind: z.enum(bindingKinds),
          engineVersion: z.string().nullable().describe('The only version that opens it; null for any.'),
          instructionSets: z.array(z.string()).describe('What the processor must have, as Linux names it.'),
        })
        .nullable()
        .describe('What it is bound to by what it is; null for what runs wherever the rest is met.'),
      names: z
        .strictObject({ inputs: z.array(z.string()), outputs: z.array(z.string()) })
        .nullable()
        .describe('Of the exported model, where the files may have others too; null where they say it.'),
    }),
    provenance: z.strictObject({
      toolVersion: z.string(),
      sourceName: z.string(),
      sourceSizeBytes: bytesSchema,
      sourceSha256: sha256Schema.nullable().describe('Null where nobody had asked for it.'),
      options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
    }),
    expansion: expansionSchema,
  })
  .meta({ id: 'ArtifactRecord' });
