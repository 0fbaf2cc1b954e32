import { z } from 'zod';
import type { DeepReadonly } from './deep-readonly.js';
import {
  bytesSchema,
  countSchema,
  deliverySchema,
  findingsSchema,
  millisecondsSchema,
} from './shared-schemas.js';

const phasesSchema = z
  .strictObject({
    startMs: millisecondsSchema,
    runtimeMs: millisecondsSchema,
    downloadMs: millisecondsSchema,
    sessionMs: millisecondsSchema,
    firstInferenceMs: millisecondsSchema,
  })
  .meta({ id: 'Phases' });

const spreadSchema = z
  .strictObject({
    median: z.number(),
    min: z.number(),
    max: z.number(),
    p95: z.number(),
    count: countSchema,
  })
  .meta({ id: 'Spread', description: 'Milliseconds.' });

const quantity = spreadSchema.nullable();

const quantitiesSchema = z
  .strictObject({
    startMs: quantity,
    runtimeMs: quantity,
    downloadMs: quantity,
    sessionMs: quantity,
    firstInferenceMs: quantity,
    loadMs: quantity,
    coldStartMs: quantity,
    totalMs: quantity,
    readyMs: quantity,
    steadyMs: quantity,
  })
  .meta({ id: 'BenchQuantities', description: 'Null without a measurement.' });

const environmentSchema = z.strictObject({ ms: millisecondsSchema, source: z.string() });

const rowSchema = z
  .strictObject({
    variantId: z.string(),
    delivery: deliverySchema,
    runs: countSchema,
    failures: countSchema,
    phases: quantitiesSchema,
    peakRssBytes: bytesSchema.nullable(),
    environment: environmentSchema.nullable().describe('Stated, not measured.'),
    comparable: z
      .strictObject({ total: z.string().nullable(), ready: z.string().nullable() })
      .describe('Why the sum leaves something out; null when it is comparable.'),
  })
  .meta({ id: 'BenchRow' });

const sampleSchema = z
  .strictObject({
    variantId: z.string(),
    delivery: deliverySchema,
    run: countSchema,
    phases: phasesSchema.nullable(),
    steadyMs: z.array(millisecondsSchema),
    peakRssBytes: bytesSchema.nullable(),
    cache: z.string(),
    error: z.strictObject({ code: z.string(), what: z.string() }).nullable(),
  })
  .meta({ id: 'BenchSample' });

/** `result` of `bench`. */
export const benchResultSchema = z
  .strictObject({
    rows: z.array(rowSchema),
    samples: z.array(sampleSchema),
    link: z.strictObject({
      label: z.string(),
      simulated: z.boolean(),
      latencyMs: millisecondsSchema.nullable(),
      bytesPerSecond: z.number().min(0).nullable(),
    }),
    cache: z.strictObject({ state: z.string(), title: z.string() }),
    machine: z.strictObject({
      cpuModel: z.string(),
      cores: countSchema,
      memoryBytes: bytesSchema,
      node: z.string(),
      platform: z.string(),
    }),
    threads: countSchema,
    durationMs: millisecondsSchema,
    findings: findingsSchema,
  })
  .meta({ id: 'BenchResult' });

/** What `bench` hands to reports. */
export type BenchReport = DeepReadonly<z.infer<typeof benchResultSchema>>;
/** One variant × delivery of a benchmark. */
export type BenchReportRow = BenchReport['rows'][number];
