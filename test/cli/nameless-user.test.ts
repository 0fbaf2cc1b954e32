import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { seededBytes, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { makeBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { awaitCli } from './run-cli.js';

const bin = resolve(import.meta.dirname, '../../dist/bin.js');
const asNameless = ['--reuid', '12345', '--clear-groups', '--', process.execPath];
/** Only root may become another user, and only where that one can read what is built. */
const canBeNameless = spawnSync('setpriv', [...asNameless, bin, '--version']).status === 0;

let running: RunningS3 | undefined;

beforeAll(async () => {
  running = await startS3IfFound();
});
afterAll(() => running?.stop());

/** Stages a file of two parts as that user. */
async function stageNameless(context: TestContext, home: NodeJS.ProcessEnv): Promise<string> {
  const s3 = await requireS3(context, running);
  const bucket = await makeBucket(s3);
  // That of the other tests is for this user alone.
  const folder = await mkdtemp('/tmp/optimise-model-nameless-');
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeOpaqueArtifact(join(folder, 'artifact'), { 'model.onnx': seededBytes(6 * 1024 ** 2, 1) });
  await chmod(folder, 0o777);
  const args = ['stage', 'artifact', '--to', `s3://${bucket.name}`, '--name', 'vit', '--part-size', '5'];
  const keys = { AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey };
  const env = { ...home, ...keys, TMPDIR: folder, AWS_ENDPOINT_URL_S3: s3.endpoint };
  const child = spawn('setpriv', [...asNameless, bin, ...args], { cwd: folder, env });
  expect(await awaitCli(child)).toMatchObject({ exitCode: 0 });
  return folder;
}

describe.skipIf(!canBeNameless)('a user id without an entry in the list of users', () => {
  for (const [what, home] of [
    ['no home', {}],
    ['the root as home', { HOME: '/' }],
  ] as const) {
    it(`stages a large file, with ${what}`, async (context) => {
      const folder = await stageNameless(context, home);
      const { uid, mode } = await stat(join(folder, 'optimise-model-12345'));
      expect([uid, mode & 0o777]).toEqual([12_345, 0o700]);
    });
  }
});
