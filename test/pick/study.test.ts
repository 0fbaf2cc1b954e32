import { describe, expect, test } from 'vitest';
import { spreadOf } from '../../src/bench/statistics/spread.js';
import { limitProfiles } from '../../src/check/lambda-limits.js';
import type { Evidence, PickCandidate, PickMeasure } from '../../src/pick/pick-candidate.js';
import type { PickOptions } from '../../src/pick/pick-rules.js';
import { tellApart } from '../../src/tell-apart.js';
import { candidate, measure, measures, pick } from './candidates.js';

/** The study's schedule: 15 calls, an hour apart, all cold. */
const calls = Array.from({ length: 15 }, (_, round) => round);
const rateMBps = 60;

type Function = {
  readonly variantId: string;
  readonly engine: PickCandidate['engine'];
  /** The model, 10^6 bytes. */
  readonly sizeMB: number;
  readonly sessionMs: number;
  readonly steadyMs: number;
  /** Before the process, ms, and by how large a share of it a call may be later. */
  readonly environmentMs?: number;
  readonly scatter?: number;
  /** Which of the calls are late, so that rows do not share their noise. */
  readonly phase?: number;
};

const here: Evidence = { kind: 'measured', what: 'start, load and first inference', source: null };

function noise(round: number, phase: number): number {
  return ((round * 7 + phase * 5) % 15) / 14;
}

function spreadMs(values: readonly number[], evidence: readonly Evidence[] = [here]): PickMeasure {
  const { median, p95 = null, min, max } = spreadOf(values) ?? { median: Number.NaN, min: null, max: null };
  return {
    value: median,
    p95,
    min,
    max,
    ...{ count: values.length, unseenMs: 0, isSummed: false },
    evidence,
    samples: values.map((value, round) => ({ round, value })),
  };
}

/** A function that copies its model from S3 and opens it, as the study had them; the first inference takes twice. */
function onDemand(given: Function, over: Partial<PickCandidate> = {}): PickCandidate {
  const { sizeMB, sessionMs, steadyMs, environmentMs = 900, scatter = 0.1, phase = 0 } = given;
  const loadMs = (sizeMB / rateMBps) * 1000 + sessionMs;
  const readyMs = calls.map((round) => environmentMs * (1 + scatter * noise(round, phase)) + loadMs);
  return candidate({
    variantId: given.variantId,
    engine: given.engine,
    layout: given.engine === 'openvino' ? 'ir' : 'single',
    memoryMiB: 4096,
    sizeBytes: sizeMB * 1e6,
    deployedBytes: (sizeMB + (given.engine === 'openvino' ? 86 : 46)) * 1e6,
    runs: calls.length,
    measures: measures({
      total: spreadMs(readyMs.map((ms) => ms + 2 * steadyMs)),
      ready: spreadMs(readyMs),
      steady: spreadMs(calls.map((round) => steadyMs * (1 + 0.05 * noise(round, phase)))),
      init: spreadMs(calls.map(() => loadMs)),
      firstCall: spreadMs(calls.map(() => 2 * steadyMs)),
    }),
    ...over,
  });
}

/** The same with the model in the snapshot: its load is 0, and what is left is the restore and the first inference. */
function snapStart(
  given: Function,
  restoreMs: number | null,
  over: Partial<PickCandidate> = {},
): PickCandidate {
  const cold = onDemand(given);
  const stated: Evidence = { kind: 'assumed', what: 'restore', source: 'the study, January 2025' };
  const after = (ms: number) =>
    spreadMs(
      calls.map((round) => ms + 60 * noise(round, given.phase ?? 0)),
      [here, stated],
    );
  const gap = 'the restore is neither stated nor imported';
  return {
    ...cold,
    startMode: 'snapstart',
    notComparable: restoreMs === null ? [{ objective: 'total', reason: gap }] : [],
    measures: {
      ...cold.measures,
      total: restoreMs === null ? null : after(restoreMs + 2 * given.steadyMs),
      ready: restoreMs === null ? null : after(restoreMs),
    },
    ...over,
  };
}

