import { z } from 'zod';
import { metrics } from '../../lib/objective.js';
import { startModes } from '../../lib/start-mode.js';
import type { DeepReadonly } from './deep-readonly.js';
import { deliverySchema, findingsSchema } from './shared-schemas.js';
import { shipmentSchema } from './shipment-schema.js';

const who = {
  variantId: z.string(),
  delivery: deliverySchema,
  startMode: z.enum(startModes),
  memoryMiB: z.number().nullable().describe('Null for the whole machine.'),
};

const evidence = z
  .array(
    z.strictObject({
      kind: z.enum(['measured', 'imported', 'listed', 'assumed']),
      what: z.string(),
      source: z.string().nullable(),
    }),
  )
  .describe('What the value rests on.');

const objective = z.union([
  z.enum(metrics),
  z.strictObject({ weights: z.partialRecord(z.enum(metrics), z.number()) }),
]);

/** `result` of `pick`. */
export const pickResultSchema = z
  .strictObject({
    objective,
    winner: z
      .strictObject({
        ...who,
        value: z.number(),
        unit: z.enum(['ms', 'bytes', 'usd', 'score']),
        evidence,
        binding: z.string().nullable().describe('What the artifact is bound to by what it is.'),
        reason: z.string(),
      })
      .nullable()
      .describe('Null when no candidate is left.'),
    losers: z.array(
      z.strictObject({
        ...who,
        value: z.number().nullable(),
        ratioToWinner: z.number().nullable(),
        evidence,
        reason: z.string(),
      }),
    ),
    notComparable: z.array(z.strictObject({ ...who, reason: z.string() })),
    leftOut: z
      .array(z.strictObject({ variantId: z.string(), reason: z.string() }))
      .describe('What was asked for and could not be made.'),
    findings: findingsSchema,
    shipment: shipmentSchema.nullable().describe('What a release pipeline deploys; null without a winner.'),
  })
  .meta({ id: 'PickResult' });

/** What `pick` hands to reports. */
export type PickReport = DeepReadonly<z.infer<typeof pickResultSchema>>;
