import { z } from 'zod';
import { encryptionAlgorithms } from '../../lib/object-rules.js';
import type { DeepReadonly } from './deep-readonly.js';
import {
  bytesSchema,
  findingsSchema,
  millisecondsSchema,
  sha256Schema,
  sizedFileSchema,
} from './shared-schemas.js';

/** `result` of `stage`. */
export const stageResultSchema = z
  .strictObject({
    storeUrl: z.string(),
    name: z.string(),
    digest: sha256Schema,
    variantId: z.string(),
    artifactUrl: z.string(),
    artifactKey: z.string(),
    files: z.array(z.strictObject({ key: z.string(), sizeBytes: bytesSchema, sent: z.boolean() })),
    sentBytes: bytesSchema,
    reusedBytes: bytesSchema,
    durationMs: millisecondsSchema,
    findings: findingsSchema,
  })
  .meta({ id: 'StageResult' });

const placeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('directory') }),
  z.strictObject({
    kind: z.literal('s3'),
    endpoint: z.string().describe("The endpoint's address, or `Amazon S3 (REGION)`."),
    bucket: z.string(),
    region: z.string(),
    account: z.string().nullable().describe('The AWS account; null when it is not known.'),
    accountUnknownBecause: z.string().nullable(),
  }),
]);

const objectSettingsSchema = z.strictObject({
  cacheControl: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  encryption: z
    .strictObject({ algorithm: z.enum(encryptionAlgorithms), kmsKeyId: z.string().nullable() })
    .nullable(),
  storageClass: z.string().nullable(),
  expectedBucketOwner: z.string().nullable(),
  conditionalWrites: z.boolean(),
});

/** `result` of `stage --dry-run`. */
export const stagingPlanSchema = z
  .strictObject({
    dryRun: z.literal(true),
    storeUrl: z.string(),
    place: placeSchema,
    name: z.string(),
    digest: sha256Schema,
    variantId: z.string(),
    artifactUrl: z.string(),
    artifactKey: z.string(),
    objects: z.array(
      z.strictObject({
        key: z.string(),
        sizeBytes: bytesSchema,
        action: z.enum(['send', 'skip']),
        partSizeBytes: bytesSchema.nullable().describe('Null when it would go in one piece, or not at all.'),
        parts: z.int().min(0).describe('Requests that would carry bytes.'),
      }),
    ),
    sendBytes: bytesSchema,
    skipBytes: bytesSchema,
    concurrency: z.int().min(1),
    memoryBoundBytes: bytesSchema
      .nullable()
      .describe('Most that the parts on their way take in memory; null for a directory.'),
    settings: objectSettingsSchema,
  })
  .meta({ id: 'StagingPlan' });

/** Multipart uploads that nobody will complete. */
export const abandonedUploadsSchema = z.array(
  z
    .strictObject({
      url: z.string(),
      uploadId: z.string(),
      initiatedAtMs: z.number().nullable().describe('Milliseconds since 1970.'),
      reason: z.enum(['interrupted', 'old']),
      refusal: z.string().nullable().describe('Why its parts could not be removed.'),
    })
    .meta({ id: 'AbandonedUpload' }),
);

/** `result` of `stage --clean`. */
export const cleanResultSchema = z
  .strictObject({
    storeUrl: z.string(),
    name: z.string().nullable().describe('Null when the whole store was looked at.'),
    isDryRun: z.boolean(),
    abandoned: abandonedUploadsSchema,
    runningKeys: z.array(z.string()).describe('Uploads that run, or are too young to be judged.'),
    listRefusal: z.string().nullable().describe("Why the server's list could not be read."),
    findings: findingsSchema,
  })
  .meta({ id: 'CleanResult' });

/** `result` of `fetch`. */
export const fetchResultSchema = z
  .strictObject({
    url: z.string(),
    folder: z.string(),
    digest: sha256Schema,
    variantId: z.string(),
    release: z.string().nullable().describe('The release that the address led through.'),
    files: z.array(sizedFileSchema),
    sizeBytes: bytesSchema,
    reused: z.boolean().describe('The folder held this artifact already, intact.'),
    durationMs: millisecondsSchema,
    bytesPerSecond: z.number().min(0).nullable().describe('Null when nothing was downloaded.'),
  })
  .meta({ id: 'FetchResult' });

/** `result` of `publish`. */
export const publishResultSchema = z
  .strictObject({
    release: z.string(),
    releaseUrl: z.string(),
    currentUrl: z.string(),
    previousRelease: z.string().nullable(),
    findings: findingsSchema,
  })
  .meta({ id: 'PublishResult' });

/** What `stage` hands to reports. */
export type StageReport = DeepReadonly<z.infer<typeof stageResultSchema>>;
/** What `stage --dry-run` hands to reports. */
export type StagingPlanReport = DeepReadonly<z.infer<typeof stagingPlanSchema>>;
/** What `stage --clean` hands to reports. */
export type CleanReport = DeepReadonly<z.infer<typeof cleanResultSchema>>;
/** What `fetch` hands to reports. */
export type FetchReport = DeepReadonly<z.infer<typeof fetchResultSchema>>;
/** What `publish` hands to reports. */
export type PublishReport = DeepReadonly<z.infer<typeof publishResultSchema>>;
