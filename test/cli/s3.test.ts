import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeBucket, type TestBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { makeProject, runCli, streamPipeline } from './run-cli.js';

let s3: RunningS3 | undefined;

beforeAll(async () => {
  s3 = await startS3IfFound();
});

afterAll(() => s3?.stop());

function environment(server: RunningS3): NodeJS.ProcessEnv {
  return {
    AWS_ENDPOINT_URL_S3: server.endpoint,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
    AWS_REGION: 'us-east-1',
  };
}

describe('a pipeline against a real S3 server', () => {
  let server: RunningS3;
  let bucket: TestBucket;
  let project: string;
  let env: NodeJS.ProcessEnv;

  beforeEach(async (context) => {
    server = await requireS3(context, s3);
    env = environment(server);
    bucket ??= await makeBucket(server);
    project ??= await makeProject(streamPipeline);
  });

  it('stages, measures, picks and publishes there', async () => {
    const words = ['run', '--to', `s3://${bucket.name}/models`, '--cache-control', 'max-age=60'];
    const result = await runCli(words, project, env);
    expect(result.stderr).toContain('✓ publish');
    expect(result.exitCode).toBe(0);
    const keys = await bucket.keys();
    expect(keys).toContain('models/tiny/current.json');
    expect(keys.filter((key) => key.startsWith('models/tiny/releases/'))).toHaveLength(1);
    expect(keys.filter((key) => key.endsWith('/artifact.json'))).toHaveLength(2);
    expect(await bucket.openUploads()).toBe(0);
  });

  it('tells caches to ask again for what moves, and what it was told of the rest', async () => {
    for (const key of await bucket.keys()) {
      const expected = key.endsWith('/current.json') ? 'no-cache' : 'max-age=60';
      expect([key, await bucket.cacheControl(key)]).toEqual([key, expected]);
    }
  });

  it('measured the downloads straight from it, and says that nothing shaped the link', async () => {
    const report = await readFile(join(project, 'artifacts', 'tiny', 'report.md'), 'utf8');
    expect(report).toContain(new URL(server.endpoint).host);
    expect(report).not.toContain('simulated by');
  });

  it('fetches what was published, byte for byte', async () => {
    const to = join(await mkdtemp(join(tmpdir(), 'fetched-')), 'model');
    const url = `s3://${bucket.name}/models/tiny/current.json`;
    const result = await runCli(['fetch', url, '--to', to, '--json'], project, env);
    expect(result.exitCode).toBe(0);
    const { variantId, files } = JSON.parse(result.stdout).result;
    for (const { path } of files) {
      const original = await readFile(join(project, 'artifacts', 'tiny', 'variants', variantId, path));
      expect((await readFile(join(to, path))).equals(original)).toBe(true);
    }
  });

  it('sends nothing a second time', async () => {
    const result = await runCli(
      ['run', '--to', `s3://${bucket.name}/models`, '--redo', 'stage'],
      project,
      env,
    );
    expect(result.exitCode).toBe(0);
    expect(result.stderr.match(/✓ stage .* already in /g)).toHaveLength(2);
  });

  it.each([
    ['wrong credentials', { AWS_SECRET_ACCESS_KEY: 'wrong-secret' }, 'models', /credentials were refused/],
    ['a bucket that does not exist', {}, 'no-such-bucket-here', /no bucket no-such-bucket-here/],
  ])('ends with 3 for %s, names the endpoint and keeps secrets', async (_what, wrong, name, words) => {
    const to = `s3://${name === 'models' ? bucket.name : name}/x`;
    const result = await runCli(['run', '--to', to], project, { ...env, ...wrong });
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toMatch(words);
    expect(result.stderr).toContain(server.endpoint);
    expect(result.stderr).not.toContain('wrong-secret');
    expect(result.stderr).not.toContain(server.secretAccessKey);
  });
});
