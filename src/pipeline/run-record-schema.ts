import { z } from 'zod';
import { benchSchema } from './bench-schema.js';
import { pickSchema } from './pick-schema.js';

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
    variants: z.array(
      z.looseObject({
        ...{ precision: z.string(), layout: z.string(), engine: z.string() },
        // Records of 0.1 do not have it.
        inference: z.string().default('f32'),
      }),
    ),
    stage: z.looseObject({ to: z.string() }),
    // What a later version asks more is filled in, so that a run of an earlier one can be measured again.
    bench: benchSchema,
    pick: pickSchema,
  }),
  startedAt: z.string(),
  reached: z.array(z.looseObject({ verb: z.string(), subject: z.string(), reused: z.boolean() })),
  steps: z.array(stepSchema),
});
