// Takes mutants through the converter in a worker thread, with a watchdog in this one.
import { Worker } from 'node:worker_threads';
import { makeMutant } from './make-mutant.mjs';

const limitMs = 10_000;
const heapMb = 512;

/**
 * Tries mutants one after the other; one that hangs or ends the worker is reported, and the next gets a new worker.
 * @param {Iterable<number>} indexes - Which mutants of the seed.
 * @param {{ models: object[], seed: number, folder: string, onDone: (outcome: object) => void }} setting - What mutants are
 *   made of, where they are written, and who hears of each.
 */
export async function fuzzMutants(indexes, { models, seed, folder, onDone }) {
  let worker;
  for (const index of indexes) {
    worker ??= new Worker(new URL('fuzz-worker.mjs', import.meta.url), {
      workerData: { models, seed, folder },
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    let outcome = await ask(worker, index);
    if (outcome.isGone) {
      await worker.terminate();
      worker = undefined;
      const { origin, strategy, job } = makeMutant(models, seed, index);
      outcome = { ...outcome, origin, strategy, job };
    }
    onDone(outcome);
  }
  await worker?.terminate();
}

function ask(worker, index) {
  return new Promise((resolve) => {
    const settle = (outcome) => {
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      // A worker that dies says so twice.
      worker.on('error', () => {});
      resolve(outcome);
    };
    const lost = (problem) => settle({ index, reached: 'unknown', code: null, problem, isGone: true });
    const timer = setTimeout(() => lost(`it took more than ${limitMs / 1000} s`), limitMs);
    worker.once('message', settle);
    worker.once('error', (error) => lost(`the worker died: ${error.stack ?? error}`));
    worker.once('exit', (code) => lost(`the worker ended with ${code}`));
    worker.postMessage(index);
  });
}
