import type { Launcher } from '../../lib/converse-with-child.js';
import { OptimiseModelError } from '../../messages/error.js';
import type { SampleError } from '../bench-result.js';
import { startWorker, WorkerFailure } from './start-worker.js';
import type { WindowRun } from './summarise-point.js';
import type { SweepWindow } from './sweep-options.js';
import { readSharedClockMs, type WorkerJob } from './worker-message.js';

/** What one window of one combination is measured with. */
export type WindowPlan = {
  readonly workers: number;
  readonly job: WorkerJob;
  readonly window: SweepWindow;
  readonly launcher: Launcher | null;
  readonly timeoutMs: number;
};

/** From the word to start until the start itself, so that every worker has heard it by then. */
const headStartMs = 50;

/**
 * Starts all workers of a combination, waits until the last of them is warm, and lets them run in one common window.
 *
 * @param plan - Workers and window.
 * @param signal - Ends them at once.
 * @returns What they did; or why there is nothing: a worker that dies, hangs or fails takes the window with it.
 * @throws The signal's reason. All processes have ended by then.
 */
export async function measureWindow(plan: WindowPlan, signal: AbortSignal): Promise<WindowRun | SampleError> {
  signal.throwIfAborted();
  const { job, launcher, timeoutMs } = plan;
  const workers = Array.from({ length: plan.workers }, () => startWorker(job, launcher));
  const endAll = () => Promise.all(workers.map((worker) => worker.end()));
  signal.addEventListener('abort', endAll, { once: true });
  try {
    const ready = await Promise.all(workers.map((worker) => worker.hear('ready', timeoutMs)));
    const slowestMs = Math.max(...ready.map((message) => message.warmMs));
    const windowMs = fitWindow(plan.window, slowestMs, plan.workers);
    const done = Promise.all(
      workers.map((worker) => worker.hear('done', headStartMs + windowMs + timeoutMs)),
    );
    const startAtMs = readSharedClockMs() + headStartMs;
    for (const worker of workers) worker.order({ startAtMs, windowMs });
    const runs = await done;
    const peakRssBytes = runs.map((run) => run.peakRssBytes);
    return { windowMs, workers: runs.map((run) => run.times), peakRssBytes };
  } catch (error) {
    signal.throwIfAborted();
    return explainFailure(error);
  } finally {
    signal.removeEventListener('abort', endAll);
    await endAll();
  }
}

/**
 * Fits the length of a window to how fast a model is.
 *
 * @param window - What was asked for.
 * @param inferenceMs - One inference of a warm worker, milliseconds.
 * @param workers - How many infer at a time.
 * @returns Milliseconds.
 */
export function fitWindow(window: SweepWindow, inferenceMs: number, workers: number): number {
  const neededMs = (window.leastInferences * inferenceMs) / workers;
  return Math.min(Math.max(window.durationMs, neededMs), window.mostMs);
}

function explainFailure(error: unknown): SampleError {
  if (error instanceof WorkerFailure) return error.failure;
  if (error instanceof OptimiseModelError) return { code: error.code, what: error.message };
  throw error;
}
