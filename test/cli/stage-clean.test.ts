import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorBody, type S3Answer, startScriptedS3 } from '../aws/scripted-s3.js';
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
  /** A server that lists one upload of no journal, older than any grace. */
  const listing =
    '<ListMultipartUploadsResult><Upload><Key>vit/a.bin</Key><UploadId>U7</UploadId>' +
    '<Initiated>2020-01-01T00:00:00.000Z</Initiated></Upload></ListMultipartUploadsResult>';

  async function cleanScripted(answer: (call: string) => S3Answer | undefined, ...more: readonly string[]) {
    const { endpoint } = await startScriptedS3(({ call }) => answer(call));
    const scripted = { ...env, AWS_ENDPOINT_URL_S3: endpoint };
    return runCli(['stage', '--clean', '--to', 's3://bucket', ...more], folder, scripted);
  }

  it('fails when there is no server, and not by the word of an empty journal', async () => {
    const gone = { ...env, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' };
    const args = ['stage', '--clean', '--to', 's3://bucket', '--json'];
    const { exitCode, stdout } = await runCli(args, folder, gone);
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'error', error: { code: 's3-unreachable' } });
  });

  it.each([
    [403, 'AccessDenied'],
    [501, 'NotImplemented'],
    [405, 'MethodNotAllowed'],
  ])('says that it could not judge when the list is answered by %d %s', async (status, code) => {
    const answer = (call: string) => (call === 'uploads' ? { status, body: errorBody(code) } : undefined);
    const { exitCode, stdout } = await cleanScripted(answer, '--json');
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'unjudged',
      result: { abandoned: [], listRefusal: expect.stringContaining(code) },
      findings: [{ code: 'uploads-unknown' }],
    });
    const text = await cleanScripted(answer);
    expect(text).toMatchObject({ exitCode: 4, stdout: expect.stringContaining('could not be seen') });
  });

  it('fails when the list is answered by an error', async () => {
    const { exitCode, stdout } = await cleanScripted(
      (call) => (call === 'uploads' ? { status: 500, body: errorBody('InternalError') } : undefined),
      '--json',
    );
    expect([exitCode, JSON.parse(stdout).error.code]).toEqual([3, 's3-failed']);
  });

  it('fails when parts remain, and names them', async () => {
    const { exitCode, stdout } = await cleanScripted((call) => {
      if (call === 'uploads') return { status: 200, body: listing };
      return call === 'abort' ? { status: 403, body: errorBody('AccessDenied') } : undefined;
    }, '--json');
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'clean-incomplete',
      facts: { removed: [], left: [{ url: 's3://bucket/vit/a.bin', uploadId: 'U7' }] },
    });
  });

  it('takes no grace of less than an hour: another machine may be uploading', async () => {
    expect(await clean('--grace-hours', '0')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('at least 1'),
    });
  });

  it('says what does not go together', async () => {
    expect(await clean('artifact')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('leave ARTIFACT out'),
    });
    for (const flag of ['--part-size', '--concurrency']) {
      const stderr = expect.stringContaining(`leave ${flag} out`);
      expect(await clean(flag, '8')).toMatchObject({ exitCode: 2, stderr });
    }
    const graced = await runCli(
      ['stage', 'artifact', '--to', 'x', '--name', 'v', '--grace-hours', '2'],
      folder,
    );
    expect(graced).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("needs '--clean'") });
    const missing = await runCli(['stage', '--to', 'somewhere', '--name', 'vit'], folder);
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("'artifact'") });
    const unnamed = await runCli(['stage', 'artifact', '--to', 'somewhere'], folder);
    expect(unnamed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("'--name <name>'") });
  });
});
