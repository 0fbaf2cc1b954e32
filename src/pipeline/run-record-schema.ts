import { z } from 'zod';

const stepSchema = z.looseObject({
  verb: z.string(),
  subject: z.string(),
  key: z.string(),
  output: z.looseObject({}),
  line: z.string(),
  findings: z.array(z.looseObject({ code: z.string(), severity: z.string(), what: z.string() })),
  verdict: z.enum(['ok', 'partly', 'no']),
  durationMs: z.number(),
  finishedAt: z.string(),
});

/**
 * The form of `run.json`. What the steps returned is not described again: their keys name the code that wrote it, and
 * a record of other code is only used step by step, by equal keys.
 */
export const runRecordSchema = z.looseObject({
  schemaVersion: z.literal(1),
  kind: z.literal('run'),
  name: z.string(),
  toolVersion: z.string(),
  code: z.string(),
  pipeline: z.looseObject({
    path: z.string(),
    model: z.string(),
    output: z.string(),
    variants: z.array(z.looseObject({ precision: z.string(), layout: z.string(), engine: z.string() })),
    stage: z.looseObject({ to: z.string() }),
    bench: z.looseObject({ deliveries: z.array(z.string()) }),
    pick: z.looseObject({ objective: z.string() }),
  }),
  startedAt: z.string(),
  reached: z.array(z.looseObject({ verb: z.string(), subject: z.string(), reused: z.boolean() })),
  steps: z.array(stepSchema),
});
