import type { PickReport } from '../../src/report/documents/pick-result.js';

type Shipment = NonNullable<PickReport['shipment']>;

/** What the winner of a sample run ships as. */
export const sampleShipment: Shipment = {
  variantId: 'fp16-weights.single',
  delivery: 's3-copy',
  startMode: 'on-demand',
  memoryMiB: 2048,
  digest: '9f2feb0a'.repeat(8),
  artifactUrl: `s3://models/m/objects/${'9f2feb0a'.repeat(8)}/artifact.json`,
  storeUrl: 's3://models',
  artifactKey: `m/objects/${'9f2feb0a'.repeat(8)}/artifact.json`,
  release: '20261130T160558Z-9f2feb0a',
  engine: 'onnxruntime',
  engineVersion: '1.30.0',
  inference: 'f32',
  binding: null,
  architecture: 'any',
  ephemeralMiB: 512,
  threads: null,
  session: { prepacking: true, optimisation: 'all' },
  environment: {
    MODEL_SOURCE: 's3://models/m/current.json',
    OPTIMISE_MODEL_RELEASE: '20261130T160558Z-9f2feb0a',
  },
  samParameters: {
    ModelBucket: 'models',
    ModelSource: 's3://models/m/current.json',
    ModelRelease: '20261130T160558Z-9f2feb0a',
    LoaderMemoryMiB: '2048',
    LoaderEphemeralMiB: '512',
  },
  samProblem: null,
};
