import type { ConvertReport } from '../../src/report/documents/convert-result.js';
import type { InspectReport } from '../../src/report/documents/inspect-result.js';
import type { DoctorReport } from '../../src/report/documents/run-result.js';
import type { FetchReport, PublishReport, StageReport } from '../../src/report/documents/store-results.js';
import type { RunView } from '../../src/report/run-view.js';
import { sampleSweep, sampleTune } from './sample-sessions.js';
import { makeSampleView } from './sample-view.js';

const sha256 = '9f2feb0a'.repeat(8);
const view = await makeSampleView();

function take<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the sample view is complete');
  return value;
}

const convert: ConvertReport = {
  variant: {
    id: 'fp16-weights.single',
    precision: 'fp16-weights',
    engine: 'onnxruntime',
    layout: 'single',
    inference: 'f32',
  },
  out: 'artifacts/demo/variants/fp16-weights.single',
  record: {
    schemaVersion: 1,
    kind: 'artifact',
    variant: {
      id: 'fp16-weights.single',
      precision: 'fp16-weights',
      engine: 'onnxruntime',
      layout: 'single',
      inference: 'f32',
    },
    entry: 'model.onnx',
    files: [{ path: 'model.onnx', sizeBytes: 5_449_870, sha256 }],
    digest: sha256,
    sizeBytes: 5_449_870,
    expandedSizeBytes: 10_822_323,
    requires: {
      engine: 'onnxruntime',
      minimumVersion: '1.20.0',
      opset: 11,
      irVersion: 7,
      architecture: 'any',
      boundTo: null,
      names: null,
    },
    provenance: {
      toolVersion: '0.1.0',
      sourceName: 'rec.onnx',
      sourceSizeBytes: 10_822_323,
      sourceSha256: null,
      options: { minWeightBytes: 1024, io: 'fp32', keepFp32: ['op:Softmax'] },
    },
    expansion: {
      entry: 'model.onnx',
      literals: 'S0xKTgEA',
      files: [
        {
          path: 'model.onnx',
          sizeBytes: 10_822_323,
          parts: [
            ['copy', 0, 0, 77_417],
            ['literal', 0, 5],
            ['zeros', 1],
            ['expand', 0, 77_420, 5_372_450],
          ],
        },
      ],
    },
  },
  sourceSizeBytes: 10_822_323,
  sizeBytes: 5_449_870,
  weights: {
    storedAsFp16: 168,
    fp16Bytes: 5_372_453,
    losslessTensors: 3,
    values: 2_686_226,
    vanishedValues: 1204,
    subnormalValues: 56_011,
    overflowingValues: 2,
    clampedValues: 0,
    maxRelativeError: 0.000_487,
    keptFp32: [
      { name: 'conv2d_0.w_0', scope: 'graph', reason: 'below the size threshold', sizeBytes: 512 },
      { name: 'scale', scope: 'graph/If[3].then_branch', reason: 'beyond FP16', sizeBytes: 4096 },
    ],
  },
  nodes: { total: 812, allowed: 390, fp16: 0, keptFp32: [] },
  castsAdded: 168,
  loadCheck: 'opened',
  findings: [],
};

/** The same model as an FP16 graph. */
export const convertedGraph: ConvertReport = {
  ...convert,
  variant: {
    id: 'fp16.single',
    precision: 'fp16',
    engine: 'onnxruntime',
    layout: 'single',
    inference: 'f32',
  },
  nodes: {
    total: 812,
    allowed: 390,
    fp16: 381,
    keptFp32: [
      { reason: 'small-numbers', count: 2, examples: ["Add 'p2o.Add.11'", "Div 'p2o.Div.1'"] },
      {
        reason: 'growing-sums',
        count: 7,
        examples: ['ReduceMean', 'Pow', "Mul 'sq'", 'ReduceSum', "Exp 'e' in graph/If[3].then_branch"],
      },
      { reason: 'fp32-only-slot', count: 1, examples: ["NonMaxSuppression 'nms'"] },
    ],
  },
  castsAdded: 23,
};

