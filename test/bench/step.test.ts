import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BenchOptions } from '../../src/bench/bench-options.js';
import type { BenchResult } from '../../src/bench/bench-result.js';
import { benchStep } from '../../src/bench/step.js';
import { printCanonicalJson } from '../../src/lib/json.js';
import { mappedSession } from '../../src/lib/session-options.js';
import { quietContext } from '../../src/lib/work-context.js';
import type { StepOutcome } from '../../src/pipeline/step.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { benchOptions, benchTarget, plainLink } from '../fixtures/bench-options.js';
import { type RowTraits, rowOf, samplesWith } from './statistics/sampled-row.js';

let folder: string;
let options: BenchOptions;
let measuredIn: string;
/** What one run of the step gives; the samples that it wrote are copied to where each test has its own. */
let measured: StepOutcome<BenchResult>;

async function makeOptions(into: string): Promise<BenchOptions> {
  const artifactFolder = join(into, 'artifact');
  const { variant, digest, sizeBytes, expandedSizeBytes } = await writeTinyArtifact(artifactFolder);
  const artifactUrl = join(artifactFolder, 'artifact.json');
  const about = { variantId: variant.id, digest, sizeBytes, expandedSizeBytes };
  return benchOptions({
    targets: [benchTarget({ ...about, artifactUrl, artifactFolder })],
    deliveries: ['lazy'],
    runs: 2,
    samplesFile: join(into, 'samples.jsonl'),
  });
}

beforeAll(async () => {
  measuredIn = await mkdtemp(join(tmpdir(), 'bench-step-'));
  measured = await benchStep(await makeOptions(measuredIn)).call(quietContext());
});

