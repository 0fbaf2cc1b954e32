import { z } from 'zod';
import { spreadSchema } from './bench-parts.js';
import type { DeepReadonly } from './deep-readonly.js';
import { bytesSchema, countSchema, findingsSchema, millisecondsSchema } from './shared-schemas.js';

const startModeSchema = z.enum(['on-demand', 'snapstart', 'provisioned']);

const rowName = {
  functionName: z.string(),
  variantId: z.string().nullable().describe('What was opened; null where no record says it.'),
  memoryMiB: z.number().min(0),
  threads: countSchema.nullable().describe('Inside one operator; null where no record says it.'),
  startMode: startModeSchema,
  state: z.enum(['cold', 'warm']).describe('`cold`: the first call that a process answered.'),
  delivery: z
    .string()
    .nullable()
    .describe('How the bytes came; `image` is a container image; null where no record says it.'),
};

const quantity = spreadSchema.nullable();

const rowSchema = z
  .strictObject({
    ...rowName,
    calls: countSchema,
    failures: countSchema,
    metrics: z
      .strictObject({
        callingToLoadModelMs: quantity,
        loadModelMs: quantity,
        initialInferenceMs: quantity,
        approxInferenceTimeMs: quantity,
        callingLoadSumMs: quantity,
        totalMetricMs: quantity,
      })
      .describe('The six metrics of the cold-start study; null when every call failed.'),
    environmentMs: quantity.describe('From the call until the process existed; null for warm calls.'),
    initMs: quantity,
    restoreMs: quantity,
    billedMs: quantity,
    maxMemoryBytes: bytesSchema.nullable(),
  })
  .meta({ id: 'ImportRow' });

const invocationSchema = z
  .strictObject({
    ...rowName,
    requestId: z.string(),
    metrics: z.strictObject({
      callingToLoadModelMs: millisecondsSchema,
      loadModelMs: millisecondsSchema,
      initialInferenceMs: millisecondsSchema,
      approxInferenceTimeMs: millisecondsSchema,
      callingLoadSumMs: millisecondsSchema,
      totalMetricMs: millisecondsSchema,
    }),
    environmentMs: millisecondsSchema.nullable(),
    initMs: millisecondsSchema.nullable(),
    restoreMs: millisecondsSchema.nullable(),
    billedMs: millisecondsSchema.nullable(),
    maxMemoryBytes: bytesSchema.nullable(),
  })
  .meta({ id: 'ImportedInvocation' });

/** `result` of `bench import`. */
export const importResultSchema = z
  .strictObject({
    rows: z.array(rowSchema),
    invocations: z.array(invocationSchema),
    environments: z
      .array(
        z.strictObject({
          functionName: z.string(),
          variantId: z.string().nullable(),
          delivery: z.string().nullable(),
          memoryMiB: z.number().min(0),
          startMode: startModeSchema,
          count: countSchema,
          ms: millisecondsSchema,
          source: z.string(),
        }),
      )
      .describe('For `bench.environment` of the pipeline file.'),
    files: z.array(z.strictObject({ file: z.string(), records: countSchema, ignored: countSchema })),
    findings: findingsSchema,
  })
  .meta({ id: 'ImportResult' });

/** What `bench import --json` prints of an import that went well. */
export const importDocumentSchema = z.strictObject({
  schemaVersion: z.literal(1),
  toolVersion: z.string(),
  command: z.literal('bench import'),
  status: z.literal('ok'),
  result: importResultSchema,
  findings: findingsSchema,
});

/** What `bench import` hands to reports. */
export type ImportReport = DeepReadonly<z.infer<typeof importResultSchema>>;
/** All invocations of one name. */
export type ImportReportRow = ImportReport['rows'][number];