const fp32 = {
  variantId: 'fp32.single',
  engine: 'onnxruntime',
  sizeMB: 332.9,
  sessionMs: 700,
  steadyMs: 210,
} as const;
const fp16 = { ...fp32, variantId: 'fp16-weights.single', sizeMB: 166.6, sessionMs: 800, phase: 2 } as const;
const ir32 = {
  variantId: 'fp32.openvino.ir',
  engine: 'openvino',
  sizeMB: 332.9,
  sessionMs: 600,
  steadyMs: 213,
  phase: 4,
} as const;
const ir16 = {
  ...ir32,
  variantId: 'fp16-weights.openvino.ir',
  sizeMB: 166.4,
  sessionMs: 650,
  phase: 6,
} as const;

const ask = (rows: readonly PickCandidate[], over: Partial<PickOptions> = {}) => pick(rows, over, tellApart);

describe('from rows built to the cold-start study', () => {
  test('load is bound by the download from S3, so the half as large file wins on total whatever the engine', () => {
    expect(ask([fp32, fp16].map((one) => onDemand(one))).winner?.variantId).toBe('fp16-weights.single');
    expect(ask([ir32, ir16].map((one) => onDemand(one))).winner?.variantId).toBe('fp16-weights.openvino.ir');
    const { winner, losers } = ask([fp32, fp16, ir32, ir16].map((one) => onDemand(one)));
    const order = [winner?.variantId, ...losers.map(({ variantId }) => variantId)];
    expect(order.slice(0, 2).sort()).toEqual(['fp16-weights.openvino.ir', 'fp16-weights.single']);
    // Even the engine that is slower to open it gains more by half the bytes than the other engine by being faster.
    expect(ask([onDemand({ ...fp16, sessionMs: 2500 }), onDemand(ir32)]).winner?.variantId).toBe(
      'fp16-weights.single',
    );
  });

  test('later inferences slightly favour onnxruntime within the noise, and the simpler one ships', () => {
    const result = ask([onDemand(fp16), onDemand(ir16)], { objective: 'steady' });
    expect(result.winner?.variantId).toBe('fp16-weights.single');
    expect(result.winner?.reason).toContain('within the noise of fp16-weights.openvino.ir');
  });

  test('the simpler one ships as well where OpenVINO seems a little faster, and says why', () => {
    const result = ask([onDemand(fp16), onDemand({ ...ir16, steadyMs: 208 })], { objective: 'steady' });
    expect(result.winner?.variantId).toBe('fp16-weights.single');
    expect(result.winner?.reason).toMatch(
      /within the noise of the lowest, fp16-weights.openvino.ir .*; the winner is 39,800,000 B smaller to deploy$/,
    );
    expect(result.losers[0]?.ratioToWinner).toBeLessThan(1);
  });

  test('OpenVINO ships where it is faster by more than the noise', () => {
    const result = ask([onDemand(fp16), onDemand({ ...ir16, steadyMs: 180 })], { objective: 'steady' });
    expect(result.winner?.variantId).toBe('fp16-weights.openvino.ir');
  });

  test('environment creation does not depend on memory, so more of it does not win what has to be created alone', () => {
    const lazily = (memoryMiB: number, phase: number) =>
      onDemand({ ...fp16, sizeMB: 0, sessionMs: 0, phase }, { memoryMiB, delivery: 'lazy' });
    const result = ask([lazily(8192, 1), lazily(4096, 4), lazily(2048, 8)], { objective: 'ready' });
    expect(result.winner?.memoryMiB).toBe(2048);
    expect(result.losers.every(({ reason }) => /within the noise|equal ready/.test(reason))).toBe(true);
  });

  test('container images have the largest and most scattered environment: they lose, and a limit meets their tail', () => {
    const image = onDemand(
      { ...fp32, variantId: 'pytorch-pickle.image', environmentMs: 4000, scatter: 1.5, phase: 9 },
      { delivery: 'layer' },
    );
    const { winner, losers } = ask([image, onDemand(fp32)]);
    expect(winner?.variantId).toBe('fp32.single');
    const { value = Number.NaN, max } = image.measures.total ?? {};
    expect(losers[0]?.value).toBe(value);
    const limits = {
      totalP95Ms: value + 1,
      readyP95Ms: null,
      steadyP95Ms: null,
      costPer100kUsd: null,
      sizeBytes: null,
    };
    expect(max).toBeGreaterThan(value + 1);
    expect(ask([image], { limits, invokedThrough: 'plain-machine' }).losers[0]?.reason).toMatch(
      /^total .* \(the highest of 15 runs\) is over .*, the limit$/,
    );
  });
});

