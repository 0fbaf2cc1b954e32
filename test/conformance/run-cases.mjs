// Spreads cases over processes.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const worker = fileURLToPath(new URL('case-worker.mjs', import.meta.url));
/** The precisions, without importing what judges: this process loads no runtime. */
const precisions = ['fp16-weights', 'fp16'];
const limitMs = 120_000;
// Much is read and soon forgotten: with the usual 1 MB to begin with, a tenth of the time goes into collecting it.
const execArgv = ['--min-semi-space-size=32', '--max-semi-space-size=64'];

/**
 * Judges cases in child processes; one that dies or takes too long makes its case wrong.
 * @param {readonly import('./find-cases.mjs').Case[]} cases - The cases.
 * @param {{ workers: number, command: string | undefined, onDone: (count: number) => void }} options - How many processes
 *   at a time, a converter in place of this project's, and who hears of progress.
 * @returns {Promise<import('./judge-case.mjs').Judgement[]>} In the order of the cases.
 */
export async function runCases(cases, { workers, command, onDone }) {
  const judged = new Array(cases.length);
  let next = 0;
  let done = 0;
  const serve = async () => {
    let child;
    for (let index = next++; index < cases.length; index = next++) {
      child ??= fork(worker, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const answer = await ask(child, { subject: cases[index], command });
      if (answer.isGone) child = undefined;
      judged[index] = answer.judgements ?? failedJudgements(cases[index], answer.failed);
      done += 1;
      onDone(done);
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(workers, cases.length) }, serve));
  return judged.flat();
}

function ask(child, job) {
  return new Promise((resolve) => {
    const settle = (answer) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(answer);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      settle({ failed: `it took more than ${limitMs / 1000} s`, isGone: true });
    }, limitMs);
    child.once('message', settle);
    child.once('exit', (code, signal) =>
      settle({ failed: `the process ended with ${signal ?? code}`, isGone: true }),
    );
    child.send(job);
  });
}

function failedJudgements({ name }, reason) {
  const nothing = { compared: 'nothing', nodes: null, weights: null };
  return precisions.map((precision) => ({ name, precision, status: 'wrong', reasons: [reason], ...nothing }));
}
