import { type ChildProcess, spawn } from 'node:child_process';
import { makeChildEnvironment } from '../../lib/child-environment.js';

/** A program for a Python, and what it is told. */
export type PythonJob = {
  /** The interpreter. */
  readonly python: string;
  readonly program: string;
  /** Where it is started: it imports what lies there, so that this must be a folder of ours. */
  readonly folder: string;
  /** Written to its stdin, as JSON. */
  readonly request: object;
  /** When it is killed, ms from its start. */
  readonly timeoutMs: number;
  /** Kills it at once. */
  readonly signal: AbortSignal;
  /** Hears of each line that it writes to stdout. */
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
 * @throws The signal's reason when it is killed by it, Node's own error when it cannot be started; the process has
 *   ended by then.
 */
export async function runPython(job: PythonJob): Promise<PythonEnd> {
  const { python, program, folder, request, signal } = job;
  signal.throwIfAborted();
  const env = { ...makeChildEnvironment(process.env), PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(python, ['-c', program], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const ending = awaitEnd(child, job);
    // One that is gone before it has read the request shows in its end, with the reason.
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(request));
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
    readLines(child, onLine);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-lastWordsLength);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ isLate, signal, exitCode, lastWords: lastWords.replaceAll(/\s+/g, ' ').trim() });
    });
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
