import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../src/bench/bench-options.js';
import { benchmark } from '../../src/bench/benchmark.js';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { openModel } from '../../src/loader/index.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { benchOptions, benchTarget, plainLink } from '../fixtures/bench-options.js';
import { requireMount } from '../services/require-mount.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import { type MountedBucket, s3fs } from '../services/s3fs.mjs';
import type { RunningS3 } from '../services/versitygw.mjs';

let s3: RunningS3 | undefined;
let mounted: MountedBucket | undefined;
let folder: string;
let options: BenchOptions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-mount-'));
  s3 = await startS3IfFound();
  if (s3 === undefined || (await s3fs.whyNot()) !== undefined) return;
  useS3(s3);
  await mkdir(join(s3.folder, 'models'));
  const artifact = join(folder, 'artifact');
  const { variant, digest, sizeBytes, expandedSizeBytes } = await writeTinyArtifact(artifact, {
    layout: 'external',
  });
  const settings = { partSizeBytes: 8 << 20, concurrency: 2, settings: defaultObjectSettings };
  const { artifactUrl } = await stageArtifact({ artifact, to: 's3://models/p', name: 'tiny', ...settings });
  mounted = await s3fs.start(s3, 'models');
  const about = { variantId: variant.id, digest, sizeBytes, expandedSizeBytes };
  options = benchOptions({
    targets: [benchTarget({ ...about, artifactUrl, artifactFolder: artifact })],
    deliveries: ['mount', 'url'],
    link: plainLink(5),
    hub: { url: null, link: plainLink(40) },
    mount: { folder: join(mounted.folder, 'p'), mode: 'copy' },
    samplesFile: join(folder, 'samples.jsonl'),
    cacheMode: 'evict',
  });
});

beforeEach(async (context) => {
  await requireS3(context, s3);
  await requireMount(context);
});

afterAll(async () => {
  await mounted?.stop();
  await s3?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a bucket that is mounted by s3fs', () => {
  it.each(['copy', 'direct'] as const)('lets openModel read through it, mode %s', async (mountMode) => {
    const source = join(mounted?.folder ?? '', 'p', 'tiny', 'objects', options.targets[0]?.digest ?? '');
    const model = await openModel(source, { delivery: 'mount', mountMode, ephemeralDir: folder });
    try {
      const { y } = await model.run(tinyFeeds());
      expect(y?.data).toEqual(Float32Array.from({ length: 64 }, (_, index) => index + 1));
    } finally {
      await model.close();
    }
  });

  it('is measured beside a hub that has a link of its own, without a limit that nobody knows', async () => {
    const result = await benchmark(options);
    expect(result.samples.map((sample) => sample.error)).toEqual([null, null]);
    const [mount, url] = result.rows;
    expect([mount?.delivery, mount?.limit, url?.delivery]).toEqual(['mount', null, 'url']);
    expect(url?.limit).toMatchObject({ linkBytes: options.targets[0]?.sizeBytes });
    expect(url?.phases.downloadMs?.min).toBeGreaterThan(80);
    expect(result.hubLink).toMatchObject({ simulated: true, latencyMs: 40 });
    const unseen = result.findings.find(({ code }) => code === 'bench-mount-cache-unseen');
    expect(unseen?.facts).toMatchObject({ fileSystem: 'FUSE', rows: ['fp32.external by mount'] });
    expect(result.hubLink?.achieved?.latencyMs).toBeGreaterThanOrEqual(40);
  });
});
