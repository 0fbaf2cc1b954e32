import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { makeChildEnvironment } from './child-environment.js';

const lastWordsLength = 2000;
/** How long a process that has answered may take to end. */
const farewellMs = 10_000;

/** How the process of a program comes to be, when not right from this one: in other control groups, on other processors. */
export type Launcher = {
  /** What is started; it becomes Node.js with the program, under the same process id. */
  readonly execPath: string;
  /** Its command line before the program's. */
  readonly execArgv: readonly string[];
  /** Starts the process. */
  readonly enter: <Result>(start: () => Result) => Result;
};

/** What is asked of a child process, and how long it may take. */
export type ChildConversation = {
  /** Absolute path of the program, from `resolveChildModule`. */
  readonly program: string;
  /** Its command line. */
  readonly args: readonly string[];
  /** Sent to it as its one message; null to send nothing. */
  readonly request: Serializable | null;
  /** When it is killed unless it has answered, ms from its start. */
  readonly timeoutMs: number;
  /** Kills it at once. */
  readonly signal: AbortSignal;
  /** Default: Node.js as it is. */
  readonly launcher?: Launcher;
};

/** How a child process ended. */
export type ChildEnd<Answer> = {
  /** Its first message; undefined when it ended without one. */
  readonly answer: Answer | undefined;
  /** It was killed because its time was up before it had answered. */
  readonly isLate: boolean;
  readonly signal: NodeJS.Signals | null;
  readonly exitCode: number | null;
  /** The end of what it wrote to stderr, on one line; empty when it wrote nothing. */
  readonly lastWords: string;
};

/**
 * Starts a program in a process of its own, takes one answer from it and waits until it has ended; typed arrays and
 * bigints travel as they are, and nothing that started this process reaches it through the environment.
 *
 * @param conversation - Program, request, time limit and signal.
 * @returns The answer, or how the process ended without one.
 * @throws The signal's reason when it is killed by it, Node's own error when it cannot be started; the process has
 *   ended by then.
 */
export async function converseWithChild<Answer>(conversation: ChildConversation): Promise<ChildEnd<Answer>> {
  const { signal } = conversation;
  signal.throwIfAborted();
  const child = startChild(conversation);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  try {
    const end = await awaitEnd<Answer>(child, conversation);
    signal.throwIfAborted();
    return end;
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
  }
}

/**
 * Starts a program in a process of its own whose surroundings are no one's but the user's.
 *
 * @param child - Program, command line, and the launcher if there is one.
 * @returns The process; its stderr and its messages are the caller's to read.
 */
export function startChild({
  program,
  args,
  launcher,
}: Pick<ChildConversation, 'program' | 'args' | 'launcher'>): ChildProcess {
  const { execPath = process.execPath, execArgv = [] } = launcher ?? {};
  const start = () =>
    fork(program, args, {
      execPath,
      execArgv: [...execArgv],
      serialization: 'advanced',
      env: makeChildEnvironment(process.env),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
  return launcher === undefined ? start() : launcher.enter(start);
}

function awaitEnd<Answer>(
  child: ChildProcess,
  { request, timeoutMs }: ChildConversation,
): Promise<ChildEnd<Answer>> {
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined;
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
      answer = message as Answer;
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
    // A child that is gone before it has read the request shows in `close`, with the reason.
    if (request !== null) child.send(request, () => undefined);
  });
}
