// Plain JavaScript, so that `npm run services:install` needs no TypeScript loader and nothing is written twice.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.mjs';
import { describeGoProgram } from './go-program.mjs';

const version = 'v0.0.0-20261030222936-bef5c4ba774d';
const program = describeGoProgram({
  name: 'aws-lambda-rie',
  module: `github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie@${version}`,
  overrideVariable: 'OPTIMISE_MODEL_TEST_LAMBDA_RIE',
});
const bootstrap = fileURLToPath(new URL('./lambda-bootstrap.mjs', import.meta.url));
const startPatienceMs = 20_000;

/**
 * A function that runs under the emulator: how to call it, what it and the emulator printed, and how to end it.
 * @typedef {{ invoke: (event: object) => Promise<string>, readLog: () => string, stop: () => Promise<void> }} RunningFunction
 */

/** AWS's runtime interface emulator: the real Runtime API around any command, without a container. */
export const lambdaRie = { ...program, start };

/**
 * Starts a function; it initialises at its first call.
 * @param {{ folder: string, handler: string, environment: Record<string, string> }} code - Where it lies, such as
 *   `handler.handler`, and its environment beside what Lambda itself sets.
 * @returns {Promise<RunningFunction>} Ready to be called.
 */
async function start({ folder, handler, environment }) {
  const rie = await program.find();
  if (rie === undefined) throw new Error(await program.whyNot());
  const [port, apiPort] = [await freePort(), await freePort()];
  const addresses = ['--runtime-interface-emulator-address', `127.0.0.1:${port}`];
  const api = ['--runtime-api-address', `127.0.0.1:${apiPort}`];
  // An argument that it does not know starts a server all the same, so there is nothing else to ask it.
  const child = spawn(rie, [...addresses, ...api, process.execPath, bootstrap], {
    env: { PATH: process.env.PATH, LAMBDA_TASK_ROOT: folder, _HANDLER: handler, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let notes = '';
  child.stdout.on('data', (chunk) => {
    log += chunk;
  });
  child.stderr.on('data', (chunk) => {
    notes = `${notes}${chunk}`.slice(-4000);
  });
  const stop = () => end(child);
  await untilListening(port, child, () => notes).catch(async (error) => {
    await stop();
    throw error;
  });
  const url = `http://127.0.0.1:${port}/2015-03-31/functions/function/invocations`;
  const invoke = async (event) => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(event) });
    return answer.text();
  };
  return { invoke, readLog: () => log, stop };
}

/**
 * @param {number} port
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => string} readNotes
 */
async function untilListening(port, child, readNotes) {
  const deadline = Date.now() + startPatienceMs;
  while (Date.now() < deadline && child.exitCode === null) {
    // Another path than that of an invocation, which would already start the function.
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(50);
  }
  throw new Error(`aws-lambda-rie did not start: ${readNotes() || 'no answer'}`);
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const isLate = await Promise.race([ended.then(() => false), sleep(3000, true, { ref: false })]);
  if (isLate) child.kill('SIGKILL');
  await ended;
}
