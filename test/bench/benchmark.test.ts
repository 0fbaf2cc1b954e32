import { readFileSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BenchOptions } from '../../src/bench/bench-options.js';
import { benchmark } from '../../src/bench/benchmark.js';
import { readInstructionSets } from '../../src/lib/instruction-sets.js';
import type { ProgressEvent } from '../../src/lib/work-context.js';
import { makeBenchGround, oneProcessEach, stageTarget, watching } from '../fixtures/bench-ground.js';
import { plainLink } from '../fixtures/bench-options.js';
import { requireOpenvino } from '../services/require-openvino.js';

let folder: string;
let ephemeralDir: string;
let options: BenchOptions;

beforeEach(async () => {
  ({ folder, ephemeralDir, options } = await makeBenchGround());
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('benchmark', () => {
  it('measures both engines in turns, each with its own libraries, and says which versions', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const layouts = ['single', 'ir', 'blob'] as const;
    const own = await Promise.all(
      layouts.map((layout) => stageTarget(folder, { engine: 'openvino', layout })),
    );
    const result = await benchmark({
      ...options,
      targets: [...options.targets.slice(0, 1), ...own],
      // With `stream` among them no others are needed to know the floors.
      deliveries: ['layer', 'stream'],
      openvino: { libraryPath, version: '2026.4.1' },
      runs: 1,
      warm: 1,
    });
    expect(result.samples.filter(({ error }) => error !== null)).toEqual([]);
    expect(result.rows.map(({ runs }) => runs)).toEqual(Array(4 * 2).fill(1));
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
    const target = await stageTarget(folder, { engine: 'openvino', layout: 'ir', inference: 'bf16' });
    const openvino = { libraryPath, version: '2026.4.1' };
    const { rows, samples } = await benchmark({
      ...options,
      ...oneProcessEach,
      targets: [target],
      openvino,
    });
    const code = hasBf16 ? undefined : 'bench-inference-differs';
    expect(samples.map(({ error }) => error?.code)).toEqual([code]);
    expect(rows[0]?.phases.totalMs === null).toBe(!hasBf16);
  });

  it('fails samples of an engine that has fewer threads than the others', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const artifact = { engine: 'openvino', layout: 'ir' } as const;
    const had = availableParallelism();
    const { samples } = await benchmark({
      ...options,
      ...oneProcessEach,
      targets: [await stageTarget(folder, { layout: 'single' }), await stageTarget(folder, artifact)],
      openvino: { libraryPath, version: '2026.4.1' },
      threads: had + 1,
    });
    expect(samples.map(({ error }) => error?.code)).toEqual([undefined, 'bench-threads-differ']);
    expect(samples[1]?.error?.what).toContain(`to have ${had + 1} threads, but says that it had ${had}:`);
  });

  it('writes raw samples as they come, and keeps both the older ones and these when it is interrupted', async () => {
    await mkdir(dirname(options.samplesFile));
    await writeFile(options.samplesFile, 'old\n');
    const stop = new AbortController();
    let written = '';
    const progress = (event: ProgressEvent): void => {
      if (event.done < 2) return;
      written = readFileSync(`${options.samplesFile}.part`, 'utf8');
      stop.abort();
    };
    const running = benchmark({ ...options, link: 'direct', warm: 0 }, { signal: stop.signal, progress });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    const lines = written.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).delivery)).toEqual(['s3-copy', 'layer']);
    expect(await readFile(options.samplesFile, 'utf8')).toBe('old\n');
    expect(await readFile(`${options.samplesFile}.part`, 'utf8')).toBe(written);
    await benchmark({ ...options, ...oneProcessEach, targets: options.targets.slice(0, 1), warm: 0 });
    expect(await readdir(join(folder, 'out'))).toEqual(['samples.jsonl']);
  });

  it('takes a stated environment into the row, and makes a layer comparable by it', async () => {
    const layer = { ms: 900, source: 'logs of our function, November 2026' };
    const targets = options.targets.slice(0, 1);
    const stated = { targets, deliveries: ['layer'], runs: 1, environment: { layer } } as const;
    const result = await benchmark({ ...options, ...stated });
    expect(result.rows[0]).toMatchObject({ environment: layer, comparable: { total: null, ready: null } });
    expect(result.link).toMatchObject({ simulated: false, label: 'none: nothing is downloaded' });
  });

  it('keeps a sample that fails as a result with its error and without a figure', async () => {
    const target = await stageTarget(folder, { layout: 'single', weightCount: 32 });
    const result = await benchmark({
      ...options,
      ...oneProcessEach,
      targets: [...options.targets.slice(0, 1), target],
    });
    expect(result.samples.map((sample) => sample.error === null)).toEqual([true, false]);
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
      if (event.done === 0) rmSync(target?.artifactFolder ?? '', { recursive: true, force: true });
    };
    const { signal } = new AbortController();
    const shortest = { ...options, deliveries: ['layer'], runs: 1, warm: 0 } as const;
    const { samples, rows } = await benchmark(shortest, { signal, progress });
    expect(samples.map(({ variantId, error }) => [variantId, error?.code])).toEqual([
      [target?.variantId, 'file-system-refused'],
      [other?.variantId, undefined],
    ]);
    expect(samples[0]).toMatchObject({ cache: 'unknown', phases: null });
    // Without an inference after the first, there is no steady state.
    expect(rows[1]?.phases).toMatchObject({ steadyMs: null, totalMs: { count: 1 } });
  });

  it('ends a sample that takes too long, calls it that, and goes on', async () => {
    const result = await benchmark({
      ...options,
      targets: options.targets.slice(0, 1),
      link: 'direct',
      runs: 1,
      timeoutMs: 1,
    });
    expect(result.samples.map((sample) => sample.error?.code)).toEqual(Array(3).fill('bench-sample-late'));
    expect(result.rows[0]?.phases.totalMs).toBeNull();
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('reads a directory store directly when no link is wanted', async () => {
    const targets = options.targets.slice(0, 1);
    const result = await benchmark({
      ...options,
      link: 'direct',
      deliveries: ['lazy', 'stream'],
      runs: 1,
      targets,
    });
    expect(result.samples.map((sample) => sample.error)).toEqual([null, null]);
    expect(result.link).toMatchObject({ simulated: false, latencyMs: null });
    expect(result.link.label).toContain(join(folder, 'store'));
  });

  it('leaves out what it is told to, and refuses to measure nothing', async () => {
    const skip = options.targets.map(
      ({ variantId }) => ({ variantId, delivery: 'layer', reason: 'too big' }) as const,
    );
    const result = await benchmark({ ...options, ...oneProcessEach, skip, deliveries: ['layer', 'stream'] });
    expect(result.rows.map((row) => row.delivery)).toEqual(['stream', 'stream']);
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
    const running = benchmark({ ...options, link: 'direct', warm: 1e9 }, context);
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
