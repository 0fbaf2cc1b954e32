import { z } from 'zod';
import { optimisationLevels } from '../../lib/session-options.js';
import { engines } from '../../lib/variant.js';
import {
  cacheStateSchema,
  machineSchema,
  memorySchema,
  profileSchema,
  sessionSchema,
} from './bench-parts.js';
import type { DeepReadonly } from './deep-readonly.js';
import { bytesSchema, countSchema, findingsSchema, millisecondsSchema } from './shared-schemas.js';
import { sampleErrorSchema } from './sweep-result.js';

const sampleSchema = z
  .strictObject({
    run: countSchema,
    sessionMs: millisecondsSchema,
    firstInferenceMs: millisecondsSchema,
    steadyMs: z.array(millisecondsSchema),
    peakRssBytes: bytesSchema,
    cacheSizeBytes: bytesSchema.nullable().describe('Of the model cache; null without one.'),
  })
  .meta({ id: 'TuneSample' });

const configurationSchema = z
  .strictObject({
    form: z
      .enum(['own', 'expanded'])
      .describe("The artifact's files, or their memory-mappable FP32 form, which `stream` writes."),
    saved: z
      .strictObject({ optimisation: z.enum(optimisationLevels), isPrepacked: z.boolean() })
      .nullable()
      .describe('A graph that was rewritten and saved beforehand.'),
    session: sessionSchema,
    modelCache: z
      .enum(['none', 'cold', 'warm'])
      .describe(
        "OpenVINO's model cache: none, empty when the session is opened, or filled by an earlier process.",
      ),
    isMapped: z
      .boolean()
      .describe('Whether files are mapped into memory rather than read; of OpenVINO only.'),
    sessionMs: millisecondsSchema.nullable(),
    firstInferenceMs: millisecondsSchema.nullable(),
    readyMs: millisecondsSchema.nullable().describe('Session and first inference of the same process.'),
    steadyMs: millisecondsSchema.nullable(),
    sizeBytes: bytesSchema.nullable().describe('What it opens, on disk.'),
    cacheSizeBytes: bytesSchema.nullable().describe('What the model cache takes besides; null without one.'),
    peakRssBytes: bytesSchema.nullable(),
    boundTo: z
      .string()
      .nullable()
      .describe('What a saved graph or a model cache was made for; null where it works anywhere.'),
    samples: z.array(sampleSchema),
    error: sampleErrorSchema.nullable(),
  })
  .meta({ id: 'TunedConfiguration', description: 'Medians over processes; null without a measurement.' });

/** Session options of one variant. */
export const tuneResultSchema = z
  .strictObject({
    variantId: z.string(),
    engine: z.enum(engines),
    engineVersion: z.string(),
    memoryMiB: memorySchema,
    threads: countSchema,
    profile: profileSchema
      .nullable()
      .describe('How memory and processors were limited; null when they were not to be.'),
    configurations: z.array(configurationSchema),
    front: z
      .array(countSchema)
      .describe('Positions of those that none beats in ready, steady and bytes at once.'),
    chosen: z.strictObject({ own: sessionSchema, stream: sessionSchema }),
    reason: z.string(),
    cache: cacheStateSchema,
    machine: machineSchema,
    durationMs: millisecondsSchema,
    findings: findingsSchema,
  })
  .meta({ id: 'TuneResult' });

/** What tuning hands to reports. */
export type TuneReport = DeepReadonly<z.infer<typeof tuneResultSchema>>;