const inspect: InspectReport = {
  path: 'rec.onnx',
  sizeBytes: 10_822_323,
  irVersion: 7,
  producer: 'paddle2onnx 1.0',
  opsets: [{ domain: '', version: 11 }],
  inputs: [{ name: 'x', isTensor: true, type: 'float32', dims: ['?', 3, 48, '?'] }],
  outputs: [{ name: 'softmax_11.tmp_0', isTensor: true, type: 'float32', dims: ['?', '?', 6625] }],
  nodeCount: 820,
  scopes: [
    { kind: 'graph', count: 1, nodeCount: 780 },
    { kind: 'body', count: 2, nodeCount: 32 },
    { kind: 'function', count: 1, nodeCount: 8 },
  ],
  functions: [{ domain: 'local', name: 'Gelu', nodeCount: 8 }],
  operators: [
    { type: 'Constant', domain: '', count: 412 },
    { type: 'Conv', domain: '', count: 62 },
  ],
  weights: [{ type: 'float', tensorCount: 380, parameters: 2_690_000, sizeBytes: 10_760_000 }],
  largestTensors: [
    {
      name: 'linear_9.w_0',
      scope: 'graph',
      role: 'constant',
      type: 'float',
      dims: [120, 6625],
      sizeBytes: 3_180_000,
    },
  ],
  externalFiles: [
    { location: 'w.bin', path: '/models/w.bin', sizeBytes: 100, referencedBytes: 80, tensorCount: 2 },
  ],
  passedFields: [
    { message: 'NodeProto', field: 9, name: 'metadata_props', count: 1204 },
    { message: 'NodeProto', field: 99, name: null, count: 3 },
  ],
  estimates: { fp32Bytes: 10_822_323, fp16WeightsBytes: 5_449_870, fp16Bytes: 5_440_000 },
};

const stage: StageReport = {
  storeUrl: 's3://models/vit',
  name: 'rec',
  digest: sha256,
  variantId: 'fp16-weights.single',
  artifactUrl: `s3://models/vit/rec/objects/${sha256}/artifact.json`,
  artifactKey: `rec/objects/${sha256}/artifact.json`,
  files: [
    { key: `rec/objects/${sha256}/model.onnx`, sizeBytes: 5_449_870, sent: true },
    { key: `rec/objects/${sha256}/artifact.json`, sizeBytes: 1201, sent: false },
  ],
  sentBytes: 5_449_870,
  reusedBytes: 1201,
  durationMs: 312,
  findings: [],
};

const fetch: FetchReport = {
  url: 's3://models/vit/rec/current.json',
  folder: '/tmp/rec',
  digest: sha256,
  variantId: 'fp16-weights.single',
  release: '20261130T160558Z-9f2feb0a',
  files: [{ path: 'model.onnx', sizeBytes: 5_449_870 }],
  sizeBytes: 5_449_870,
  reused: false,
  durationMs: 120,
  bytesPerSecond: 45_415_583.3,
};

const publish: PublishReport = {
  release: '20261130T160558Z-9f2feb0a',
  releaseUrl: 's3://models/vit/rec/releases/20261130T160558Z-9f2feb0a.json',
  currentUrl: 's3://models/vit/rec/current.json',
  previousRelease: '20261129T090000Z-00aa11bb',
  findings: [],
};

const doctor: DoctorReport = {
  sections: [
    {
      title: 'Runtimes',
      rows: [
        { name: 'onnxruntime', value: '1.30.0', note: '46 MB' },
        { name: 'node', value: '20.20.2', note: '' },
      ],
    },
    {
      title: 'S3',
      rows: [
        { name: 'endpoint', value: 'not set', note: 'set AWS_ENDPOINT_URL_S3 for a server of your own' },
      ],
    },
  ],
};

const run: RunView = view;

/** One result per command, as the commands give them. */
export const examples = {
  run,
  inspect,
  convert,
  validate: (({ variantId: _variantId, ...parity }) => parity)(take(view.parity[0])),
  check: take(view.budgets),
  stage,
  fetch,
  bench: { ...take(view.bench), tunes: [sampleTune], sweeps: [sampleSweep] },
  pick: take(view.pick),
  publish,
  report: {
    run: 'artifacts/rec',
    written: [{ format: 'html', path: 'artifacts/rec/report.html', sizeBytes: 66_567 }],
  },
  doctor,
} as const;
