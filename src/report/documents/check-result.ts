import { z } from 'zod';
import { engines, layouts } from '../../lib/variant.js';
import type { DeepReadonly } from './deep-readonly.js';
import { bytesSchema, deliverySchema, findingsSchema, sizedFileSchema } from './shared-schemas.js';

const budgetLineSchema = z
  .strictObject({
    budget: z.enum(['unzipped', 'ephemeral', 'memory', 'zipped']),
    usedBytes: bytesSchema,
    limitBytes: bytesSchema,
    leftBytes: z.number().int().describe('Negative when over.'),
    percent: z.number().min(0),
    counted: z.array(z.strictObject({ what: z.string(), sizeBytes: bytesSchema })),
    rule: z.enum(['smaller than', 'at most']),
    verdict: z.enum(['pass', 'fail', 'finding']),
  })
  .meta({ id: 'BudgetLine' });

const runtimePackSchema = z
  .strictObject({
    engine: z.enum(engines),
    layouts: z.array(z.enum(layouts)).describe('The layouts that need these files.'),
    version: z.string(),
    files: z.array(sizedFileSchema),
    sizeBytes: bytesSchema,
  })
  .meta({ id: 'RuntimePack' });

/** `result` of `check`. */
export const checkResultSchema = z
  .strictObject({
    limits: z.strictObject({
      profile: z.string(),
      unzippedBytes: bytesSchema,
      zippedBytes: bytesSchema,
      ephemeralBytes: bytesSchema,
      memoryBytes: bytesSchema.nullable(),
    }),
    rows: z.array(
      z.strictObject({
        variantId: z.string(),
        delivery: deliverySchema,
        verdict: z
          .enum(['pass', 'fail', 'unknown'])
          .describe('`unknown` where the engine is not installed here, and what is known fits.'),
        reason: z.string(),
        lines: z.array(budgetLineSchema),
      }),
    ),
    runtimePacks: z.array(runtimePackSchema),
    findings: findingsSchema,
  })
  .meta({ id: 'CheckResult' });

/** What `check` hands to reports. */
export type CheckReport = DeepReadonly<z.infer<typeof checkResultSchema>>;
