import { z } from 'zod';
import {
  accountIdPattern,
  archiveClasses,
  archiveRefusal,
  encryptionAlgorithms,
  findTagProblem,
  headerTextPattern,
  storageClasses,
} from '../lib/object-rules.js';

const archives: readonly string[] = archiveClasses;

const tagsSchema = z
  .record(z.string(), z.string({ error: 'must be text: put numbers and truth values in quotes' }))
  .superRefine((tags, context) => {
    const problem = findTagProblem(tags);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `must be ${problem}` });
  })
  .default({})
  .describe('Tags of every object that is written, 10 at most.');

const encryptionSchema = z
  .strictObject({
    algorithm: z
      .enum(encryptionAlgorithms)
      .describe('AES256 for SSE-S3, aws:kms or aws:kms:dsse for SSE-KMS.'),
    kmsKeyId: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be the id or ARN of a KMS key')
      .optional()
      .describe("Id or ARN of the KMS key; the account's default key when left out."),
  })
  .refine(({ algorithm, kmsKeyId }) => kmsKeyId === undefined || algorithm !== 'AES256', {
    message: 'must be without kmsKeyId, or with algorithm aws:kms or aws:kms:dsse',
  })
  .optional()
  .describe("Server-side encryption; the bucket's default when left out.");

/** The `stage` section of the pipeline file: where to, and how objects are written to S3. */
export const stageSchema = z.strictObject({
  to: z
    .string()
    .min(1)
    .optional()
    .describe('s3://bucket/prefix or a folder; the embedded store artifacts/store when left out.'),
  partSizeMiB: z
    .number()
    .int()
    .min(5)
    .max(5120)
    .optional()
    .describe('Part size of multipart uploads, MiB; chosen from the size of each file when left out.'),
  concurrency: z.number().int().min(1).max(64).default(4).describe('Parts sent at the same time.'),
  cacheControl: z
    .string()
    .regex(headerTextPattern, 'must be plain ASCII text')
    .optional()
    .describe(
      'Cache-Control of every object but current.json; `max-age=31536000, immutable` when left out, none when empty.',
    ),
  tags: tagsSchema,
  encryption: encryptionSchema,
  storageClass: z
    .enum([...storageClasses, ...archiveClasses])
    .refine((name) => !archives.includes(name), { message: `must be ${archiveRefusal}` })
    .optional()
    .describe("Storage class of the files of artifacts; the server's default when left out."),
  expectedBucketOwner: z
    .string({ error: 'must be an account id of 12 digits, in quotes' })
    .regex(accountIdPattern, 'must be an account id of 12 digits, in quotes')
    .optional()
    .describe('Account that must own the bucket; other buckets are refused.'),
});