afterAll(() => rm(measuredIn, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-step-'));
  options = await makeOptions(folder);
  await copyFile(join(measuredIn, 'samples.jsonl'), options.samplesFile);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function keyOf(changed: Partial<BenchOptions> = {}): string {
  return printCanonicalJson(benchStep({ ...options, ...changed }).key);
}

describe('benchStep', () => {
  it('has a key that follows whatever changes a figure', () => {
    const [target] = options.targets;
    if (target === undefined) throw new Error('no target');
    const changes: Partial<BenchOptions>[] = [
      { runs: 3 },
      { warm: 2 },
      { timeoutMs: 1_000 },
      { threads: 2 },
      { threads: null },
      { targetWidth: 0.1 },
      { mostRuns: 7 },
      { memoryMiB: [2048] },
      { cacheMode: 'evict' },
      { disk: { bytesPerSecond: 1e8 } },
      { mount: { folder: '/mnt', mode: 'copy' } },
      { baseline: { release: 'r', variantId: 'v@r', delivery: 'lazy', mostRatio: 1.1 } },
      { targets: [{ ...target, sessions: { own: mappedSession, stream: mappedSession } }] },
      { link: 'direct' },
      { deliveries: ['lazy', 'layer'] },
      { feeds: tinyFeeds(63) },
      { feeds: { x: { type: 'float32', dims: [64], data: new Float32Array(64) } } },
      { targets: [{ ...target, digest: 'other' }] },
      { targets: [{ ...target, artifactUrl: 's3://bucket/artifact.json' }] },
      { openvino: { libraryPath: '/l', version: '2026.4.1' } },
      { openvino: { libraryPath: '/l', version: '2026.5.0' } },
      { skip: [{ variantId: 'v', delivery: 'layer', reason: 'r' }] },
    ];
    expect(new Set([keyOf(), ...changes.map(keyOf)]).size).toBe(changes.length + 1);
  });

  it('has a key that does not follow where files lie', () => {
    const [target] = options.targets;
    if (target === undefined) throw new Error('no target');
    const moved = { ...target, artifactFolder: '/elsewhere', artifactUrl: '/elsewhere/artifact.json' };
    const elsewhere = { targets: [moved], samplesFile: '/elsewhere/samples.jsonl' };
    expect(keyOf(elsewhere)).toBe(keyOf());
    const [here, there] = ['/l', '/m'].map((libraryPath) => ({ libraryPath, version: '2026.4.1' }));
    expect(keyOf({ openvino: here ?? null })).toBe(keyOf({ openvino: there ?? null }));
  });

  it('has a key that follows the endpoint, the region and the profile behind a bucket', () => {
    const [target] = options.targets;
    if (target === undefined) throw new Error('no target');
    const targets = [{ ...target, artifactUrl: 's3://bucket/artifact.json' }];
    for (const name of ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL', 'AWS_REGION', 'AWS_PROFILE'])
      vi.stubEnv(name, undefined);
    const keys = [keyOf({ targets })];
    for (const [name, value] of [
      ['AWS_ENDPOINT_URL', 'http://one.example'],
      ['AWS_ENDPOINT_URL_S3', 'http://user:geheim@two.example'],
      ['AWS_REGION', 'eu-central-1'],
      ['AWS_PROFILE', 'other'],
    ] as const) {
      vi.stubEnv(name, value);
      keys.push(keyOf({ targets }));
    }
    vi.unstubAllEnvs();
    expect(new Set(keys).size).toBe(5);
    expect(keys.join()).not.toContain('geheim');
  });

  it('has a key that follows the link only where one is simulated', () => {
    const [target] = options.targets;
    if (target === undefined) throw new Error('no target');
    const slower = plainLink(99, 1e6);
    const targets = [{ ...target, artifactUrl: 's3://bucket/artifact.json' }];
    expect(keyOf({ targets, link: slower })).toBe(keyOf({ targets }));
    expect(keyOf({ deliveries: ['layer'], link: slower })).toBe(keyOf({ deliveries: ['layer'] }));
    expect(keyOf({ link: slower })).not.toBe(keyOf());
  });

  it('puts a stated environment into what has been measured, and measures nothing again', async () => {
    const plain: BenchOptions = { ...options, deliveries: ['layer'], runs: 1 };
    const { output } = await benchStep(plain).call(quietContext());
    const layer = { ms: 900, source: 'logs of our function' };
    const stated = benchStep({ ...plain, environment: { layer } });
    expect(stated.key).toEqual(benchStep(plain).key);
    const again = await stated.ensures(output, quietContext());
    if (typeof again === 'boolean') throw new Error('expected an outcome');
    expect(again.output.samples).toEqual(output.samples);
    expect(again.output.rows[0]).toMatchObject({
      environment: layer,
      comparable: { total: null, ready: null },
    });
    expect(again.line).toContain('; lowest total ');
    const codes = (result: typeof output) => result.findings.map((finding) => finding.code);
    expect(codes(output)).toContain('bench-environment-not-stated');
    expect(codes(again.output)).not.toContain('bench-environment-not-stated');
    expect(again.findings).toEqual(again.output.findings);
    expect(await benchStep(plain).ensures(again.output, quietContext())).toMatchObject({ output });
  });

  it('measures, says in one line what came out, and is done as long as its raw samples are whole', async () => {
    const step = benchStep(options);
    const { output, line } = measured;
    expect(line).toMatch(
      /^1 row, 2 samples; lowest total \d+ ms: fp32\.single by lazy \([^)]+\), simulated link$/,
    );
    const whole = await readFile(options.samplesFile, 'utf8');
    // What a run record holds has been through JSON.
    const recorded = JSON.parse(JSON.stringify(output));
    expect(await step.ensures(recorded, quietContext())).toMatchObject({
      output,
      line,
      findings: output.findings,
    });
    for (const damaged of ['{}\n', '{}\n{}\n', whole.replace(/\d/, (digit) => (digit === '9' ? '8' : '9'))]) {
      await writeFile(options.samplesFile, damaged);
      expect(await step.ensures(output, quietContext())).toBe(false);
    }
    await writeFile(options.samplesFile, whole.split('\n').reverse().join('\n'));
    expect(await step.ensures(output, quietContext())).toBe(false);
    await rm(options.samplesFile);
    expect(await step.ensures(output, quietContext())).toBe(false);
  });

  it('names the lowest total of what could be shipped, with its memory and cache state', async () => {
    const step = benchStep({
      ...options,
      baseline: { release: 'R', variantId: 'old@R', delivery: 'lazy', mostRatio: 1.1 },
    });
    const row = (totalMs: number, traits: RowTraits) => rowOf(samplesWith([totalMs], traits));
    const rows = [
      row(50, { variantId: 'cached', memoryMiB: 2048, cache: 'warm' }),
      row(40, { variantId: 'old@R', memoryMiB: 2048 }),
      row(100, { variantId: 'new', memoryMiB: 2048 }),
      row(30, { variantId: 'new', memoryMiB: 4096 }),
    ];
    const { output } = measured;
    const cache = { state: 'evicted', title: 'cold start, files evicted' } as const;
    const recorded = { ...output, rows, samples: [], limitSamples: [], cache };
    await writeFile(options.samplesFile, '');
    const again = await step.ensures(recorded, quietContext());
    expect(again).toMatchObject({
      line: '4 rows, 0 samples; lowest total 100 ms: new by s3-copy at 2,048 MiB (cold start, files evicted), simulated link',
    });
  });

  it('says that a link was simulated also when only the hub was behind one', async () => {
    const step = benchStep(options);
    const { output } = measured;
    await writeFile(options.samplesFile, '');
    const link = { ...output.link, label: 'none: nothing is downloaded', simulated: false };
    const hubOnly = { ...output, samples: [], limitSamples: [], link, hubLink: output.link };
    const lineOf = async (recorded: typeof output) =>
      ((await step.ensures(recorded, quietContext())) as { line: string }).line;
    expect(await lineOf(hubOnly)).toMatch(/, simulated link$/);
    expect(await lineOf({ ...hubOnly, hubLink: null })).not.toContain('simulated link');
  });

  it('is not done while a sample has failed, so that the next run measures again', async () => {
    const step = benchStep({ ...options, deliveries: ['layer'], runs: 1, timeoutMs: 1 });
    const { output, verdict } = await step.call(quietContext());
    expect([verdict, output.samples[0]?.error?.code]).toEqual(['partly', 'bench-sample-late']);
    expect(await step.ensures(output, quietContext())).toBe(false);
  });

  it('names the longest time of a sample in its key, also when it is the default', () => {
    expect(keyOf({ timeoutMs: 900_000 })).toBe(keyOf());
  });
});
