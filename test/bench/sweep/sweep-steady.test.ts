import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { BenchProfile } from '../../../src/bench/bench-result.js';
import { priceSweep } from '../../../src/bench/sweep/price-sweep.js';
import type { SweepOptions } from '../../../src/bench/sweep/sweep-options.js';
import type { SweepResult } from '../../../src/bench/sweep/sweep-result.js';
import { sweepSteady } from '../../../src/bench/sweep/sweep-steady.js';
import type { InferencePrice } from '../../../src/lib/inference-price.js';
import { usualSession } from '../../../src/lib/session-options.js';
import { quietContext } from '../../../src/lib/work-context.js';
import { makeFinding } from '../../../src/messages/finding.js';
import { tinyFeeds, writeTinyArtifact } from '../../fixtures/artifact-folder.js';
import { findChildOfTest } from '../../fixtures/child-of-test.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const makeFolder = useTempFolder();
const hourly: InferencePrice = { kind: 'per-hour', basis: 'a host at 3.6 USD per hour', usdPerHour: 3.6 };
const perRequest: InferencePrice = {
  kind: 'per-request',
  basis: 'a function',
  usdPerMs: 1e-8,
  usdPerRequest: 2e-7,
};

const heldProfile: BenchProfile = {
  memoryMiB: 1769,
  vcpus: 1,
  threads: 1,
  threadsOrigin: 'Lambda memory 1769 MB',
  cpuLimit: 'cgroup-v1',
  memoryLimit: 'cgroup-v1',
};

const launcher = { execPath: process.execPath, execArgv: [], enter: <T>(start: () => T) => start() };

async function makeOptions(more: Partial<SweepOptions> = {}): Promise<SweepOptions> {
  return { ...(await optionsIn(await makeFolder())), ...more };
}

async function optionsIn(artifactFolder: string): Promise<SweepOptions> {
  const { digest, variant } = await writeTinyArtifact(artifactFolder);
  return {
    variantId: variant.id,
    digest,
    artifactFolder,
    session: usualSession,
    feeds: tinyFeeds(),
    openvino: null,
    memoryMiB: null,
    cpus: 1,
    profile: null,
    window: { durationMs: 50, leastInferences: 100, mostMs: 500 },
    rounds: 2,
    price: hourly,
    timeoutMs: 60_000,
  };
}

