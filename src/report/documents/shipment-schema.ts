import { z } from 'zod';
import { optimisationLevels } from '../../lib/session-options.js';
import { startModes } from '../../lib/start-mode.js';
import { engines, inferencePrecisions } from '../../lib/variant.js';
import { countSchema, deliverySchema, sha256Schema } from './shared-schemas.js';

const texts = z.record(z.string(), z.string());

/** What a release pipeline deploys of a choice. */
export const shipmentSchema = z
  .strictObject({
    variantId: z.string(),
    delivery: deliverySchema,
    startMode: z.enum(startModes),
    memoryMiB: z
      .number()
      .nullable()
      .describe('Of the function; null where no memory was imitated or imported.'),
    digest: sha256Schema,
    artifactUrl: z.string().nullable().describe('Of its artifact.json; null where it is in no store.'),
    storeUrl: z.string().nullable(),
    artifactKey: z.string().nullable().describe('Of its artifact.json, below the store.'),
    release: z
      .string()
      .nullable()
      .describe('That the run published with it; null where it published none, or another choice.'),
    engine: z.enum(engines),
    engineVersion: z.string().nullable(),
    inference: z.enum(inferencePrecisions).describe('What FP32 operations are computed in.'),
    binding: z.string().nullable().describe('What the artifact is bound to by what it is.'),
    architecture: z.string().describe('any, or that of the processor it is made for: x64, arm64.'),
    ephemeralMiB: countSchema.describe('Ephemeral storage that is needed, at least 512.'),
    threads: countSchema.nullable().describe('Inside one operator; null leaves it to the loader.'),
    session: z
      .strictObject({ prepacking: z.boolean(), optimisation: z.enum(optimisationLevels) })
      .nullable()
      .describe('Null for openvino, which has no such options.'),
    environment: texts.describe(
      'Environment variables: those that the loader reads, and MODEL_… that the handler of pipelines/lambda reads.',
    ),
    samParameters: texts
      .nullable()
      .describe('Of pipelines/lambda/template.yaml; null where that cannot ship it.'),
    samProblem: z.string().nullable().describe('Why there are no parameters.'),
  })
  .meta({ id: 'Shipment' });
