import { z } from 'zod';
import { cacheStates } from '../../lib/cache-state.js';
import { optimisationLevels } from '../../lib/session-options.js';
import { bytesSchema, countSchema, deliverySchema, millisecondsSchema } from './shared-schemas.js';

/** What the page cache held when a sample began. */
export const cacheStateSchema = z.enum(cacheStates);

/** The memory setting that was imitated. */
export const memorySchema = z
  .number()
  .positive()
  .nullable()
  .describe('Of the profile, MiB; null for the whole machine.');

/** What tells rows of a benchmark apart. */
export const rowName = { variantId: z.string(), delivery: deliverySchema, memoryMiB: memorySchema };

/** A row, named from elsewhere. */
const rowNameSchema = z.strictObject(rowName).meta({ id: 'BenchRowName' });

/** What may be chosen about a session besides its threads. */
export const sessionSchema = z
  .strictObject({ prepacking: z.boolean(), optimisation: z.enum(optimisationLevels) })
  .meta({ id: 'SessionOptions' });

/** How one quantity spread. */
export const spreadSchema = z
  .strictObject({
    median: z.number(),
    min: z.number(),
    max: z.number(),
    p95: z.number().nullable().describe('Null of fewer than 20 values.'),
    count: countSchema,
  })
  .meta({ id: 'Spread', description: 'Milliseconds.' });

const ratioSchema = z
  .strictObject({
    ratio: z.number(),
    low: z.number(),
    high: z.number(),
    samples: countSchema.describe('Of the row that has fewer of them.'),
    verdict: z
      .enum(['slower', 'faster', 'no-measurable-difference', 'too-few-samples'])
      .describe(
        '`too-few-samples`: nothing was judged; low and high are the most extreme ratios that the values allow.',
      ),
  })
  .meta({ id: 'RatioInterval', description: 'A ratio of medians with its 95 % bootstrap interval.' });

/** One row against the fastest of the same memory and cache state. */
export const comparisonSchema = z
  .strictObject({
    row: rowNameSchema,
    against: rowNameSchema,
    cache: cacheStateSchema.describe('Of both rows.'),
    total: ratioSchema,
    steady: ratioSchema.nullable(),
  })
  .meta({ id: 'BenchComparison', description: 'The row ÷ the fastest of the same memory and cache state.' });

/** What a release said, and what was measured now. */
export const baselineSchema = z
  .strictObject({
    release: z.string(),
    baseline: rowNameSchema,
    candidate: rowNameSchema,
    mostRatio: z.number().describe('Highest ratio of totals that is accepted.'),
    total: ratioSchema,
    verdict: z
      .enum(['pass', 'fail', 'inconclusive'])
      .describe(
        '`inconclusive`: the interval reaches to both sides of what is accepted, or `total` has too few samples for one.',
      ),
  })
  .meta({ id: 'BaselineVerdict' });

/** What the bytes passed on their way. */
export const linkSchema = z
  .strictObject({
    label: z.string(),
    simulated: z.boolean(),
    latencyMs: millisecondsSchema.nullable(),
    jitterMs: millisecondsSchema.nullable(),
    bytesPerSecond: z.number().min(0).nullable(),
    perConnectionBytesPerSecond: z.number().min(0).nullable(),
    achieved: z
      .strictObject({ bytesPerSecond: z.number().min(0), latencyMs: millisecondsSchema })
      .nullable()
      .describe('What the link was seen to do before the first sample; null when nothing was shaped.'),
  })
  .meta({ id: 'BenchLink' });

/** The disk that files were read from. */
export const diskSchema = z
  .strictObject({
    bytesPerSecond: z
      .number()
      .min(0)
      .nullable()
      .describe('What it was held to; null when it was left as it is.'),
    enforcement: z.enum(['cgroup-v1', 'cgroup-v2', 'none']),
    label: z.string(),
  })
  .meta({ id: 'BenchDisk' });

/** How one memory setting was imitated. */
export const profileSchema = z
  .strictObject({
    memoryMiB: memorySchema,
    vcpus: z.number().min(0),
    threads: countSchema,
    threadsOrigin: z.string(),
    cpuLimit: z.enum(['cgroup-v1', 'cgroup-v2', 'affinity', 'none']),
    memoryLimit: z.enum(['cgroup-v1', 'cgroup-v2', 'none']),
  })
  .meta({ id: 'BenchProfile' });

/** What no way of loading these bytes over this link could beat. */
export const limitSchema = z
  .strictObject({
    linkBytes: bytesSchema.describe(
      "The artifact's bytes that pass the link, or of `layer` the disk held to a rate; 0 where nothing must.",
    ),
    linkMs: millisecondsSchema,
    sessionMs: millisecondsSchema.describe(
      "Median session on the memory-mapped FP32 form without prepacking, or the row's own where that is shorter.",
    ),
    loadMs: millisecondsSchema,
    efficiency: z.number().min(0).nullable().describe('The limit ÷ the median load, at most 1.'),
  })
  .meta({ id: 'PhysicalLimit' });

/** The machine that measured. */
export const machineSchema = z.strictObject({
  cpuModel: z.string(),
  cores: countSchema,
  memoryBytes: bytesSchema,
  node: z.string(),
  platform: z.string(),
});
