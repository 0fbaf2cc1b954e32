import { OptimiseModelError } from '../../messages/error.js';
import type { SampleError } from '../bench-result.js';
import { explainOutOfMemory } from '../profile/memory-watch.js';
import { type SweepWorker, startWorker, WorkerFailure } from './start-worker.js';
import type { WindowRun } from './summarise-point.js';
import type { SweepOptions, SweepWindow } from './sweep-options.js';
import { readSharedClockMs, type WorkerJob } from './worker-message.js';

/** What one window of one combination is measured with. */
export type WindowPlan = Pick<SweepOptions, 'memoryMiB' | 'profile' | 'window' | 'timeoutMs'> & {
  readonly workers: number;
  readonly job: WorkerJob;
};

/** From the word to start until the start itself, so that every worker has heard it by then. */
const headStartMs = 50;

/**
 * Starts all workers of a combination, waits until the last of them is warm, and lets them run in one common window.
 *
 * @param plan - Workers and window.
 * @param signal - Ends them at once.
 * @returns What they did; or why there is nothing: a worker that dies, hangs, runs out of memory or fails takes the
 *   window with it.
 * @throws The signal's reason. All processes have ended by then.
 */
export async function measureWindow(plan: WindowPlan, signal: AbortSignal): Promise<WindowRun | SampleError> {
  signal.throwIfAborted();
  const { profile, memoryMiB } = plan;
  const before = (await profile?.readMemory()) ?? null;
  const workers = Array.from({ length: plan.workers }, () =>
    startWorker(plan.job, profile?.launcher ?? null),
  );
  const endAll = () => Promise.all(workers.map((worker) => worker.end()));
  signal.addEventListener('abort', endAll, { once: true });
  try {
    return await runTogether(workers, plan);
  } catch (error) {
    signal.throwIfAborted();
    const failure = explainFailure(error);
    if (failure.code !== 'sweep-worker-died') return failure;
    const end = {
      signal: (error as OptimiseModelError).facts.signal as NodeJS.Signals | null,
      isLate: false,
    };
    return explainOutOfMemory(end, memoryMiB, before, (await profile?.readMemory()) ?? null) ?? failure;
  } finally {
    signal.removeEventListener('abort', endAll);
    await endAll();
  }
}

async function runTogether(workers: readonly SweepWorker[], plan: WindowPlan): Promise<WindowRun> {
  const { window, timeoutMs } = plan;
  const ready = await Promise.all(workers.map((worker) => worker.hear('ready', timeoutMs)));
  const slowestMs = Math.max(...ready.map((message) => message.warmMs));
  const windowMs = fitWindow(window, slowestMs, workers.length);
  const done = Promise.all(workers.map((worker) => worker.hear('done', headStartMs + windowMs + timeoutMs)));
  const startAtMs = readSharedClockMs() + headStartMs;
  for (const worker of workers) worker.order({ startAtMs, windowMs });
  const runs = await done;
  const peakRssBytes = runs.map((run) => run.peakRssBytes);
  return { windowMs, workers: runs.map((run) => run.times), peakRssBytes };
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
