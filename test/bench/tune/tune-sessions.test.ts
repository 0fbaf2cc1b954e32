import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BenchProfile } from '../../../src/bench/bench-result.js';
import type { TuneOptions } from '../../../src/bench/tune/tune-options.js';
import type { TuneResult } from '../../../src/bench/tune/tune-result.js';
import { tuneSessions } from '../../../src/bench/tune/tune-sessions.js';
import { convertModel } from '../../../src/convert/convert-model.js';
import { readInstructionSets } from '../../../src/lib/instruction-sets.js';
import { usualSessions } from '../../../src/lib/session-options.js';
import { quietContext } from '../../../src/lib/work-context.js';
import { makeFinding } from '../../../src/messages/finding.js';
import { readArtifactFolder } from '../../../src/store/artifact-record.js';
import { tinyFeeds, writeTinyArtifact } from '../../fixtures/artifact-folder.js';
import { findChildOfTest } from '../../fixtures/child-of-test.js';
import { completeOptions } from '../../fixtures/convert-options.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const makeFolder = useTempFolder();
const weightCount = 2048;

async function makeOptions(more: Partial<TuneOptions> = {}): Promise<TuneOptions> {
  return { ...(await optionsIn(await makeFolder())), ...more };
}

async function optionsIn(folder: string): Promise<TuneOptions> {
  await writeTinyArtifact(folder, { weightCount });
  const artifactFolder = join(folder, 'halved');
  const model = join(folder, 'model.onnx');
  await convertModel(completeOptions({ model, out: artifactFolder, precision: 'fp16-weights' }));
  const { record } = await readArtifactFolder(artifactFolder);
  return {
    variantId: record.variant.id,
    digest: record.digest,
    artifactFolder,
    feeds: tinyFeeds(weightCount),
    openvino: null,
    threads: 1,
    levels: ['all'],
    runs: 2,
    warm: 3,
    mostSteadyShare: 1.1,
    workFolder: join(folder, 'work'),
    memoryMiB: null,
    profile: null,
    timeoutMs: 60_000,
  };
}

const finding = makeFinding('warning', 'bench-profile-beyond-machine', {
  ...{ memoryMiB: 10_240, vcpus: 5.79, cpus: 2 },
});
const held: BenchProfile = {
  memoryMiB: 10_240,
  vcpus: 5.79,
  threads: 1,
  threadsOrigin: 'as asked for',
  cpuLimit: 'affinity',
  memoryLimit: 'none',
};
const launcher = { execPath: process.execPath, execArgv: [], enter: <T>(start: () => T) => start() };
const profile = { profile: held, findings: [finding], launcher, readMemory: async () => null };

describe('tuneSessions of every configuration', () => {
  let folder: string;
  let options: TuneOptions;
  let result: TuneResult;
  const seen: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'optimise-model-test-'));
    options = { ...(await optionsIn(folder)), profile };
    const progress = ({ done, total }: { done: number; total?: number }) =>
      void seen.push(`${done}/${total}`);
    result = await tuneSessions(options, { ...quietContext(), progress });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('measures each in processes of its own, and leaves nothing', async () => {
    expect(result.configurations.map((each) => each.error)).toEqual(Array(7).fill(null));
    for (const { samples, readyMs, steadyMs, sizeBytes } of result.configurations) {
      expect(samples.map((sample) => [sample.run, sample.steadyMs.length])).toEqual([
        [0, 3],
        [1, 3],
      ]);
      expect(Math.min(readyMs ?? 0, steadyMs ?? 0, sizeBytes ?? 0)).toBeGreaterThan(0);
    }
    expect(seen.at(-1)).toBe('17/17');
    expect(result.front.length).toBeGreaterThan(0);
    expect(await readdir(options.workFolder)).toEqual([]);
  });

  it('says how its processes were limited, and what of it could not be had', () => {
    expect(result.profile).toEqual(held);
    expect(result.findings).toContainEqual(finding);
  });

  it('opens the expanded form and saved graphs, whose weights take twice the bytes of halves', () => {
    const sizeOf = (form: string, isSaved: boolean) =>
      result.configurations.find((each) => each.form === form && (each.saved !== null) === isSaved)
        ?.sizeBytes ?? 0;
    expect(sizeOf('own', false)).toBeLessThan(weightCount * 4);
    expect(sizeOf('expanded', false)).toBeGreaterThan(weightCount * 4);
    expect(sizeOf('own', true)).toBeGreaterThan(weightCount * 4);
  });
});