describe('SnapStart, whose load is 0,', () => {
  test('wins on total when its restore is stated, and says that it rests on that', () => {
    const result = ask([snapStart(fp32, 1200), onDemand(fp16), onDemand(ir16)]);
    expect(result.winner).toMatchObject({ variantId: 'fp32.single', startMode: 'snapstart' });
    expect(result.winner?.reason).toContain('rests on assumptions: restore (the study, January 2025)');
    expect(result.findings.map(({ code }) => code)).toEqual([
      'pick-snapstart-needs-image',
      'pick-rests-on-assumption',
    ]);
  });

  test('is not comparable while nobody says how long a restore takes', () => {
    const result = ask([snapStart(fp32, null), onDemand(fp16)]);
    expect(result.winner?.startMode).toBe('on-demand');
    expect(result.notComparable).toMatchObject([
      { startMode: 'snapstart', reason: 'the restore is neither stated nor imported' },
    ]);
  });

  test('leaves the engines alike, so the simpler ships', () => {
    const result = ask([snapStart(ir16, 1200), snapStart(fp16, 1200)]);
    expect(result.winner).toMatchObject({ variantId: 'fp16-weights.single', startMode: 'snapstart' });
    expect(result.winner?.reason).toContain('within the noise');
  });

  test.each([
    ['mount', 'snapstart allows no mounted file system'],
    ['s3-copy', 'snapstart allows 512 MiB of ephemeral storage, and 635 MiB are needed'],
  ] as const)('by %s is refused where the platform does not allow it', (delivery, reason) => {
    const result = ask([snapStart(fp32, 1, { delivery, unfit: [reason] }), onDemand(fp32)]);
    expect(result.winner?.startMode).toBe('on-demand');
    expect(result.losers).toMatchObject([{ startMode: 'snapstart', value: null, reason }]);
  });
});

describe('limits that began the study', () => {
  test('an API Gateway waits 29 s, which refuses a cold start of 30 s whatever its median', () => {
    const slow = onDemand(fp32, { measures: measures({ total: measure(24_000, { p95: 30_000 }) }) });
    expect(ask([slow], { invokedThrough: 'api-gateway' }).losers[0]?.reason).toBe(
      'total 30.0 s (p95) is over 29.0 s, the longest that API Gateway waits',
    );
    expect(ask([slow], { invokedThrough: 'other' }).winner?.value).toBe(24_000);
    const ready = snapStart(fp32, 1200);
    expect(ask([slow, ready], { invokedThrough: 'api-gateway' }).winner?.startMode).toBe('snapstart');
  });

  test('an FP16 model of 172 MB fits a layer with a runtime of 46 MB, and not with one of 200 MB', () => {
    const { valueBytes } = limitProfiles['lambda-zip'].unzipped;
    const inLayer = (runtimeMB: number) => {
      const usedMB = runtimeMB + 172;
      const fits = usedMB * 1e6 < valueBytes;
      const budget = { verdict: fits ? 'pass' : 'fail', reason: `unzipped ${usedMB} MB of 262.1 MB` };
      const loaded = { ...fp16, sizeMB: 0, environmentMs: 1000 };
      return onDemand(loaded, { delivery: 'layer', sizeBytes: 172e6, budget });
    };
    const copied = onDemand({ ...fp16, sizeMB: 172 });
    expect(ask([inLayer(46), copied]).winner?.delivery).toBe('layer');
    const python = ask([inLayer(200), copied]);
    expect(python.winner?.delivery).toBe('s3-copy');
    expect(python.losers[0]?.reason).toBe('does not fit: unzipped 372 MB of 262.1 MB');
  });
});
