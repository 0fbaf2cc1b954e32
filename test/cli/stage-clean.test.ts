import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seededBytes, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { makeBucket, type TestBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { type CliResult, runCli, startCli } from './run-cli.js';

let running: RunningS3 | undefined;
let bucket: TestBucket;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  running = await startS3IfFound();
});
afterAll(() => running?.stop());
beforeEach(async (context) => {
  const s3 = await requireS3(context, running);
  bucket = await makeBucket(s3);
  folder = await temporaryFolder();
  env = {
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
    AWS_REGION: 'us-east-1',
    OPTIMISE_MODEL_STATE: join(folder, 'state'),
  };
});

/** Kills a stage as soon as the server knows of its upload. */
async function killStage(): Promise<readonly string[]> {
  await writeOpaqueArtifact(join(folder, 'artifact'), { 'model.onnx': seededBytes(96 * 1024 ** 2, 1) });
  const args = ['stage', 'artifact', '--to', `s3://${bucket.name}`, '--name', 'vit', '--part-size', '5'];
  const child = startCli([...args, '--concurrency', '1'], folder, env);
  while ((await bucket.openUploads()) === 0) await sleep(10);
  child.kill('SIGKILL');
  return args;
}

function clean(...more: readonly string[]): Promise<CliResult> {
  return runCli(['stage', '--clean', '--to', `s3://${bucket.name}`, ...more], folder, env);
}

describe('a stage that was killed', () => {
  it('leaves an upload that `stage --clean` finds in the journal and removes', async () => {
    await killStage();
    const dry = await clean('--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      command: 'stage',
      status: 'ok',
      result: { isDryRun: true, abandoned: [{ reason: 'interrupted', refusal: null }] },
    });
    expect(await bucket.openUploads()).toBe(1);
    const done = await clean('--name', 'vit');
    expect(done).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/interrupted\s+removed/) });
    expect(await bucket.openUploads()).toBe(0);
    expect((await clean()).stdout).toContain('No interrupted uploads');
  });

  it('is taken up by the next one, which removes what it had left and says so', async () => {
    const args = await killStage();
    const again = await runCli(args, folder, env);
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('(interrupted)') });
    expect(await bucket.openUploads()).toBe(0);
    expect((await bucket.keys()).map((key) => key.split('/').at(-1))).toEqual([
      'artifact.json',
      'model.onnx',
    ]);
  });
});

describe('stage --clean', () => {
  it('says what does not go together', async () => {
    expect(await clean('artifact')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('leave ARTIFACT out'),
    });
    const missing = await runCli(['stage', '--to', 'somewhere', '--name', 'vit'], folder);
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("'artifact'") });
    const unnamed = await runCli(['stage', 'artifact', '--to', 'somewhere'], folder);
    expect(unnamed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("'--name <name>'") });
  });
});
