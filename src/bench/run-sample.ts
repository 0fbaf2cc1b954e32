import { type ChildProcess, fork } from 'node:child_process';
import { makeChildEnvironment } from '../lib/child-environment.js';
import { resolveChildModule } from '../lib/child-module.js';
import { describe } from '../messages/catalogue.js';
import type { SampleAnswer, SampleJob } from './sample-message.js';

/** The program that one sample is. */
export const sampleProgram = resolveChildModule('./sample-child.js', import.meta.url);

const lastWordsLength = 600;
/** How long a process that has answered may take to end. */
const farewellMs = 10_000;

type End = {
  readonly answer: SampleAnswer | undefined;
  readonly isLate: boolean;
  readonly signal: NodeJS.Signals | null;
  readonly exitCode: number | null;
  readonly lastWords: string;
};

/**
 * Takes one sample in a process of its own.
 *
 * @param job - What it does.
 * @param timeoutMs - When it is killed.
 * @param signal - Kills it at once.
 * @returns What it measured; dying, hanging and failing are answers too.
 * @throws The signal's reason. The process has ended by then.
 */
export async function runSample(
  job: SampleJob,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<SampleAnswer> {
  signal.throwIfAborted();
  const child = fork(sampleProgram, [JSON.stringify(job)], {
    execArgv: [],
    serialization: 'advanced',
    env: makeChildEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const end = await awaitEnd(child, timeoutMs);
    signal.throwIfAborted();
    return end.answer ?? explainSilence(end, timeoutMs);
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

function awaitEnd(child: ChildProcess, timeoutMs: number): Promise<End> {
  return new Promise((resolve, reject) => {
    let answer: SampleAnswer | undefined;
    let isLate = false;
    let lastWords = '';
    const kill = () => {
      isLate = answer === undefined;
      child.kill('SIGKILL');
    };
    let timer = setTimeout(kill, timeoutMs);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-lastWordsLength);
    });
    child.once('message', (message) => {
      answer = message as SampleAnswer;
      clearTimeout(timer);
      timer = setTimeout(kill, farewellMs);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ answer, isLate, signal, exitCode, lastWords: lastWords.replaceAll(/\s+/g, ' ').trim() });
    });
  });
}

function explainSilence(end: End, timeoutMs: number): SampleAnswer {
  const { signal, exitCode, lastWords } = end;
  if (end.isLate) {
    const { what } = describe('bench-sample-late', { timeoutMs });
    return { ok: false, error: { code: 'bench-sample-late', what } };
  }
  const { what } = describe('bench-sample-died', { signal, exitCode, lastWords });
  return { ok: false, error: { code: 'bench-sample-died', what } };
}
