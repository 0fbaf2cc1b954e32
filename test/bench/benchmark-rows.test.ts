import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BenchResult } from '../../src/bench/bench-result.js';
import { benchmark } from '../../src/bench/benchmark.js';
import type { ProgressEvent } from '../../src/lib/work-context.js';
import { type BenchTestGround, makeBenchGround, watching } from '../fixtures/bench-ground.js';
import { leaveFolder } from '../fixtures/left-behind.js';

describe('one benchmark of two variants by three deliveries', () => {
  let ground: BenchTestGround;
  let events: readonly ProgressEvent[];
  let leftBehind: string;
  let result: BenchResult;

  beforeAll(async () => {
    ground = await makeBenchGround();
    const { options, ephemeralDir } = ground;
    leftBehind = await leaveFolder(ephemeralDir, 'optimise-model-bench-', '');
    await mkdir(dirname(options.samplesFile));
    await writeFile(options.samplesFile, 'old\n');
    const watched = watching();
    ({ events } = watched);
    result = await benchmark(options, watched.context);
  });

  afterAll(() => rm(ground.folder, { recursive: true, force: true }));

  it('measures every variant by every delivery, interleaved, each phase of each sample', () => {
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

  it('loads no engine into this process', () => {
    const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] };
    expect(sharedObjects.length).toBeGreaterThan(0);
    expect(sharedObjects.filter((path) => path.includes('onnxruntime'))).toEqual([]);
  });

  it('writes raw samples down, replaces older ones, and leaves nothing else behind', async () => {
    const { samplesFile } = ground.options;
    const lines = (await readFile(samplesFile, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([...result.samples, ...result.limitSamples]);
    // Two per artifact: a floor takes no more samples than the rows have.
    expect(result.limitSamples).toHaveLength(4);
    expect(await readdir(dirname(samplesFile))).toEqual(['samples.jsonl']);
    expect(await readdir(ground.ephemeralDir)).toEqual([]);
  });

  it('removes the work folder of a benchmark that was killed', async () => {
    await expect(readdir(leftBehind)).rejects.toThrow('ENOENT');
  });

  it('sums up per row', () => {
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
      expect(row.phases.steadyMs?.count).toBe(6);
      expect(row.phases.totalMs?.count).toBe(2);
      expect(row.comparable.total === null).toBe(row.delivery !== 'layer');
      // The link's latency is in the download: one request for the record, then one for the files.
      if (row.delivery !== 'layer') expect(row.phases.downloadMs?.min).toBeGreaterThanOrEqual(60);
      if (row.delivery === 'lazy') expect(row.phases.readyMs).toEqual(row.phases.startMs);
      else expect(row.phases.readyMs).toEqual(row.phases.coldStartMs);
    }
  });

  it('says what is not comparable, simulated and cached', () => {
    expect(result.link).toMatchObject({ simulated: true, latencyMs: 30, bytesPerSecond: 90e6 });
    expect(result.link.label).toContain('includes loading the AWS SDK');
    expect(result.cache.title).toBe('process start, files cached');
    const codes = result.findings.map((finding) => finding.code);
    expect(codes).toContain('bench-link-simulated');
    expect(codes).toContain('bench-files-cached');
    const gap = result.findings.find((finding) => finding.code === 'bench-environment-not-stated');
    expect(gap?.facts).toEqual({ variantIds: ['fp32.single', 'fp32.external'], delivery: 'layer' });
  });
});
