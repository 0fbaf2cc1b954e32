import { z } from 'zod';
import { engines } from '../../lib/variant.js';
import {
  baselineSchema,
  cacheStateSchema,
  comparisonSchema,
  diskSchema,
  limitSchema,
  linkSchema,
  machineSchema,
  profileSchema,
  rowName,
  sessionSchema,
  spreadSchema,
} from './bench-parts.js';
import type { DeepReadonly } from './deep-readonly.js';
import { bytesSchema, countSchema, findingsSchema, millisecondsSchema } from './shared-schemas.js';

const phasesSchema = z
  .strictObject({
    startMs: millisecondsSchema,
    runtimeMs: millisecondsSchema,
    downloadMs: millisecondsSchema,
    sessionMs: millisecondsSchema,
    firstInferenceMs: millisecondsSchema,
  })
  .meta({ id: 'Phases' });

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
    ...rowName,
    cache: cacheStateSchema,
    session: sessionSchema,
    runs: countSchema,
    failures: countSchema,
    phases: quantitiesSchema,
    outliers: z
      .array(countSchema)
      .describe('Runs whose total lies far off by the median absolute deviation; part of every figure.'),
    peakRssBytes: bytesSchema.nullable(),
    environment: environmentSchema.nullable().describe('Stated, not measured.'),
    comparable: z
      .strictObject({ total: z.string().nullable(), ready: z.string().nullable() })
      .describe('Why the sum leaves something out; null when it is comparable.'),
    limit: limitSchema.nullable().describe('Null where the floor or the link is not known.'),
  })
  .meta({ id: 'BenchRow' });

const sampleSchema = z
  .strictObject({
    ...rowName,
    run: countSchema,
    phases: phasesSchema.nullable(),
    steadyMs: z.array(millisecondsSchema),
    peakRssBytes: bytesSchema.nullable(),
    cache: cacheStateSchema,
    stealMs: millisecondsSchema.nullable().describe('What the host took from all processors meanwhile.'),
    error: z.strictObject({ code: z.string(), what: z.string() }).nullable(),
  })
  .meta({ id: 'BenchSample' });

/** `result` of `bench`. */
export const benchResultSchema = z
  .strictObject({
    rows: z.array(rowSchema),
    comparisons: z.array(comparisonSchema),
    baseline: baselineSchema.nullable().describe('Null when no release was named.'),
    samples: z.array(sampleSchema),
    limitSamples: z
      .array(sampleSchema)
      .describe('What only the physical limits rest on: sessions on the expanded form, without a link.'),
    link: linkSchema,
    hubLink: linkSchema
      .nullable()
      .describe('What the bytes of `url` passed, where that is another link; else null.'),
    disk: diskSchema,
    profiles: z.array(profileSchema),
    cache: z
      .strictObject({ state: cacheStateSchema, title: z.string() })
      .describe('Of most samples; each row says its own.'),
    runtimes: z
      .array(z.strictObject({ engine: z.enum(engines), version: z.string() }))
      .describe('The engines that were measured.'),
    machine: machineSchema,
    durationMs: millisecondsSchema,
    findings: findingsSchema,
  })
  .meta({ id: 'BenchResult' });

/** What `bench` hands to reports. */
export type BenchReport = DeepReadonly<z.infer<typeof benchResultSchema>>;
/** One variant × delivery × memory of a benchmark, in one cache state. */
export type BenchReportRow = BenchReport['rows'][number];
/** One process of a benchmark. */
export type BenchReportSample = BenchReport['samples'][number];
