import { type ChildProcess, fork } from 'node:child_process';
import { makeChildEnvironment } from '../lib/child-environment.js';
import { resolveChildModule } from '../lib/child-module.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import type { FactsOf, MessageCode } from '../messages/catalogue.js';
import { OptimiseModelError } from '../messages/error.js';
import type { IsolatedAnswer, IsolatedRequest, IsolatedRun } from './isolated-message.js';

const lastWordsLength = 2000;

/**
 * Runs a model once, in a fresh session in a process of its own: nothing of an earlier run is left in it, a crash of
 * the engine takes only that process down, and this process never loads the engine.
 *
 * @param request - Engine, model, feeds and threads.
 * @param context - Its signal kills the process.
 * @returns The tensor outputs and what else was seen.
 * @throws `runtime-missing`, `runtime-refused-model`, `feed-wrong`, `runtime-run-failed`, and `runtime-crashed` when
 *   the process ended without an answer; the signal's reason when cancelled.
 */
export async function runIsolated(
  request: IsolatedRequest,
  context: WorkContext = quietContext(),
): Promise<IsolatedRun> {
  context.signal.throwIfAborted();
  const child = fork(resolveChildModule('./isolated-child.js', import.meta.url), [], {
    execArgv: [],
    serialization: 'advanced',
    env: makeChildEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  context.signal.addEventListener('abort', kill, { once: true });
  try {
    const end = await converse(child, request);
    context.signal.throwIfAborted();
    return readAnswer(end, request);
  } finally {
    context.signal.removeEventListener('abort', kill);
    kill();
  }
}

type End = {
  readonly answer: IsolatedAnswer | undefined;
  readonly signal: NodeJS.Signals | null;
  readonly exitCode: number | null;
  readonly lastWords: string;
};

function converse(child: ChildProcess, request: IsolatedRequest): Promise<End> {
  return new Promise((resolve, reject) => {
    let answer: IsolatedAnswer | undefined;
    let lastWords = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-lastWordsLength);
    });
    child.once('message', (message) => {
      answer = message as IsolatedAnswer;
    });
    child.once('error', reject);
    child.once('close', (exitCode, signal) => {
      resolve({ answer, signal, exitCode, lastWords: lastWords.replaceAll(/\s+/g, ' ').trim() });
    });
    // A child that is gone before it has read the request shows in `close`, with the reason.
    child.send(request, () => undefined);
  });
}

function readAnswer(end: End, request: IsolatedRequest): IsolatedRun {
  const { answer, ...facts } = end;
  if (answer === undefined) {
    throw OptimiseModelError.of('runtime-crashed', {
      engine: request.engine,
      model: request.modelPath,
      ...facts,
    });
  }
  if (answer.ok) return answer.run;
  throw restoreError(answer);
}

function restoreError(answer: Extract<IsolatedAnswer, { ok: false }>): OptimiseModelError {
  const facts = answer.facts as FactsOf<MessageCode>;
  return OptimiseModelError.of(answer.code, facts, new Error(answer.stack));
}
