import { z } from 'zod';
import { machineSchema, memorySchema, profileSchema, sessionSchema } from './bench-parts.js';
import type { DeepReadonly } from './deep-readonly.js';
import { bytesSchema, countSchema, findingsSchema, millisecondsSchema } from './shared-schemas.js';

/** Why something that was to be measured gave no figure. */
export const sampleErrorSchema = z.strictObject({ code: z.string(), what: z.string() });

const pointSchema = z
  .strictObject({
    workers: countSchema.describe('Processes at a time, each with one session.'),
    threads: countSchema.describe('Of each worker.'),
    isOversubscribed: z.boolean().describe('More threads altogether than processors.'),
    inferences: countSchema,
    windowMs: millisecondsSchema,
    p50Ms: millisecondsSchema.nullable(),
    p95Ms: millisecondsSchema.nullable().describe('Of 20 inferences or more.'),
    p99Ms: millisecondsSchema.nullable().describe('Of 100 inferences or more.'),
    billedMs: millisecondsSchema
      .nullable()
      .describe('Mean of the durations, each rounded up to the millisecond.'),
    throughputPerSecond: z.number().min(0).nullable().describe('All workers together.'),
    peakRssBytes: bytesSchema.nullable().describe('Of all workers; pages that they share count for each.'),
    costPer100kUsd: z.number().min(0).nullable().describe('Null without a price that fits.'),
    error: sampleErrorSchema.nullable(),
  })
  .meta({ id: 'SweepPoint' });

const placeSchema = countSchema.nullable().describe('A position in `points`.');

/** Workers × threads of one variant in one memory profile. */
export const sweepResultSchema = z
  .strictObject({
    variantId: z.string(),
    memoryMiB: memorySchema,
    cpus: z.number().positive().describe('Processors that all workers shared.'),
    profile: profileSchema
      .nullable()
      .describe('How memory and processors were limited; null when they were not to be.'),
    session: sessionSchema,
    points: z.array(pointSchema),
    best: z.strictObject({ latency: placeSchema, throughput: placeSchema, cost: placeSchema }),
    priceBasis: z.string().nullable().describe('What the cost rests on; null when there is none.'),
    machine: machineSchema,
    durationMs: millisecondsSchema,
    findings: findingsSchema,
  })
  .meta({ id: 'SweepResult' });

/** What a sweep hands to reports. */
export type SweepReport = DeepReadonly<z.infer<typeof sweepResultSchema>>;
