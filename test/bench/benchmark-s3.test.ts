import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { benchmark } from '../../src/bench/benchmark.js';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

let s3: RunningS3 | undefined;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-s3-'));
  s3 = await startS3IfFound();
  if (s3 === undefined) return;
  useS3(s3);
  await mkdir(join(s3.folder, 'models'));
});

beforeEach(async (context) => {
  await requireS3(context, s3);
});

afterAll(async () => {
  await s3?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('benchmark from S3', () => {
  it('lets each sample download from the endpoint itself, and says that no link model was applied', async () => {
    const artifactFolder = join(folder, 'artifact');
    const { variant, digest, sizeBytes } = await writeTinyArtifact(artifactFolder, { layout: 'external' });
    const parts = { partSizeBytes: 8 << 20, concurrency: 2, settings: defaultObjectSettings };
    const staged = await stageArtifact({
      artifact: artifactFolder,
      to: 's3://models/p',
      name: 'tiny',
      ...parts,
    });
    const result = await benchmark({
      targets: [
        { variantId: variant.id, digest, artifactUrl: staged.artifactUrl, artifactFolder, sizeBytes },
      ],
      deliveries: ['s3-copy', 'lazy'],
      runs: 1,
      warm: 1,
      threads: 1,
      feeds: tinyFeeds(),
      link: { latencyMs: 20, bytesPerSecond: 90e6 },
      environment: {},
      samplesFile: join(folder, 'samples.jsonl'),
      skip: [],
    });
    expect(result.samples.map((sample) => sample.error)).toEqual([null, null]);
    expect(result.link).toMatchObject({ simulated: false, latencyMs: null, bytesPerSecond: null });
    expect(result.link.label).toContain(new URL(s3?.endpoint ?? '').host);
    expect(result.findings.map((finding) => finding.code)).toContain('bench-link-not-shaped');
  });
});
