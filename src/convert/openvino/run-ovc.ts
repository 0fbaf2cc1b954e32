import { type ChildProcess, spawn } from 'node:child_process';
import { makeChildEnvironment } from '../../lib/child-environment.js';
import type { WorkContext } from '../../lib/work-context.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { OpenvinoInstallation } from '../../runtimes/openvino/find-openvino.js';
import { ovcProgram } from './ovc-program.js';
import { shortenRefusal } from './shorten-refusal.js';

/** What OpenVINO's converter is to do. */
export type OvcJob = {
  readonly installation: OpenvinoInstallation;
  /** The exported model, absolute. */
  readonly modelPath: string;
  /** An empty folder of ours: Python imports what lies where it is started. */
  readonly folder: string;
  /** The `.xml` files to write, with or without FP16 constants; absolute. */
  readonly targets: readonly { readonly path: string; readonly isHalf: boolean }[];
};

type Answer =
  | { readonly kind: 'missing' | 'failed' | 'refused'; readonly reason: string }
  | { readonly kind: 'saving'; readonly number: number }
  | { readonly kind: 'saved'; readonly version: string };

type End = {
  /** The last line of its answers. */
  readonly answer: Answer | undefined;
  readonly isLate: boolean;
  readonly how: string;
  readonly lastWords: string;
};

/** The largest models take minutes. */
const timeoutMs = 60 * 60 * 1000;
const lastWordsLength = 300;

/**
 * Has OpenVINO's converter read a model and write it, in the Python of the same installation.
 *
 * @param job - The model and what is made of it.
 * @param context - Its signal kills the process; it hears of the progress.
 * @returns The version of OpenVINO that wrote it, as it says it itself.
 * @throws `ovc-missing`, `openvino-refused-model`; `ovc-failed` when it dies, hangs or cannot write; the signal's reason.
 */
export async function runOvc(job: OvcJob, context: WorkContext): Promise<string> {
  const { libraryPath, python } = job.installation;
  if (python === null) {
    const reason = 'it is part of no Python package';
    throw OptimiseModelError.of('ovc-missing', { libraryPath, reason });
  }
  context.signal.throwIfAborted();
  const end = await converse(startPython(python, job), job, context);
  context.signal.throwIfAborted();
  const { answer } = end;
  if (answer?.kind === 'saved') return answer.version;
  if (answer?.kind === 'missing')
    throw OptimiseModelError.of('ovc-missing', { libraryPath, reason: answer.reason });
  if (answer?.kind === 'refused') {
    const facts = { path: job.modelPath, isOptimised: false, ...shortenRefusal(answer.reason) };
    throw OptimiseModelError.of('openvino-refused-model', facts, new Error(answer.reason));
  }
  throw OptimiseModelError.of('ovc-failed', {
    reason: answer?.kind === 'failed' ? answer.reason : explain(end),
  });
}

function startPython(python: string, { folder }: OvcJob): ChildProcess {
  const env = { ...makeChildEnvironment(process.env), PYTHONDONTWRITEBYTECODE: '1' };
  return spawn(python, ['-c', ovcProgram], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
}

function converse(child: ChildProcess, job: OvcJob, context: WorkContext): Promise<End> {
  const { targets, modelPath: model } = job;
  const total = targets.length + 1;
  const report = (done: number): void =>
    context.progress({ label: 'converting with OpenVINO', done, total, unit: 'items' });
  report(0);
  return new Promise((resolve, reject) => {
    let isLate = false;
    let lastWords = '';
    let answer: Answer | undefined;
    const kill = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    const stop = (): void => {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', kill);
    };
    context.signal.addEventListener('abort', kill, { once: true });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-lastWordsLength);
    });
    readLines(child, (line) => {
      answer = JSON.parse(line) as Answer;
      if (answer.kind === 'saving') report(answer.number + 1);
    });
    child.once('error', (error) => {
      stop();
      reject(OptimiseModelError.of('ovc-failed', { reason: error.message }, error));
    });
    child.once('close', (code, signal) => {
      stop();
      if (answer?.kind === 'saved') report(total);
      const how = signal === null ? `Python ended with code ${code}` : `Python was killed by ${signal}`;
      resolve({ answer, isLate, how, lastWords });
    });
    // One that is gone before it has read the request shows in `close`, with the reason.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify({ model, targets, name: 'model.onnx' }));
  });
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}

function explain({ isLate, how, lastWords }: End): string {
  if (isLate) return `it had not ended after ${timeoutMs / 60_000} minutes`;
  const words = lastWords.replaceAll(/\s+/g, ' ').trim();
  return words === '' ? how : `${how}: ${words}`;
}
