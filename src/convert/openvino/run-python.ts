import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { makeChildEnvironment } from '../../lib/child-environment.js';
import { forgetFolder } from '../../runtimes/openvino/forget-folder.js';

/** A program for a Python, and what it is told. */
export type PythonJob = {
  /** The interpreter. */
  readonly python: string;
  readonly program: string;
  /** Where it is started; it imports nothing of what lies there. */
  readonly folder: string;
  /** Written to its stdin, as JSON. */
  readonly request: object;
  /** When it is killed, ms from its start. */
  readonly timeoutMs: number;
  /** Kills it at once. */
  readonly signal: AbortSignal;
  /** Hears of each line that it writes to descriptor 3; what else a Python prints is nobody's answer. */
  readonly onLine: (line: string) => void;
};

/** How it ended. */
export type PythonEnd = {
  readonly isLate: boolean;
  readonly signal: NodeJS.Signals | null;
  readonly exitCode: number | null;
  /** The end of what it wrote to stderr, on one line. */
  readonly lastWords: string;
};

const lastWordsLength = 300;

/**
 * Runs a program in a Python of the user's, without leaving compiled modules beside those that it imports.
 *
 * @param job - The program and what it is told.
 * @returns How it ended.
 * @throws The signal's reason when it is killed by it, Node's own error when it cannot be started, what `onLine` threw;
 *   the process has ended by then.
 */
export async function runPython(job: PythonJob): Promise<PythonEnd> {
  const { python, program, folder, request, signal } = job;
  signal.throwIfAborted();
  const env = { ...makeChildEnvironment(process.env), PYTHONDONTWRITEBYTECODE: '1' };
  const stdio = ['pipe', 'ignore', 'pipe', 'pipe'] as const;
  const child = spawn(python, ['-c', `${forgetFolder}${program}`], { cwd: folder, env, stdio: [...stdio] });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const ending = awaitEnd(child, job);
    // One that is gone before it has read the request shows in its end, with the reason.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(request));
    const end = await ending;
    signal.throwIfAborted();
    return end;
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

function awaitEnd(child: ChildProcess, { timeoutMs, onLine }: PythonJob): Promise<PythonEnd> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    let lastWords = '';
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    let refused: { readonly error: unknown } | undefined;
    readLines(child.stdio[3] as Readable | undefined, (line) => {
      try {
        if (refused === undefined) onLine(line);
      } catch (error) {
        refused = { error };
        child.kill('SIGKILL');
      }
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-lastWordsLength);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer);
      if (refused !== undefined) reject(refused.error);
      else resolve({ isLate, signal, exitCode, lastWords: lastWords.replaceAll(/\s+/g, ' ').trim() });
    });
  });
}

function readLines(stream: Readable | undefined, onLine: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}
