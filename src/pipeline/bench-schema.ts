import { z } from 'zod';
import { cacheModes } from '../lib/cache-state.js';
import { deliveries, usualDeliveries } from '../lib/delivery.js';

const positive = z.number().int().min(1);

const environmentSchema = z
  .partialRecord(
    z.enum(deliveries),
    z
      .strictObject({
        ms: z.number().min(0).describe('All of it, no difference to another delivery, milliseconds.'),
        p95Ms: z
          .number()
          .min(0)
          .optional()
          .describe('Its 95th percentile, ms; without it no limit on one of `pick` is passed.'),
        source: z.string().min(1).describe('What this figure rests on.'),
      })
      .refine(({ ms, p95Ms }) => p95Ms === undefined || p95Ms >= ms, {
        error: 'must have a p95Ms that is not below ms',
      }),
  )
  .describe(
    'The time before the process exists, which one machine cannot measure; state it for every delivery that is compared.',
  );

const linkSchema = z.union(
  [
    z.string().min(1),
    z.strictObject({
      latencyMs: z
        .number()
        .min(0)
        .max(60_000)
        .default(20)
        .describe('Time to the first byte of each request, ms.'),
      jitterMs: z
        .number()
        .min(0)
        .default(0)
        .describe('How far each latency may be off, ms; at most latencyMs.'),
      mbPerSecond: z
        .number()
        .positive()
        .default(90)
        .describe('Bandwidth shared by all connections, 10^6 bytes per second.'),
      perConnectionMbPerSecond: z
        .number()
        .positive()
        .optional()
        .describe('Bandwidth of one connection, 10^6 bytes per second; all of it when left out.'),
    }),
  ],
  {
    error:
      'must be the name of a preset, real, or latencyMs, jitterMs, mbPerSecond and perConnectionMbPerSecond',
  },
);

const hubSchema = z
  .strictObject({
    url: z
      .string()
      .regex(/^https?:\/\//, 'must be an http(s) address')
      .optional()
      .describe("Address below which the store's keys are files; served from this machine when left out."),
    link: linkSchema.optional().describe('The link in front of what is served here; `link` when left out.'),
  })
  .describe('Where delivery `url` reads from.');

const mountSchema = z
  .strictObject({
    folder: z.string().min(1).describe('Folder where the store is mounted: its keys are files below it.'),
    mode: z
      .enum(['copy', 'direct'])
      .default('copy')
      .describe('Copied to ephemeral storage first, or opened where it is.'),
  })
  .describe('What delivery `mount` reads through.');

const priceSchema = z
  .union(
    [
      z.strictObject({
        region: z.string().min(1).describe('AWS region, such as us-east-1.'),
        architecture: z.enum(['x86_64', 'arm64']).default('x86_64'),
      }),
      z.strictObject({ usdPerHour: z.number().positive().describe('Price of the host, USD per hour.') }),
    ],
    { error: 'must be region and architecture (x86_64 or arm64) of Lambda, or usdPerHour' },
  )
  .describe('What 100,000 inferences are priced by: Lambda at `memoryMiB`, or a host by the hour.');

/** The `bench` section of the pipeline file. */
export const benchSchema = z.strictObject({
  deliveries: z
    .array(z.enum(deliveries))
    .min(1)
    .default([...usualDeliveries])
    .describe('How the bytes reach the process; `mount` needs `mount.folder`.'),
  runs: positive
    .max(1000)
    .default(7)
    .describe('Samples per row, each a new process; differences can be told from six on.'),
  targetWidth: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe(
      'Goes on until the 95 % interval of each median total is at most this share of it wide, such as 0.05.',
    ),
  mostRuns: positive
    .max(1000)
    .optional()
    .describe('Where `targetWidth` stops; six times `runs` when left out.'),
  warm: z.number().int().min(0).max(100_000).default(20).describe('Inferences after the first, per sample.'),
  memoryMiB: z
    .union([positive, z.array(positive).min(1)])
    .optional()
    .describe('Memory of the functions that are imitated, MiB; the machine as it is when left out.'),
  threads: positive
    .max(1024)
    .optional()
    .describe('Threads inside one operator; what the CPU quota allows when left out.'),
  cache: z
    .enum(cacheModes)
    .default('evict')
    .describe('Before each sample: evict its files from the page cache, drop all of it, or fill it.'),
  timeoutSeconds: positive
    .max(86_400)
    .default(15 * 60)
    .describe('Longest that one sample may take, seconds.'),
  environment: environmentSchema.optional(),
  link: linkSchema
    .default({ latencyMs: 20, jitterMs: 0, mbPerSecond: 90 })
    .describe('The link in front of a store of this machine: a preset, `real` for none, or its figures.'),
  disk: z
    .union([z.string().min(1), z.strictObject({ mbPerSecond: z.number().positive() })], {
      error: 'must be the name of a preset, or mbPerSecond',
    })
    .optional()
    .describe(
      'What files of this machine are read at: a preset, or 10^6 bytes per second; as it is when left out.',
    ),
  hub: hubSchema.optional(),
  mount: mountSchema.optional(),
  baseline: z
    .strictObject({
      release: z.string().min(1).describe('Name of a release of this model, `current`, or its address.'),
      maxSlowdown: z
        .number()
        .min(0)
        .max(1)
        .default(0.1)
        .describe('How much higher the lowest total may be, whatever pick minimises, such as 0.1 for 10 %.'),
    })
    .optional()
    .describe(
      'An earlier release that is measured beside the variants: nothing is published when they are slower.',
    ),
  tune: z.boolean().default(false).describe('Chooses session options by measuring them first.'),
  sweep: z.boolean().default(false).describe('Measures workers × threads in steady state.'),
  price: priceSchema.optional(),
});
