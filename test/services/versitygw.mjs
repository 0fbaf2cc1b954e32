// Plain JavaScript, so that `npm run services:install` needs no TypeScript loader and nothing is written twice.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.mjs';
import { describeGoProgram } from './go-program.mjs';

const version = 'v1.8.0';
/** About 100 s on 2 cores, with Go ≥ 1.24. */
const program = describeGoProgram({
  name: 'versitygw',
  module: `github.com/versity/versitygw/cmd/versitygw@${version}`,
  overrideVariable: 'OPTIMISE_MODEL_TEST_VERSITYGW',
});
const startPatienceMs = 20_000;

/**
 * A running S3 server: where it is, whom it lets in, and how to end it.
 * @typedef {{ endpoint: string, accessKeyId: string, secretAccessKey: string, folder: string, stop: () => Promise<void> }} RunningS3
 */

/** versitygw, an S3 gateway over a folder: the real server that the tests speak to. */
export const versitygw = { ...program, start };

/**
 * Starts one server over an empty folder of its own, with credentials of its own.
 * @returns {Promise<RunningS3>} The server, ready to answer.
 */
async function start() {
  const path = await program.find();
  if (path === undefined) throw new Error(await program.whyNot());
  const folder = await mkdtemp(join(tmpdir(), 'optimise-model-s3-'));
  const [objects, sidecar] = [join(folder, 'objects'), join(folder, 'sidecar')];
  await Promise.all([mkdir(objects), mkdir(sidecar)]);
  const port = await freePort();
  const accessKeyId = `test-${randomBytes(6).toString('hex')}`;
  const secretAccessKey = randomBytes(18).toString('hex');
  const options = ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive'];
  const child = spawn(path, [...options, 'posix', '--sidecar', sidecar, objects], {
    env: { PATH: process.env.PATH, ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = () => end(child, folder);
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await untilReady(child, endpoint);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, accessKeyId, secretAccessKey, folder: objects, stop };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} endpoint
 */
async function untilReady(child, endpoint) {
  let said = '';
  let failure = '';
  child.stderr?.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  child.once('error', (error) => {
    failure = error.message;
  });
  const deadline = Date.now() + startPatienceMs;
  while (Date.now() < deadline) {
    if (failure !== '' || child.exitCode !== null) break;
    // Any answer will do: without credentials it is a refusal.
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(50);
  }
  throw new Error(`versitygw did not start: ${failure || said || 'no answer'}`);
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} folder
 */
async function end(child, folder) {
  if (child.exitCode === null && child.pid !== undefined) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const isLate = await Promise.race([ended.then(() => false), sleep(3000, true, { ref: false })]);
    if (isLate) child.kill('SIGKILL');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
}
