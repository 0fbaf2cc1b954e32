import { z } from 'zod';
import { deliveries } from '../../lib/delivery.js';
import { elementTypes } from '../../lib/tensor.js';
import { engines, inferencePrecisions, layouts, precisions } from '../../lib/variant.js';

/** Bytes: a whole number, never rounded. */
export const bytesSchema = z.number().int().min(0);

/** How many of something. */
export const countSchema = z.number().int().min(0);

/** Milliseconds on a monotonic clock. */
export const millisecondsSchema = z.number().min(0);

/** A computed number that may be no number: JSON has no NaN, so it is written as a string. */
export const measureSchema = z
  .union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])])
  .meta({ id: 'Measure', description: 'A number; NaN and infinities as strings.' });

/** SHA-256 in lower-case hexadecimal. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** How the bytes of an artifact reach the process. */
export const deliverySchema = z.enum(deliveries);

/** Precision × engine × layout. */
export const variantSchema = z
  .strictObject({
    id: z.string(),
    precision: z.enum(precisions),
    engine: z.enum(engines),
    layout: z.enum(layouts),
    inference: z.enum(inferencePrecisions).describe('What FP32 operations are computed in.'),
  })
  .meta({ id: 'Variant' });

/** A file with its apparent size. */
export const sizedFileSchema = z
  .strictObject({ path: z.string(), sizeBytes: bytesSchema })
  .meta({ id: 'SizedFile' });

/** A file with its size and hash. */
export const hashedFileSchema = z
  .strictObject({ path: z.string(), sizeBytes: bytesSchema, sha256: sha256Schema })
  .meta({ id: 'HashedFile' });

/** What a model declares of one input or output. */
export const valueSpecSchema = z
  .strictObject({
    name: z.string(),
    isTensor: z.boolean(),
    type: z.enum(elementTypes).optional(),
    dims: z.array(z.union([z.number(), z.string()])),
  })
  .meta({ id: 'ValueSpec' });

/** Something a check or a step has to say. */
const findingSchema = z
  .strictObject({
    code: z.string(),
    severity: z.enum(['error', 'warning', 'info']),
    what: z.string(),
    remedy: z.string(),
    facts: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Finding' });

/** Findings, in the order they came up. */
export const findingsSchema = z.array(findingSchema);