describe('tuneSessions', () => {
  it('tells of configurations whose process died, and measures the others', async () => {
    const running = tuneSessions(await makeOptions({ runs: 1, warm: 1 }));
    const pid = await vi.waitUntil(() => findChildOfTest('tune-child'), { timeout: 30_000 });
    process.kill(pid, 'SIGKILL');
    const { configurations, findings } = await running;
    // The first process saves the graph that two configurations open.
    expect(configurations.map((each) => each.error?.code)).toEqual([
      ...Array(4).fill(undefined),
      'bench-sample-died',
      'bench-sample-died',
      undefined,
    ]);
    expect(findings.filter((each) => each.code === 'tune-saved-graphs-failed')).toMatchObject([
      { facts: { failures: 2, graphs: 3 } },
    ]);
  });

  it('tries what OpenVINO has a say on: its model cache cold and warm, and files that are not mapped', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const artifactFolder = await makeFolder();
    const { digest, variant } = await writeTinyArtifact(artifactFolder, { engine: 'openvino', layout: 'ir' });
    const openvino = { libraryPath, version: '2026.4.1' };
    const tiny = { variantId: variant.id, digest, artifactFolder, feeds: tinyFeeds() };
    const options = await makeOptions({ ...tiny, openvino });
    const { configurations, chosen, ...result } = await tuneSessions(options);
    expect(configurations.map(({ modelCache, isMapped, error }) => [modelCache, isMapped, error])).toEqual([
      ['none', true, null],
      ['cold', true, null],
      ['warm', true, null],
      ['none', false, null],
    ]);
    const sizes = configurations.map(({ cacheSizeBytes }) => cacheSizeBytes);
    expect(sizes).toEqual([null, sizes[2], sizes[1], null]);
    expect(sizes[1]).toBeGreaterThan(256);
    expect(configurations.map(({ samples }) => samples.length)).toEqual([2, 2, 2, 2]);
    expect(configurations.map(({ boundTo }) => boundTo?.replace(/.*and /, ''))).toEqual([
      undefined,
      `OpenVINO ${result.engineVersion}`,
      `OpenVINO ${result.engineVersion}`,
      undefined,
    ]);
    expect(chosen).toEqual(usualSessions);
    expect(result).toMatchObject({ engine: 'openvino', reason: expect.stringContaining('model cache') });
    expect(await readdir(options.workFolder)).toEqual([]);
  });

  it('gives an artifact that is to compute in bf16 no figures where the processor computes in f32', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const artifactFolder = await makeFolder();
    const tiny = { engine: 'openvino', layout: 'ir', inference: 'bf16' } as const;
    const { digest, variant } = await writeTinyArtifact(artifactFolder, tiny);
    const openvino = { libraryPath, version: '2026.4.1' };
    const target = { variantId: variant.id, digest, artifactFolder, feeds: tinyFeeds(), openvino };
    const { configurations } = await tuneSessions(await makeOptions({ ...target, runs: 1 }));
    const hasBf16 = readInstructionSets()?.some((each) => /^(avx512_bf16|amx_bf16|bf16)$/.test(each));
    const codes = configurations.map(({ error }) => error?.code);
    expect(codes).toEqual(Array(4).fill(hasBf16 ? undefined : 'bench-inference-differs'));
  });

  it('gives an artifact no figures with fewer threads than were asked for', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const artifactFolder = await makeFolder();
    const { digest, variant } = await writeTinyArtifact(artifactFolder, { engine: 'openvino', layout: 'ir' });
    const openvino = { libraryPath, version: '2026.4.1' };
    const target = { variantId: variant.id, digest, artifactFolder, feeds: tinyFeeds(), openvino };
    const { configurations } = await tuneSessions(await makeOptions({ ...target, runs: 1, threads: 256 }));
    const codes = configurations.map(({ error }) => error?.code);
    expect(codes).toEqual(Array(4).fill('bench-threads-differ'));
  });

  it('tells what a process gave up on', async () => {
    const { configurations, chosen } = await tuneSessions(await makeOptions({ feeds: tinyFeeds(3) }));
    expect(new Set(configurations.map((each) => each.error?.code))).toEqual(new Set(['feed-wrong']));
    expect(chosen.own).toEqual({ prepacking: true, optimisation: 'all' });
  });

  it('ends its process and leaves nothing when it is stopped', async () => {
    const stop = new AbortController();
    const options = await makeOptions({ warm: 1_000_000_000 });
    const running = tuneSessions(options, { ...quietContext(), signal: stop.signal });
    await vi.waitUntil(() => findChildOfTest('tune-child'), { timeout: 30_000 });
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(await findChildOfTest('tune-child')).toBeUndefined();
    expect(await readdir(options.workFolder)).toEqual([]);
  });

  it.each([{ runs: 0 }, { warm: 0 }, { levels: [] }, { mostSteadyShare: 0.9 }])(
    'refuses %j',
    async (more) => {
      await expect(tuneSessions(await makeOptions(more))).rejects.toMatchObject({
        code: 'bench-options-wrong',
      });
    },
  );

  it('names a wrong time limit as the pipeline does, in seconds', async () => {
    await expect(tuneSessions(await makeOptions({ timeoutMs: -2500 }))).rejects.toMatchObject({
      facts: { option: 'timeoutSeconds', seen: '-2.5' },
    });
  });

  it('refuses an artifact that is not the one to be tuned', async () => {
    const options = await makeOptions({ digest: '0'.repeat(64) });
    await expect(tuneSessions(options)).rejects.toMatchObject({ code: 'bench-target-differs' });
  });
});
