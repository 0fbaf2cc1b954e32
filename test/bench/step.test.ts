import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../src/bench/bench-options.js';
import { benchStep } from '../../src/bench/step.js';
import { printCanonicalJson } from '../../src/lib/json.js';
import { quietContext } from '../../src/lib/work-context.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';

let folder: string;
let options: BenchOptions;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-step-'));
  const artifactFolder = join(folder, 'artifact');
  const { variant, digest, sizeBytes } = await writeTinyArtifact(artifactFolder);
  const artifactUrl = join(artifactFolder, 'artifact.json');
  options = {
    targets: [{ variantId: variant.id, digest, artifactUrl, artifactFolder, sizeBytes }],
    deliveries: ['lazy'],
    runs: 2,
    warm: 1,
    threads: 1,
    feeds: tinyFeeds(),
    link: { latencyMs: 1, bytesPerSecond: 90e6 },
    environment: {},
    samplesFile: join(folder, 'samples.jsonl'),
    skip: [],
  };
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
      { threads: 2 },
      { link: 'direct' },
      { deliveries: ['lazy', 'layer'] },
      { environment: { layer: { ms: 1, source: 'a' } } },
      { feeds: tinyFeeds(63) },
      { feeds: { x: { type: 'float32', dims: [64], data: new Float32Array(64) } } },
      { targets: [{ ...target, digest: 'other' }] },
      { targets: [{ ...target, artifactUrl: 's3://bucket/artifact.json' }] },
      { skip: [{ variantId: 'v', delivery: 'layer', reason: 'r' }] },
    ];
    expect(new Set([keyOf(), ...changes.map(keyOf)]).size).toBe(changes.length + 1);
  });

  it('has a key that does not follow where files lie', () => {
    const [target] = options.targets;
    if (target === undefined) throw new Error('no target');
    const moved = { ...target, artifactFolder: '/elsewhere', artifactUrl: '/elsewhere/artifact.json' };
    expect(keyOf({ targets: [moved], samplesFile: '/elsewhere/samples.jsonl' })).toBe(keyOf());
  });

  it('measures, says in one line what came out, and is done as long as its raw samples are whole', async () => {
    const step = benchStep(options);
    const { output, line } = await step.call(quietContext());
    expect(line).toMatch(/^1 row, 2 samples; lowest total \d+ ms: fp32\.single by lazy, simulated link$/);
    expect(await step.ensures(output)).toBe(true);
    await writeFile(options.samplesFile, '{}\n');
    expect(await step.ensures(output)).toBe(false);
    await rm(options.samplesFile);
    expect(await step.ensures(output)).toBe(false);
  });
});
