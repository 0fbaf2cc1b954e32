import type { ChildProcess } from 'node:child_process';
import { type Launcher, startChild } from '../../lib/converse-with-child.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { SampleError } from '../bench-result.js';
import { sweepWorkerProgram } from '../child-programs.js';
import type { WorkerJob, WorkerMessage, WorkerOrder } from './worker-message.js';

const lastWordsLength = 2000;

type MessageOf<Kind> = Extract<WorkerMessage, { readonly kind: Kind }>;

/** A worker, under way in a process of its own. */
export type SweepWorker = {
  /**
   * Waits for the next message of a kind.
   *
   * @returns The message.
   * @throws `sweep-worker-late` when it did not come in time, `sweep-worker-died` when none will come any more, and
   *   {@link WorkerFailure} with what the worker itself gave up on.
   */
  readonly hear: <Kind extends WorkerMessage['kind']>(
    kind: Kind,
    timeoutMs: number,
  ) => Promise<MessageOf<Kind>>;
  readonly order: (order: WorkerOrder) => void;
  /** Ends the process, unless it has ended, and waits until it has. */
  readonly end: () => Promise<void>;
};

/** What a worker gave up on, in its own words. */
export class WorkerFailure extends Error {
  override readonly name = 'WorkerFailure';
  readonly failure: SampleError;

  /** @param failure - Code and words of the error there. */
  constructor(failure: SampleError) {
    super(failure.what);
    this.failure = failure;
  }
}

/**
 * Starts one worker of a sweep.
 *
 * @param job - What it opens, and how.
 * @param launcher - Holds the process to a profile; null to start it as it is.
 * @returns The worker, not yet warm. Always end it.
 */
export function startWorker(job: WorkerJob, launcher: Launcher | null): SweepWorker {
  const how = launcher === null ? {} : { launcher };
  const child = startChild({ program: sweepWorkerProgram, args: [JSON.stringify(job)], ...how });
  const died = watchDeath(child);
  return {
    hear: (kind, timeoutMs) => hearNext(child, died, kind, timeoutMs),
    order: (order) => void child.send(order, () => undefined),
    end: async () => {
      child.kill('SIGKILL');
      await died;
    },
  };
}

/** Resolves, when the process has ended, to what is to be said of that where an answer was awaited. */
function watchDeath(child: ChildProcess): Promise<OptimiseModelError> {
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-lastWordsLength);
  });
  return new Promise((resolve) => {
    const close = (exitCode: number | null, signal: string | null, cause?: Error) => {
      const facts = { signal, exitCode, lastWords: lastWords.replaceAll(/\s+/g, ' ').trim() };
      resolve(OptimiseModelError.of('sweep-worker-died', facts, cause));
    };
    child.once('error', (error) => close(null, null, error));
    child.once('close', (exitCode, signal) => close(exitCode, signal));
  });
}

function hearNext<Kind extends WorkerMessage['kind']>(
  child: ChildProcess,
  died: Promise<OptimiseModelError>,
  kind: Kind,
  timeoutMs: number,
): Promise<MessageOf<Kind>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(OptimiseModelError.of('sweep-worker-late', { awaited: kind, timeoutMs }));
    }, timeoutMs);
    child.once('message', (heard) => {
      clearTimeout(timer);
      const message = heard as WorkerMessage;
      if (message.kind === 'failed') reject(new WorkerFailure(message.error));
      else resolve(message as MessageOf<Kind>);
    });
    void died.then((error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
