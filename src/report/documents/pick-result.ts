import { z } from 'zod';
import type { DeepReadonly } from './deep-readonly.js';
import { deliverySchema, findingsSchema } from './shared-schemas.js';

const who = { variantId: z.string(), delivery: deliverySchema };

/** `result` of `pick`. */
export const pickResultSchema = z
  .strictObject({
    objective: z.enum(['total', 'ready', 'steady', 'size']),
    winner: z
      .strictObject({ ...who, value: z.number(), unit: z.enum(['ms', 'bytes']), reason: z.string() })
      .nullable()
      .describe('Null when no candidate is left.'),
    losers: z.array(
      z.strictObject({
        ...who,
        value: z.number().nullable(),
        ratioToWinner: z.number().nullable(),
        reason: z.string(),
      }),
    ),
    notComparable: z.array(z.strictObject({ ...who, reason: z.string() })),
    findings: findingsSchema,
  })
  .meta({ id: 'PickResult' });

/** What `pick` hands to reports. */
export type PickReport = DeepReadonly<z.infer<typeof pickResultSchema>>;