describe('sweepSteady', () => {
  /** A whole sweep, for the tests that only read it. */
  let whole: { readonly result: SweepResult; readonly seen: readonly number[] };

  beforeAll(async () => {
    const artifactFolder = await mkdtemp(join(tmpdir(), 'optimise-model-test-'));
    try {
      const seen: number[] = [];
      const context = { ...quietContext(), progress: ({ done }: { done: number }) => void seen.push(done) };
      whole = { result: await sweepSteady(await optionsIn(artifactFolder), context), seen };
    } finally {
      await rm(artifactFolder, { recursive: true });
    }
  });

  it('measures an artifact for OpenVINO with workers and threads of it as well', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const artifactFolder = await makeFolder();
    const { digest, variant } = await writeTinyArtifact(artifactFolder, { engine: 'openvino', layout: 'ir' });
    const target = { variantId: variant.id, digest, artifactFolder };
    const openvino = { libraryPath, version: '2026.4.1' };
    const { points, findings } = await sweepSteady(await makeOptions({ ...target, openvino, rounds: 1 }));
    expect(findings).toEqual([]);
    expect(points.map(({ error }) => error)).toEqual(points.map(() => null));
    for (const { throughputPerSecond } of points) expect(throughputPerSecond).toBeGreaterThan(0);
  });

  it('measures every combination in processes of its own and prices it', () => {
    const { result, seen } = whole;
    expect(result.findings).toEqual([]);
    expect(result.points.map(({ workers, threads }) => [workers, threads])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6]);
    for (const {
      throughputPerSecond,
      p50Ms,
      inferences,
      windowMs,
      costPer100kUsd,
      peakRssBytes,
    } of result.points) {
      expect(inferences).toBeGreaterThan(1);
      expect(windowMs).toBeGreaterThanOrEqual(100);
      expect(p50Ms).toBeGreaterThan(0);
      expect(costPer100kUsd).toBeCloseTo(100 / (throughputPerSecond ?? 0), 9);
      expect(peakRssBytes).toBeGreaterThan(30e6);
    }
    expect(result.priceBasis).toBe(hourly.basis);
    expect(result.best.cost).not.toBeNull();
  });

  it('prices by the request only what has one worker, and anew without measuring', async () => {
    const unpriced = await sweepSteady(await makeOptions({ price: null, rounds: 1, cpus: 0.4 }));
    expect(unpriced).toMatchObject({ priceBasis: null, points: [{ error: null, costPer100kUsd: null }] });
    const held = { ...whole.result, memoryMiB: 1769, profile: heldProfile };
    const result = priceSweep(held, null);
    expect(result.points.map((point) => point.costPer100kUsd)).toEqual([null, null, null]);
    const priced = priceSweep(held, perRequest);
    const [first] = priced.points;
    expect(first?.costPer100kUsd).toBeCloseTo(100_000 * (2e-7 + 1e-8 * (first?.billedMs ?? 0)), 9);
    expect(priced.points.at(-1)?.costPer100kUsd).toBeNull();
    expect(priceSweep(priced, null)).toEqual(result);
  });

  it('has no price of a function for processes that did not have its processors, and says why', async () => {
    const finding = makeFinding('warning', 'bench-profile-not-enforced', {
      ...{ memoryMiB: 1769, cpuLimit: 'affinity', memoryLimit: 'none', reason: 'no control groups' },
    });
    const profile = {
      ...{ profile: { ...heldProfile, cpuLimit: 'affinity' as const, memoryLimit: 'none' as const } },
      ...{ findings: [finding], launcher, readMemory: async () => null },
    };
    const more = { cpus: 0.4, rounds: 1, memoryMiB: 1769, profile, price: perRequest };
    const result = await sweepSteady(await makeOptions(more));
    expect(result.profile).toEqual(profile.profile);
    expect(result.findings.map(({ code }) => code)).toEqual([
      'bench-profile-not-enforced',
      'sweep-not-priced',
    ]);
    expect(result).toMatchObject({ priceBasis: null, best: { cost: null } });
    expect(result.points.map((point) => point.costPer100kUsd)).toEqual([null]);
    expect(priceSweep(result, perRequest)).toEqual(result);
    expect(priceSweep(result, hourly)).toMatchObject({ priceBasis: hourly.basis, findings: [finding] });
    const held = { ...result, findings: [], profile: { ...heldProfile, vcpus: 2 } };
    const beyond = priceSweep({ ...held, cpus: 1 }, perRequest);
    expect(beyond.priceBasis).toBeNull();
    expect(beyond.findings[0]?.what).toContain('the function has 2.00 processors, this process may use 1');
    expect(priceSweep({ ...held, cpus: 2 }, perRequest)).toMatchObject({
      priceBasis: 'a function',
      findings: [],
    });
  });

  it('tells of a worker that dies, and measures the others', async () => {
    const options = await makeOptions({
      rounds: 1,
      window: { durationMs: 1000, leastInferences: 1, mostMs: 1000 },
    });
    const running = sweepSteady(options);
    const pid = await vi.waitUntil(() => findChildOfTest('sweep-worker'), { timeout: 30_000 });
    process.kill(pid, 'SIGKILL');
    const { points, findings, best } = await running;
    expect(points[0]).toMatchObject({ error: { code: 'sweep-worker-died' }, p50Ms: null, inferences: 0 });
    expect(points[0]?.error?.what).toContain('SIGKILL');
    expect(points[1]?.error).toBeNull();
    expect(findings).toMatchObject([{ code: 'sweep-point-failed', facts: { workers: 1, threads: 1 } }]);
    expect(best.latency).not.toBe(0);
  });

  it('tells of memory that ran out, when the control group of the profile saw it', async () => {
    let oomKills = 0;
    const readMemory = async () => ({ oomKills, peakBytes: 128 * 1024 ** 2 });
    const window = { durationMs: 5000, leastInferences: 1, mostMs: 5000 };
    const profile = { profile: heldProfile, findings: [], launcher, readMemory };
    const running = sweepSteady(await makeOptions({ rounds: 1, cpus: 0.4, memoryMiB: 128, profile, window }));
    const pid = await vi.waitUntil(() => findChildOfTest('sweep-worker'), { timeout: 30_000 });
    oomKills = 1;
    process.kill(pid, 'SIGKILL');
    const { points } = await running;
    expect(points.map((point) => point.error?.code)).toEqual(['bench-sample-out-of-memory']);
  });

  it('tells what a worker gave up on', async () => {
    const { points } = await sweepSteady(await makeOptions({ feeds: tinyFeeds(3), rounds: 1 }));
    expect(points.map((point) => point.error?.code)).toEqual(['feed-wrong', 'feed-wrong', 'feed-wrong']);
  });

  it('tells of a worker that is not warm in time', async () => {
    const { points } = await sweepSteady(await makeOptions({ timeoutMs: 1, rounds: 1 }));
    expect(points[0]?.error?.code).toBe('sweep-worker-late');
  });

  it('ends its workers when it is stopped', async () => {
    const stop = new AbortController();
    const window = { durationMs: 60_000, leastInferences: 1, mostMs: 60_000 };
    const running = sweepSteady(await makeOptions({ window }), { ...quietContext(), signal: stop.signal });
    await vi.waitUntil(() => findChildOfTest('sweep-worker'), { timeout: 30_000 });
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(await findChildOfTest('sweep-worker')).toBeUndefined();
  });

  it('refuses an artifact that is not the one to be measured', async () => {
    const options = await makeOptions({ digest: '0'.repeat(64) });
    await expect(sweepSteady(options)).rejects.toMatchObject({ code: 'bench-target-differs' });
  });

  it('names a wrong time limit as the pipeline does, in seconds', async () => {
    await expect(sweepSteady(await makeOptions({ timeoutMs: -2500 }))).rejects.toMatchObject({
      facts: { option: 'timeoutSeconds', seen: '-2.5' },
    });
  });

  it.each([{ cpus: 0 }, { rounds: 0.5 }, { window: { durationMs: 9, leastInferences: 1, mostMs: 8 } }])(
    'refuses %j',
    async (more) => {
      const options = await makeOptions(more);
      await expect(sweepSteady(options)).rejects.toMatchObject({ code: 'bench-options-wrong' });
    },
  );
});
