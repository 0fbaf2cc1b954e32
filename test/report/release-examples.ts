import type {
  PromoteReport,
  PruneReport,
  ReleasesListReport,
} from '../../src/report/documents/release-results.js';

const digest = '9f2feb0a'.repeat(8);
const requires = { engine: 'onnxruntime', minimumVersion: '1.20.0', opset: 17, irVersion: 8 } as const;

/** What `releases list` found: two releases and a damaged document. */
export const list: ReleasesListReport = {
  storeUrl: 's3://models/all',
  models: [
    {
      name: 'rec',
      current: '20261130T160558Z-9f2feb0a',
      releases: [
        {
          ...{ release: '20261130T160558Z-9f2feb0a', isCurrent: true, createdAt: '2026-11-30T16:05:58.123Z' },
          ...{ variantId: 'fp16-weights.single', delivery: 's3-copy', artifacts: 2, sizeBytes: 16_272_193 },
          requires: { ...requires, architecture: 'any', boundTo: null, names: null },
        },
        {
          ...{
            release: '20261129T090000Z-00aa11bb',
            isCurrent: false,
            createdAt: '2026-11-29T09:00:00.000Z',
          },
          ...{ variantId: 'fp32.single', delivery: 'layer', artifacts: 1, sizeBytes: 10_822_323 },
          requires: { ...requires, architecture: 'x64', boundTo: null, names: null },
        },
      ],
      damaged: [{ url: 's3://models/all/rec/releases/r.json', problem: 'it is not JSON' }],
    },
    { name: '', current: null, releases: [], damaged: [] },
  ],
  findings: [],
};

/** What `releases promote` and `releases rollback` did. */
export const promote: PromoteReport = {
  ...{ name: 'rec', release: '20261129T090000Z-00aa11bb', moved: true, findings: [] },
  releaseUrl: 's3://models/all/rec/releases/20261129T090000Z-00aa11bb.json',
  currentUrl: 's3://models/all/rec/current.json',
  previousRelease: '20261130T160558Z-9f2feb0a',
};

/** What `releases prune` would remove. */
export const prune: PruneReport = {
  ...{ storeUrl: 's3://models/all', isDryRun: true, graceMs: 86_400_000, keep: 2 },
  models: [
    {
      ...{ name: 'rec', refusals: [], spared: { folders: 1, sizeBytes: 5_000_000 } },
      releases: [{ release: '20261101T090000Z-00aa11bb', outcome: 'planned', reason: null }],
      folders: [
        {
          ...{ digest, objects: 3, sizeBytes: 10_822_323, newestAt: '2026-11-01T09:00:00.000Z' },
          ...{ outcome: 'planned', reason: null },
        },
        {
          ...{ digest, objects: 3, sizeBytes: 10_822_323, newestAt: '2026-11-01T09:00:00.000Z' },
          ...{ outcome: 'kept', reason: 'release 20261130T160558Z-9f2feb0a refers to it now' },
        },
      ],
    },
    {
      ...{ name: 'det', releases: [], folders: [], spared: { folders: 0, sizeBytes: 0 } },
      refusals: ['s3://models/all/det/current.json: it is not JSON'],
    },
  ],
  abandoned: [
    {
      url: 's3://models/all/rec/objects/x/model.onnx',
      uploadId: 'U1',
      initiatedAtMs: Date.UTC(2026, 10, 1, 9),
      ...{ reason: 'interrupted', refusal: null },
    },
  ],
  ...{ releases: 1, artifacts: 1, objects: 3, sizeBytes: 10_822_323, uploads: 1, findings: [] },
};
