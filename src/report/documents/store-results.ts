import { z } from 'zod';
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
  })
  .meta({ id: 'PublishResult' });

/** What `stage` hands to reports. */
export type StageReport = DeepReadonly<z.infer<typeof stageResultSchema>>;
/** What `fetch` hands to reports. */
export type FetchReport = DeepReadonly<z.infer<typeof fetchResultSchema>>;
/** What `publish` hands to reports. */
export type PublishReport = DeepReadonly<z.infer<typeof publishResultSchema>>;
