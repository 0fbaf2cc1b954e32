import { readFileSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BenchOptions, BenchTarget } from '../../src/bench/bench-options.js';
import { benchmark } from '../../src/bench/benchmark.js';
import { readInstructionSets } from '../../src/lib/instruction-sets.js';
import type { Layout } from '../../src/lib/variant.js';
import type { ProgressEvent } from '../../src/lib/work-context.js';
import { type TinyArtifact, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { benchOptions, benchTarget, plainLink } from '../fixtures/bench-options.js';
import { leaveFolder } from '../fixtures/left-behind.js';
import { requireOpenvino } from '../services/require-openvino.js';

let folder: string;
let ephemeralDir: string;
let options: BenchOptions;

async function stageTarget(tiny: TinyArtifact & { layout: Layout }): Promise<BenchTarget> {
  const artifactFolder = await mkdtemp(join(folder, 'artifact-'));
  const { variant, digest, sizeBytes, expandedSizeBytes } = await writeTinyArtifact(artifactFolder, tiny);
  const staged = join(folder, 'store', 'tiny', 'objects', digest);
  await cp(artifactFolder, staged, { recursive: true });
  return benchTarget({
    ...{ variantId: variant.id, variant, digest, sizeBytes, expandedSizeBytes, artifactFolder },
    artifactUrl: join(staged, 'artifact.json'),
  });
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-test-'));
  ephemeralDir = join(folder, 'ephemeral');
  await mkdir(ephemeralDir);
  options = benchOptions({
    targets: [await stageTarget({ layout: 'single' }), await stageTarget({ layout: 'external' })],
    runs: 2,
    warm: 3,
    link: plainLink(30),
    samplesFile: join(folder, 'out', 'samples.jsonl'),
    ephemeralDir,
  });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function watching(): {
  events: ProgressEvent[];
  stop: AbortController;
  context: { signal: AbortSignal; progress: (event: ProgressEvent) => void };
} {
  const events: ProgressEvent[] = [];
  const stop = new AbortController();
  return { events, stop, context: { signal: stop.signal, progress: (event) => events.push(event) } };
}

describe('benchmark', () => {
  it('measures every variant by every delivery, interleaved, each phase of each sample', async () => {
    const { events, context } = watching();
    const result = await benchmark(options, context);
    expect(result.samples.map((sample) => [sample.error, sample.run])).toEqual(
      [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1].map((run) => [null, run]),
    );
    const order = result.samples.map((sample) => `${sample.variantId} ${sample.delivery}`);
    expect(order.slice(6)).toEqual([...order.slice(1, 6), order[0]]);
    for (const { phases, steadyMs, peakRssBytes } of result.samples) {
      for (const spentMs of Object.values(phases ?? {})) expect(spentMs).toBeGreaterThan(0);
      expect(Object.keys(phases ?? {})).toHaveLength(5);
      expect(steadyMs).toHaveLength(3);
      // Node with the engine's library takes more than 40 MB, and a tiny model nowhere near 400.
      expect(peakRssBytes).toBeGreaterThan(40e6);
      expect(peakRssBytes).toBeLessThan(400e6);
    }
    const own = events.filter((event) => event.label === 'bench');
    expect(own.map((event) => event.done)).toEqual(Array.from({ length: 13 }, (_, done) => done));
    expect(events[0]).toMatchObject({ total: 12, unit: 'items' });
  });

  it('measures both engines in turns, each with its own libraries, and says which versions', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const layouts = ['single', 'ir', 'blob'] as const;
    const own = await Promise.all(layouts.map((layout) => stageTarget({ engine: 'openvino', layout })));
    const result = await benchmark({
      ...options,
      targets: [...options.targets.slice(0, 1), ...own],
      // With `stream` among them no others are needed to know the floors.
      deliveries: ['layer', 'lazy', 'stream'],
      openvino: { libraryPath, version: '2026.4.1' },
      runs: 1,
      warm: 1,
    });
    expect(result.samples.filter(({ error }) => error !== null)).toEqual([]);
    expect(result.rows.map(({ runs }) => runs)).toEqual(Array(4 * 3).fill(1));
    expect(result.limitSamples).toEqual([]);
    expect(result.runtimes).toEqual([
      { engine: 'onnxruntime', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
      { engine: 'openvino', version: expect.stringMatching(/^\d{4}\.\d+\.\d+$/) },
    ]);
    for (const { limit } of result.rows) expect(limit?.sessionMs).toBeGreaterThan(0);
  });

  it('fails samples of a variant that is to compute in what the processor has not', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const hasBf16 = readInstructionSets()?.some((each) => /^(avx512_bf16|amx_bf16|bf16)$/.test(each));
    const target = await stageTarget({ engine: 'openvino', layout: 'ir', inference: 'bf16' });
    const openvino = { libraryPath, version: '2026.4.1' };
    const { rows, samples } = await benchmark({
      ...options,
      targets: [target],
      openvino,
      deliveries: ['layer'],
    });
    const code = hasBf16 ? undefined : 'bench-inference-differs';
    expect(samples.map(({ error }) => error?.code)).toEqual([code, code]);
    expect(rows[0]?.phases.totalMs === null).toBe(!hasBf16);
  });

  it('fails samples of an engine that has fewer threads than the others', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const artifact = { engine: 'openvino', layout: 'ir' } as const;
    const had = availableParallelism();
    const { samples } = await benchmark({
      ...options,
      targets: [await stageTarget({ layout: 'single' }), await stageTarget(artifact)],
      openvino: { libraryPath, version: '2026.4.1' },
      deliveries: ['layer'],
      threads: had + 1,
      runs: 1,
    });
    expect(samples.map(({ error }) => error?.code)).toEqual([undefined, 'bench-threads-differ']);
    expect(samples[1]?.error?.what).toContain(`to have ${had + 1} threads, but says that it had ${had}:`);
  });

  it('loads no engine into this process', async () => {
    await benchmark({ ...options, runs: 1, deliveries: ['lazy'] });
    const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] };
    expect(sharedObjects.length).toBeGreaterThan(0);
    expect(sharedObjects.filter((path) => path.includes('onnxruntime'))).toEqual([]);
  });

  it('writes raw samples down, replaces older ones, and leaves nothing else behind', async () => {
    await mkdir(join(folder, 'out'));
    await writeFile(options.samplesFile, 'old\n');
    const result = await benchmark({ ...options, runs: 1, warm: 0 });
    const lines = (await readFile(options.samplesFile, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([...result.samples, ...result.limitSamples]);
    // One per artifact: a floor takes no more samples than the rows have.
    expect(result.limitSamples).toHaveLength(2);
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('writes raw samples as they come, and keeps both the older ones and these when it is interrupted', async () => {
    await mkdir(join(folder, 'out'));
    await writeFile(options.samplesFile, 'old\n');
    const stop = new AbortController();
    let written = '';
    const progress = (event: ProgressEvent): void => {
      if (event.done < 2) return;
      written = readFileSync(`${options.samplesFile}.part`, 'utf8');
      stop.abort();
    };
    const running = benchmark({ ...options, warm: 0 }, { signal: stop.signal, progress });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    const lines = written.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).delivery)).toEqual(['s3-copy', 'layer']);
    expect(await readFile(options.samplesFile, 'utf8')).toBe('old\n');
    expect(await readFile(`${options.samplesFile}.part`, 'utf8')).toBe(written);
    await benchmark({ ...options, deliveries: ['layer'], runs: 1, warm: 0 });
    expect(await readdir(join(folder, 'out'))).toEqual(['samples.jsonl']);
  });

  it('removes the work folder of a benchmark that was killed', async () => {
    await leaveFolder(ephemeralDir, 'optimise-model-bench-', '');
    await benchmark({ ...options, deliveries: ['layer'], runs: 1, warm: 0 });
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('sums up per row, and says what is not comparable, simulated and cached', async () => {
    const result = await benchmark({ ...options, warm: 0 });
    expect(result.rows.map((row) => `${row.variantId} ${row.delivery}`)).toEqual([
      'fp32.single s3-copy',
      'fp32.single layer',
      'fp32.single lazy',
      'fp32.external s3-copy',
      'fp32.external layer',
      'fp32.external lazy',
    ]);
    for (const row of result.rows) {
      expect(row).toMatchObject({ runs: 2, failures: 0, environment: null });
      expect(row.phases.steadyMs).toBeNull();
      expect(row.phases.totalMs?.count).toBe(2);
      expect(row.comparable.total === null).toBe(row.delivery !== 'layer');
      // The link's latency is in the download: one request for the record, then one for the files.
      if (row.delivery !== 'layer') expect(row.phases.downloadMs?.min).toBeGreaterThanOrEqual(60);
      if (row.delivery === 'lazy') expect(row.phases.readyMs).toEqual(row.phases.startMs);
      else expect(row.phases.readyMs).toEqual(row.phases.coldStartMs);
    }
    expect(result.link).toMatchObject({ simulated: true, latencyMs: 30, bytesPerSecond: 90e6 });
    expect(result.link.label).toContain('includes loading the AWS SDK');
    expect(result.cache.title).toBe('process start, files cached');
    const codes = result.findings.map((finding) => finding.code);
    expect(codes).toContain('bench-link-simulated');
    expect(codes).toContain('bench-files-cached');
    const gap = result.findings.find((finding) => finding.code === 'bench-environment-not-stated');
    expect(gap?.facts).toEqual({ variantIds: ['fp32.single', 'fp32.external'], delivery: 'layer' });
  });

  it('takes a stated environment into the row, and makes a layer comparable by it', async () => {
    const layer = { ms: 900, source: 'logs of our function, November 2026' };
    const result = await benchmark({ ...options, deliveries: ['layer'], runs: 1, environment: { layer } });
    expect(result.rows[0]).toMatchObject({ environment: layer, comparable: { total: null, ready: null } });
    expect(result.link).toMatchObject({ simulated: false, label: 'none: nothing is downloaded' });
  });

  it('keeps a sample that fails as a result with its error and without a figure', async () => {
    const target = await stageTarget({ layout: 'single', weightCount: 32 });
    const result = await benchmark({
      ...options,
      targets: [...options.targets, target],
      deliveries: ['layer'],
      runs: 1,
    });
    const failed = result.samples.find((sample) => sample.error !== null);
    expect(failed).toMatchObject({
      phases: null,
      steadyMs: [],
      peakRssBytes: null,
      error: { code: 'feed-wrong' },
    });
    expect(result.findings.map((finding) => finding.code)).toContain('bench-samples-failed');
  });

  it('makes a file that can no longer be read the error of its samples, and measures the others', async () => {
    const [target, other] = options.targets;
    const progress = (event: ProgressEvent): void => {
      if (event.done === 1) rmSync(target?.artifactFolder ?? '', { recursive: true, force: true });
    };
    const { signal } = new AbortController();
    const result = await benchmark({ ...options, deliveries: ['layer'], warm: 0 }, { signal, progress });
    const errors = result.samples.map(({ variantId, error }) => [variantId, error?.code]);
    expect(errors).toEqual([
      [target?.variantId, undefined],
      [other?.variantId, undefined],
      [other?.variantId, undefined],
      [target?.variantId, 'file-system-refused'],
    ]);
    expect(result.samples.at(-1)).toMatchObject({ cache: 'unknown', phases: null });
  });

  it('ends a sample that takes too long, calls it that, and goes on', async () => {
    const result = await benchmark({
      ...options,
      targets: options.targets.slice(0, 1),
      runs: 1,
      timeoutMs: 1,
    });
    expect(result.samples.map((sample) => sample.error?.code)).toEqual(Array(3).fill('bench-sample-late'));
    expect(result.rows[0]?.phases.totalMs).toBeNull();
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('reads a directory store directly when no link is wanted', async () => {
    const result = await benchmark({ ...options, link: 'direct', deliveries: ['lazy'], runs: 1 });
    expect(result.samples.map((sample) => sample.error)).toEqual([null, null]);
    expect(result.link).toMatchObject({ simulated: false, latencyMs: null });
    expect(result.link.label).toContain(join(folder, 'store'));
  });

  it('leaves out what it is told to, and refuses to measure nothing', async () => {
    const skip = options.targets.map(
      ({ variantId }) => ({ variantId, delivery: 'layer', reason: 'too big' }) as const,
    );
    const result = await benchmark({ ...options, skip, deliveries: ['layer', 'lazy'], runs: 1 });
    expect(result.rows.map((row) => row.delivery)).toEqual(['lazy', 'lazy']);
    expect(result.findings.filter((finding) => finding.code === 'bench-row-skipped')).toHaveLength(2);
    await expect(benchmark({ ...options, skip, deliveries: ['layer'] })).rejects.toMatchObject({
      code: 'bench-nothing-to-measure',
    });
  });

  it('refuses, before the first sample, wrong numbers and targets that are not what they are called', async () => {
    const [target] = options.targets;
    if (target === undefined) throw new Error('no target');
    const missing = { ...target, artifactUrl: join(folder, 'store', 'nothing', 'artifact.json') };
    const attempts: [Partial<BenchOptions>, string][] = [
      [{ runs: 0 }, 'bench-options-wrong'],
      [{ warm: -1 }, 'bench-options-wrong'],
      [{ link: plainLink(0, 0) }, 'bench-options-wrong'],
      [{ memoryMiB: [64] }, 'bench-options-wrong'],
      [{ deliveries: ['mount'] }, 'bench-options-wrong'],
      [{ environment: { layer: { ms: Number.NaN, source: '' } } }, 'bench-options-wrong'],
      [{ targets: [{ ...target, digest: '0'.repeat(64) }] }, 'bench-target-differs'],
      [{ targets: [missing] }, 'object-missing'],
    ];
    for (const [wrong, code] of attempts)
      await expect(benchmark({ ...options, ...wrong })).rejects.toMatchObject({ code });
    await expect(readFile(options.samplesFile)).rejects.toThrow();
    const named: [Partial<BenchOptions>, object][] = [
      [{ timeoutMs: -2500 }, { option: 'timeoutSeconds', seen: '-2.5' }],
      [{ deliveries: ['mount'] }, { option: 'mount.folder', seen: 'missing' }],
    ];
    for (const [wrong, facts] of named)
      await expect(benchmark({ ...options, ...wrong })).rejects.toMatchObject({ facts });
  });

  it('stops at once when it is told to, and leaves nothing behind', async () => {
    const { events, stop, context } = watching();
    const reason = new Error('enough');
    const running = benchmark({ ...options, warm: 1e9 }, context);
    const isCopied = async () => {
      const names = await readdir(ephemeralDir, { recursive: true });
      return names.some((name) => name.endsWith('model.onnx'));
    };
    await vi.waitUntil(isCopied, { timeout: 30_000 });
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(events.at(-1)?.done).toBe(0);
    expect(await readdir(ephemeralDir)).toEqual([]);
    expect(await readdir(join(folder, 'out'))).toEqual([]);
  });
});
