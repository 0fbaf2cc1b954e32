import { GetObjectTaggingCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quietContext } from '../../src/lib/work-context.js';
import { publishInto } from '../../src/publish/publish-release.js';
import { startScriptedS3 } from '../aws/scripted-s3.js';
import { temporaryFolder } from '../fixtures/opaque-artifact.js';
import { contentOf, minutesLater, openPlace, stageOne } from '../publish/open-place.js';
import { makeBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { runCli } from './run-cli.js';

let s3: RunningS3 | undefined;
beforeAll(async () => {
  s3 = await startS3IfFound();
});
afterAll(() => s3?.stop());

const keys = { AWS_ACCESS_KEY_ID: 'key-id', AWS_SECRET_ACCESS_KEY: 'key', AWS_REGION: 'us-east-1' };

describe('the account that must own the bucket', () => {
  it.each([
    ['releases list', 'releases list s3://bucket/p --name vit'],
    ['releases promote', 'releases promote s3://bucket/p r1 --name vit'],
    ['releases rollback', 'releases rollback s3://bucket/p --name vit'],
    ['releases prune', 'releases prune s3://bucket/p --name vit'],
    ['fetch', 'fetch s3://bucket/p/vit/current.json --to out'],
  ])('is said in every request of %s', async (_what, line) => {
    const owners: unknown[] = [];
    const { endpoint } = await startScriptedS3(({ headers, url }) => {
      owners.push(headers['x-amz-expected-bucket-owner']);
      if (url.includes('list-type')) return { status: 200, body: '<ListBucketResult></ListBucketResult>' };
      if (url.includes('uploads'))
        return { status: 200, body: '<ListMultipartUploadsResult></ListMultipartUploadsResult>' };
      return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
    });
    const env = { ...keys, AWS_ENDPOINT_URL_S3: endpoint };
    const args = [...line.split(' '), '--expected-bucket-owner', '012345678901'];
    await runCli(args, await temporaryFolder(), env);
    expect(owners.length).toBeGreaterThan(0);
    expect([...new Set(owners)]).toEqual(['012345678901']);
  });
});

describe('tags and Cache-Control of releases promote and rollback', () => {
  it('are those of the flags, and of the variables where a flag is missing', async (context) => {
    const server = await requireS3(context, s3);
    useS3(server);
    const bucket = (await makeBucket(server)).name;
    const storeUrl = `s3://${bucket}/models`;
    const content = contentOf(await stageOne(storeUrl, 1), minutesLater(0));
    const publish = async (minutes: number): Promise<string> => {
      const place = await openPlace(storeUrl);
      return (await publishInto(place, { ...content, now: minutesLater(minutes) }, quietContext())).release;
    };
    const first = await publish(0);
    await publish(1);
    const env = {
      AWS_ENDPOINT_URL_S3: server.endpoint,
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
      AWS_REGION: 'us-east-1',
    };
    const folder = await temporaryFolder();
    const client = new S3Client({ endpoint: server.endpoint, region: 'us-east-1', forcePathStyle: true });
    const current = { Bucket: bucket, Key: 'models/vit/current.json' };
    const promote = ['releases', 'promote', storeUrl, first, '--name', 'vit', '--tag', 'team=ml'];
    expect((await runCli(promote, folder, env)).exitCode).toBe(0);
    expect((await client.send(new GetObjectTaggingCommand(current))).TagSet).toEqual([
      { Key: 'team', Value: 'ml' },
    ]);
    const rollback = ['releases', 'rollback', storeUrl, '--name', 'vit'];
    const told = { ...env, OPTIMISE_MODEL_TAGS: 'team=ops' };
    expect((await runCli(rollback, folder, told)).exitCode).toBe(0);
    expect((await client.send(new GetObjectTaggingCommand(current))).TagSet).toEqual([
      { Key: 'team', Value: 'ops' },
    ]);
    expect((await client.send(new HeadObjectCommand(current))).CacheControl).toBe('no-cache');
  });
});

describe('the flags of fetch', () => {
  it.each([
    ['--concurrency', '65', /from 1 to 64/],
    ['--part-size', '0', /at least 1/],
    ['--part-size-mib', '8', /unknown option/],
  ])('%s %s are those of stage', async (flag, value, reason) => {
    const result = await runCli(['fetch', 'x', '--to', 'out', flag, value], await temporaryFolder());
    expect(result.exitCode).toBe(2);
    expect(result.stderr.replace(/\s+/g, ' ')).toMatch(reason);
  });

  it('have the same variables', async () => {
    const env = { OPTIMISE_MODEL_CONCURRENCY: '65' };
    const result = await runCli(['fetch', 'x', '--to', 'out'], await temporaryFolder(), env);
    expect(result.stderr.replace(/\s+/g, ' ')).toMatch(/OPTIMISE_MODEL_CONCURRENCY.*from 1 to 64/);
  });
});
