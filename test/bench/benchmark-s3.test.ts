import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { benchmark } from '../../src/bench/benchmark.js';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { benchOptions, benchTarget, plainLink } from '../fixtures/bench-options.js';
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
  it('holds an S3 server of this machine to the link, and asks it as it is when none is wanted', async () => {
    const artifactFolder = join(folder, 'artifact');
    const { variant, digest, sizeBytes, expandedSizeBytes } = await writeTinyArtifact(artifactFolder, {
      layout: 'external',
    });
    const parts = { partSizeBytes: 8 << 20, concurrency: 2, settings: defaultObjectSettings };
    const staged = await stageArtifact({
      artifact: artifactFolder,
      to: 's3://models/p',
      name: 'tiny',
      ...parts,
    });
    const about = { variantId: variant.id, digest, sizeBytes, expandedSizeBytes, artifactFolder };
    const options = benchOptions({
      targets: [benchTarget({ ...about, artifactUrl: staged.artifactUrl })],
      deliveries: ['s3-copy', 'lazy', 'stream'],
      samplesFile: join(folder, 'samples.jsonl'),
    });
    const shaped = await benchmark({ ...options, link: plainLink(20) });
    expect(shaped.samples.map((sample) => sample.error)).toEqual([null, null, null]);
    expect(shaped.link).toMatchObject({ simulated: true, latencyMs: 20, bytesPerSecond: 90e6 });
    expect(shaped.link.label).toContain(`S3 at ${new URL(s3?.endpoint ?? '').host} behind`);
    // Latency twice: the record, then the files.
    for (const row of shaped.rows) expect(row.phases.downloadMs?.min).toBeGreaterThan(40);
    const result = await benchmark({ ...options, link: 'direct' });
    expect(result.samples.map((sample) => sample.error)).toEqual([null, null, null]);
    expect(result.link).toMatchObject({ simulated: false, latencyMs: null, bytesPerSecond: null });
    expect(result.link.label).toContain(new URL(s3?.endpoint ?? '').host);
    expect(result.findings.map((finding) => finding.code)).toContain('bench-link-not-shaped');
  });
});
