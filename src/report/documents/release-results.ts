import { z } from 'zod';
import { artifactRecordSchema } from './artifact-record.js';
import type { DeepReadonly } from './deep-readonly.js';
import {
  bytesSchema,
  countSchema,
  deliverySchema,
  findingsSchema,
  millisecondsSchema,
  sha256Schema,
} from './shared-schemas.js';
import { abandonedUploadsSchema, publishResultSchema } from './store-results.js';

const momentSchema = z.string().describe('UTC, ISO 8601.');

const listedReleaseSchema = z
  .strictObject({
    release: z.string(),
    isCurrent: z.boolean(),
    createdAt: momentSchema,
    variantId: z.string(),
    delivery: deliverySchema,
    artifacts: countSchema,
    sizeBytes: bytesSchema.describe('Of all artifacts together.'),
    requires: artifactRecordSchema.shape.requires.describe('What the chosen artifact needs to run.'),
  })
  .meta({ id: 'ListedRelease' });

/** `result` of `releases list`. */
export const releasesListSchema = z
  .strictObject({
    storeUrl: z.string(),
    models: z.array(
      z.strictObject({
        name: z.string().describe('Empty when the store is a model of its own.'),
        current: z.string().nullable(),
        releases: z.array(listedReleaseSchema).describe('Newest first.'),
        damaged: z.array(z.strictObject({ url: z.string(), problem: z.string() })),
      }),
    ),
    findings: findingsSchema,
  })
  .meta({ id: 'ReleasesListResult' });

/** `result` of `releases promote` and `releases rollback`. */
export const promoteResultSchema = publishResultSchema
  .extend({ name: z.string(), moved: z.boolean().describe('False when it was current already.') })
  .meta({ id: 'PromoteResult' });

const fate = {
  outcome: z
    .enum(['planned', 'removed', 'kept'])
    .describe('`planned` in a dry run; `kept` when it was in use after all, or could not be removed.'),
  reason: z.string().nullable().describe('Why it was kept.'),
};

const prunedModelSchema = z
  .strictObject({
    name: z.string(),
    refusals: z.array(z.string()).describe('Why nothing of it may be removed.'),
    releases: z.array(z.strictObject({ release: z.string(), ...fate })),
    folders: z.array(
      z.strictObject({
        digest: sha256Schema,
        objects: countSchema,
        sizeBytes: bytesSchema,
        newestAt: momentSchema,
        ...fate,
      }),
    ),
    spared: z
      .strictObject({ folders: countSchema, sizeBytes: bytesSchema })
      .describe('Not referred to either, but within the grace or being written to.'),
  })
  .meta({ id: 'PrunedModel' });

/** `result` of `releases prune`. */
export const pruneResultSchema = z
  .strictObject({
    storeUrl: z.string(),
    isDryRun: z.boolean(),
    graceMs: millisecondsSchema,
    keep: countSchema.nullable(),
    models: z.array(prunedModelSchema),
    abandoned: abandonedUploadsSchema,
    releases: countSchema.describe('Release documents that were removed, or would be.'),
    artifacts: countSchema.describe('Artifacts that were removed, or would be.'),
    objects: countSchema.describe('Files of these artifacts.'),
    sizeBytes: bytesSchema.describe('Of these files together.'),
    uploads: countSchema.describe('Interrupted uploads whose parts were removed, or would be.'),
    findings: findingsSchema,
  })
  .meta({ id: 'PruneResult' });

/** What `releases list` hands to reports. */
export type ReleasesListReport = DeepReadonly<z.infer<typeof releasesListSchema>>;
/** What `releases promote` and `releases rollback` hand to reports. */
export type PromoteReport = DeepReadonly<z.infer<typeof promoteResultSchema>>;
/** What `releases prune` hands to reports. */
export type PruneReport = DeepReadonly<z.infer<typeof pruneResultSchema>>;
