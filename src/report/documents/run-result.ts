import { z } from 'zod';
import { benchResultSchema } from './bench-result.js';
import { checkResultSchema } from './check-result.js';
import type { DeepReadonly } from './deep-readonly.js';
import { importResultSchema } from './import-result.js';
import { parityResultSchema } from './parity-result.js';
import { pickResultSchema } from './pick-result.js';
import {
  bytesSchema,
  countSchema,
  findingsSchema,
  millisecondsSchema,
  sha256Schema,
  sizedFileSchema,
} from './shared-schemas.js';
import { publishResultSchema } from './store-results.js';
import { sweepResultSchema } from './sweep-result.js';
import { tuneResultSchema } from './tune-result.js';

const variantRowSchema = z
  .strictObject({
    id: z.string(),
    digest: sha256Schema.nullable(),
    sizeBytes: bytesSchema,
    files: z.array(sizedFileSchema),
    weightsFp16: countSchema.describe('Weights stored as FP16.'),
    weightsKeptFp32: countSchema.describe('FP32 weights that stayed FP32.'),
    castsAdded: countSchema,
    nodesFp16: countSchema.describe('Nodes that compute in FP16.'),
    nodesAllowed: countSchema.describe('Nodes whose operators take FP16.'),
  })
  .meta({ id: 'RunVariant' });

/** `result` of `run`, and what every report is drawn from. */
export const runResultSchema = z
  .strictObject({
    name: z.string(),
    toolVersion: z.string(),
    model: z.strictObject({ path: z.string(), sizeBytes: bytesSchema, sha256: sha256Schema }),
    startedAt: z.string().describe('UTC, ISO 8601.'),
    finishedAt: z.string().describe('UTC, ISO 8601.'),
    steps: z.array(
      z.strictObject({
        verb: z.string(),
        subject: z.string(),
        line: z.string(),
        verdict: z
          .enum(['ok', 'partly', 'no'])
          .describe(
            '`no` when what was done came out against what it looked at, `partly` for some of it or unjudged.',
          ),
        reused: z.boolean(),
        durationMs: millisecondsSchema,
        finishedAt: z.string().describe('When it was done, in this run or in an earlier one; UTC, ISO 8601.'),
      }),
    ),
    variants: z.array(variantRowSchema),
    leftOut: z
      .array(
        z.strictObject({
          variantId: z.string(),
          code: z.string().describe('Of the error that kept it from being made.'),
          reason: z.string(),
          remedy: z.string(),
        }),
      )
      .describe('Variants for openvino that could not be made, while others could.'),
    parity: z.array(parityResultSchema.extend({ variantId: z.string() })),
    budgets: checkResultSchema.nullable(),
    bench: benchResultSchema.nullable(),
    tunes: z
      .array(tuneResultSchema)
      .describe('What session options were chosen by, one per variant; empty where that was not asked for.'),
    sweeps: z
      .array(sweepResultSchema)
      .describe('Workers × threads, one per variant and memory profile; empty where that was not asked for.'),
    imported: z
      .array(importResultSchema)
      .describe('Real runs that the report sets beside the benchmark; empty where none were named.'),
    pick: pickResultSchema.nullable(),
    publish: publishResultSchema.nullable(),
    findings: findingsSchema,
  })
  .meta({ id: 'RunResult' });

/** `result` of `run --dry-run`. */
export const dryRunResultSchema = z
  .strictObject({
    pipeline: z
      .record(z.string(), z.unknown())
      .describe('As it would be run: defaults filled in, paths absolute; keys as in the pipeline schema.'),
  })
  .meta({ id: 'DryRunResult' });

/** `result` of `report`. */
export const reportResultSchema = z
  .strictObject({
    run: z.string().describe('The run folder.'),
    written: z.array(
      z.strictObject({
        format: z.enum(['html', 'markdown', 'json']),
        path: z.string(),
        sizeBytes: bytesSchema,
      }),
    ),
  })
  .meta({ id: 'ReportResult' });

/** `result` of `doctor`. */
export const doctorResultSchema = z
  .strictObject({
    sections: z.array(
      z.strictObject({
        title: z.string(),
        rows: z.array(z.strictObject({ name: z.string(), value: z.string(), note: z.string() })),
      }),
    ),
  })
  .meta({ id: 'DoctorResult' });

/** What reports are drawn from. */
export type RunReport = DeepReadonly<z.infer<typeof runResultSchema>>;
/** What `doctor` hands to reports. */
export type DoctorReport = DeepReadonly<z.infer<typeof doctorResultSchema>>;
