import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectTaggingCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedS3 } from '../aws/scripted-s3.js';
import { makeBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { makeProject, runCli } from './run-cli.js';

let s3: RunningS3 | undefined;
let project: string;

beforeAll(async () => {
  s3 = await startS3IfFound();
  project = await makeProject();
  const made = await runCli(['convert', 'model.onnx', '--precision', 'fp32', '--out', 'made'], project);
  expect(made.exitCode).toBe(0);
});

afterAll(async () => {
  await s3?.stop();
  await rm(project, { recursive: true });
});

const keys = { AWS_ACCESS_KEY_ID: 'key-id', AWS_SECRET_ACCESS_KEY: 'key', AWS_REGION: 'us-east-1' };

function stage(to: string, flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return runCli(['stage', 'made', '--to', to, '--name', 'tiny', ...flags], project, env);
}

describe('the flags of stage', () => {
  it.each([
    [['--tag', 'team'], /KEY=VALUE/],
    [['--tag', 'aws:team=ml'], /do not begin with aws:/],
    [['--storage-class', 'GLACIER'], /cold start.*restored/],
    [['--storage-class', 'COLD'], /Allowed choices are STANDARD/],
    [['--sse', 'rot13'], /Allowed choices are AES256/],
    [['--sse-kms-key-id', 'alias/k'], /needs '--sse aws:kms'/],
    [['--expected-bucket-owner', '123'], /12 digits/],
    [['--cache-control', 'a\nb'], /plain ASCII/],
    [['--concurrency', '65'], /from 1 to 64/],
  ])('%j are refused with the reason', async (flags, reason) => {
    const result = await stage('store', flags);
    expect(result.exitCode).toBe(2);
    expect(result.stderr.replace(/\s+/g, ' ')).toMatch(reason);
  });

  it('are refused for a directory bucket that does not take them', async () => {
    const result = await stage('s3://m--use1-az4--x-s3/p', ['--tag', 'team=ml', '--json'], keys);
    expect(result.exitCode).toBe(2);
    expect(JSON.parse(result.stdout).error).toMatchObject({
      code: 's3-setting-unfit',
      facts: { unfit: ['tags'] },
    });
  });

  it('are sent with every object, the variables where a flag is missing', async () => {
    const seen: Record<string, unknown>[] = [];
    const { endpoint } = await startScriptedS3(({ call, headers, url }) => {
      if (url.includes('list-type')) return { status: 200, body: '<ListBucketResult></ListBucketResult>' };
      if (call !== 'put') return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
      seen.push(headers);
      return { status: 400, body: '<Error><Code>InvalidArgument</Code></Error>' };
    });
    const flags = [
      '--tag',
      'team=ml',
      '--sse',
      'aws:kms',
      '--sse-kms-key-id',
      'alias/k',
      '--cache-control',
      'no-store',
    ];
    const env = {
      ...keys,
      AWS_ENDPOINT_URL_S3: endpoint,
      OPTIMISE_MODEL_STORAGE_CLASS: 'STANDARD_IA',
      OPTIMISE_MODEL_EXPECTED_BUCKET_OWNER: '012345678901',
      OPTIMISE_MODEL_TAGS: 'not=used',
    };
    await stage('s3://bucket/p', flags, env);
    expect(seen[0]).toMatchObject({
      'x-amz-tagging': 'team=ml',
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'alias/k',
      'x-amz-storage-class': 'STANDARD_IA',
      'x-amz-expected-bucket-owner': '012345678901',
      'cache-control': 'no-store',
      'content-type': 'application/octet-stream',
    });
    expect(seen[0]).not.toHaveProperty('x-amz-acl');
  });
});

describe('the same flags of run', () => {
  it('win over variables, these over the file', async () => {
    const file = await readFile(join(project, 'pipelines', 'tiny.yaml'), 'utf8');
    const stageLine = "stage: { partSizeMiB: 8, tags: { a: 'b' }, encryption: { algorithm: AES256 } }\n";
    await writeFile(join(project, 'pipelines', 'told.yaml'), file + stageLine);
    const flags = ['--tag', 'team=ml', '--sse', 'aws:kms', '--sse-kms-key-id', 'alias/k'];
    const env = { OPTIMISE_MODEL_TAGS: 'not=used', OPTIMISE_MODEL_EXPECTED_BUCKET_OWNER: '012345678901' };
    const result = await runCli(['run', 'told', '--dry-run', '--json', ...flags], project, env);
    expect(JSON.parse(result.stdout).result.pipeline.stage).toMatchObject({
      partSizeMiB: 8,
      tags: { team: 'ml' },
      encryption: { algorithm: 'aws:kms', kmsKeyId: 'alias/k' },
      expectedBucketOwner: '012345678901',
    });
  });
});

describe('stage --dry-run', () => {
  it('writes nothing to a folder and says what it would', async () => {
    const result = await stage('nowhere', ['--dry-run', '--json']);
    expect(result.exitCode).toBe(0);
    const { result: plan } = JSON.parse(result.stdout);
    expect(plan).toMatchObject({
      dryRun: true,
      place: { kind: 'directory' },
      skipBytes: 0,
      memoryBoundBytes: null,
    });
    expect(plan.objects.map(({ action }: { action: string }) => action)).toEqual(['send', 'send']);
    await expect(stat(join(project, 'nowhere'))).rejects.toThrow('ENOENT');
  });

  it('sends only requests that read, and asks STS for the account', async () => {
    const { endpoint, calls } = await startScriptedS3(({ call, body, url }) => {
      if (body.includes('Action=GetCallerIdentity')) {
        return {
          status: 200,
          headers: { 'content-type': 'text/xml' },
          body: '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>210987654321</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
        };
      }
      if (url.includes('list-type')) return { status: 200, body: '<ListBucketResult></ListBucketResult>' };
      return call === 'get' ? { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' } : undefined;
    });
    const env = { ...keys, AWS_ENDPOINT_URL_S3: endpoint, AWS_ENDPOINT_URL_STS: endpoint };
    const result = await stage('s3://bucket/p', ['--dry-run', '--json', '--concurrency', '3'], env);
    const { result: plan } = JSON.parse(result.stdout);
    expect(plan.place).toEqual({
      kind: 's3',
      endpoint,
      bucket: 'bucket',
      region: 'us-east-1',
      account: '210987654321',
      accountUnknownBecause: null,
    });
    const largest = Math.max(...plan.objects.map(({ sizeBytes }: { sizeBytes: number }) => sizeBytes));
    expect(plan).toMatchObject({ concurrency: 3, memoryBoundBytes: 3 * largest });
    expect(calls.filter((call) => !['get', 'head'].includes(call))).toEqual(['complete']); // STS is asked by POST.
  });

  it('says so when the endpoint is not AWS, and refuses a part size that S3 does not take', async () => {
    const { endpoint } = await startScriptedS3(({ url }) =>
      url.includes('list-type')
        ? { status: 200, body: '<ListBucketResult></ListBucketResult>' }
        : { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' },
    );
    const env = { ...keys, AWS_ENDPOINT_URL_S3: endpoint };
    const result = await stage('s3://bucket/p', ['--dry-run'], env);
    expect(result.stdout).toContain('not known: the endpoint is not AWS');
    expect(result.stdout).toContain('Dry run, nothing was sent');
    const refused = await stage('s3://bucket/p', ['--dry-run', '--part-size', '1', '--json'], env);
    expect(JSON.parse(refused.stdout).error.code).toBe('s3-part-size-wrong');
  });

  it('skips what a real server has, with the settings that it was sent with', async (context) => {
    const server = await requireS3(context, s3);
    const bucket = await makeBucket(server);
    const env = {
      AWS_ENDPOINT_URL_S3: server.endpoint,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
      AWS_REGION: 'us-east-1',
    };
    const to = `s3://${bucket.name}/p`;
    const before = JSON.parse((await stage(to, ['--dry-run', '--json'], env)).stdout).result;
    expect(before.skipBytes).toBe(0);
    expect(await bucket.keys()).toEqual([]);
    expect((await stage(to, ['--tag', 'team=ml,cost=a b'], env)).exitCode).toBe(0);
    const after = JSON.parse((await stage(to, ['--dry-run', '--json'], env)).stdout).result;
    expect([after.sendBytes, after.skipBytes]).toEqual([0, before.sendBytes]);
    const client = new S3Client({
      endpoint: server.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey },
    });
    for (const key of await bucket.keys()) {
      const object = { Bucket: bucket.name, Key: key };
      const head = await client.send(new HeadObjectCommand(object));
      expect(head.CacheControl).toBe('max-age=31536000, immutable');
      expect(head.ContentType).toBe(key.endsWith('.json') ? 'application/json' : 'application/octet-stream');
      const { TagSet: tags } = await client.send(new GetObjectTaggingCommand(object));
      expect(Object.fromEntries((tags ?? []).map((tag) => [tag.Key, tag.Value]))).toEqual({
        team: 'ml',
        cost: 'a b',
      });
    }
  });
});
