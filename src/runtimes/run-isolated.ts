import { resolveChildModule } from '../lib/child-module.js';
import { type ChildEnd, converseWithChild } from '../lib/converse-with-child.js';
import type { NamedTensors } from '../lib/tensor.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import type { FactsOf, MessageCode } from '../messages/catalogue.js';
import { OptimiseModelError } from '../messages/error.js';
import type { IsolatedAnswer, IsolatedRequest, IsolatedRun } from './isolated-message.js';

/** The program that one run is. */
const program = resolveChildModule('../runtimes/isolated-child.js', import.meta.url);

type Job = IsolatedRequest & {
  /** When its process is killed, ms from its start: a model can loop for ever. */
  readonly timeoutMs: number;
};

/** One run and how long it may take. */
export type IsolatedJob = Job & { readonly feeds: NamedTensors };

/**
 * Runs a model once, in a fresh session in a process of its own: nothing of an earlier run is left in it, a crash of
 * the engine takes only that process down, and this process never loads the engine.
 *
 * @param job - Engine, model, feeds, threads and time limit.
 * @param context - Its signal kills the process.
 * @returns The tensor outputs and what else was seen.
 * @throws `runtime-missing`, `runtime-refused-model`, `feed-wrong`, `runtime-run-failed`; `runtime-late` when the time
 *   was up and `runtime-crashed` when the process ended without an answer; the signal's reason when cancelled.
 */
export async function runIsolated(
  job: IsolatedJob,
  context: WorkContext = quietContext(),
): Promise<IsolatedRun> {
  return askChild(job, context);
}

/**
 * Opens a model once in a process of its own, without running it.
 *
 * @param job - Engine, model, threads and time limit.
 * @param context - Its signal kills the process.
 * @returns What the model declares; no outputs.
 * @throws `runtime-missing`, `runtime-refused-model`, `runtime-late`, `runtime-crashed`; the signal's reason.
 */
export async function openIsolated(
  job: Omit<Job, 'feeds'>,
  context: WorkContext = quietContext(),
): Promise<IsolatedRun> {
  return askChild({ ...job, feeds: null }, context);
}

async function askChild(job: Job, context: WorkContext): Promise<IsolatedRun> {
  const { timeoutMs, ...request } = job;
  const { signal } = context;
  const end = await converseWithChild<IsolatedAnswer>({ program, args: [], request, timeoutMs, signal });
  const { answer } = end;
  if (answer === undefined) throw explainSilence(end, job);
  if (answer.ok) return answer.run;
  throw OptimiseModelError.of(answer.code, answer.facts as FactsOf<MessageCode>, new Error(answer.stack));
}

function explainSilence(end: ChildEnd<IsolatedAnswer>, job: Job): OptimiseModelError {
  const { engine, modelPath: model, timeoutMs } = job;
  if (end.isLate) return OptimiseModelError.of('runtime-late', { engine, model, timeoutMs });
  const { signal, exitCode, lastWords } = end;
  return OptimiseModelError.of('runtime-crashed', { engine, model, signal, exitCode, lastWords });
}
