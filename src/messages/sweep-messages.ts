import { defineMessage } from './message.js';

const nameEnd = (signal: string | null, exitCode: number | null) =>
  signal === null ? `with exit code ${exitCode}` : `by ${signal}`;
const mostWords = 240;
const firstWords = (text: string) => (text.length <= mostWords ? text : `${text.slice(0, mostWords)}…`);
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** What a sweep of workers and threads, and the tuning of sessions, have to say. */
export const sweepMessages = {
  'sweep-worker-died': defineMessage<{ signal: string | null; exitCode: number | null; lastWords: string }>({
    exit: 3,
    what: (facts) =>
      `A worker's process ended ${nameEnd(facts.signal, facts.exitCode)} before it gave a result.${facts.lastWords === '' ? '' : ` Its last words: ${facts.lastWords}`}`,
    remedy: () =>
      'Give the profile more memory in `bench.memoryMiB`: an end by SIGKILL or SIGABRT is most often memory running out, and every worker holds the model.',
  }),
  'sweep-worker-late': defineMessage<{ awaited: string; timeoutMs: number }>({
    exit: 3,
    what: (facts) =>
      `A worker was not ${facts.awaited} within ${Math.round(facts.timeoutMs)} ms and was ended.`,
    remedy: () => 'Raise `bench.timeoutSeconds` in the pipeline.',
  }),
  'sweep-point-failed': defineMessage<{
    variantId: string;
    workers: number;
    threads: number;
    code: string;
    what: string;
  }>({
    exit: 0,
    what: (facts) =>
      `${facts.variantId} with ${count(facts.workers, 'worker')} × ${count(facts.threads, 'thread')} gave no figure (${facts.code}): ${facts.what}`,
    remedy: () => 'Do not run this combination with this memory, or mend what it says and measure again.',
  }),
  'sweep-not-priced': defineMessage<{
    variantId: string;
    memoryMiB: number | null;
    basis: string;
    reason: string;
  }>({
    exit: 0,
    what: (facts) =>
      `The steady state of ${facts.variantId}${facts.memoryMiB === null ? '' : ` in ${facts.memoryMiB} MiB`} has no cost: ${facts.reason}, so the price (${facts.basis}) is not for what was measured.`,
    remedy: () =>
      'Measure where control groups may be written on a machine with enough processors (`optimise-model doctor` shows what this one offers), or set `bench.price` to `{ usdPerHour: … }`.',
  }),
  'tune-configuration-failed': defineMessage<{
    variantId: string;
    configuration: string;
    code: string;
    what: string;
  }>({
    exit: 0,
    what: (facts) =>
      `${facts.variantId}, ${facts.configuration}, gave no figure (${facts.code}): ${facts.what}`,
    remedy: () => 'Mend what it says and tune again if this configuration is to be chosen from.',
  }),
  'tune-saved-graphs-failed': defineMessage<{
    variantId: string;
    failures: number;
    graphs: number;
    code: string;
    what: string;
  }>({
    exit: 0,
    what: (facts) =>
      `${facts.variantId}: onnxruntime cannot open graphs that it saved of this model (${facts.failures} of ${facts.graphs}, ${facts.code}): ${firstWords(facts.what)}`,
    remedy: () => 'Do nothing: session options are chosen among the others, and releases hold no such graph.',
  }),
  'tune-too-noisy': defineMessage<{ variantId: string; ratio: number }>({
    exit: 0,
    what: (facts) =>
      `${facts.variantId}: runs of the same session options differ by ${facts.ratio.toFixed(1)} times, so none were chosen but the usual ones.`,
    remedy: () =>
      'Let the machine do nothing else, then tune again: `optimise-model run PIPELINE --redo bench`.',
  }),
  'tune-cache-not-used': defineMessage<{ isWarm: boolean }>({
    exit: 3,
    what: ({ isWarm }) =>
      isWarm
        ? 'OpenVINO says that it did not open the session from its model cache, though an earlier process had filled that.'
        : 'OpenVINO says that it opened the session from a model cache, where it was to have none.',
    remedy: () =>
      'Take no model cache for this model: leave `modelCacheDir` out of the options of `openModel`.',
  }),
  'tune-cache-gain': defineMessage<{
    variantId: string;
    plainMs: number;
    coldMs: number;
    warmMs: number;
    cacheSizeBytes: number | null;
    boundTo: string | null;
  }>({
    exit: 0,
    what: (facts) =>
      `${facts.variantId}: with OpenVINO's model cache (${((facts.cacheSizeBytes ?? 0) / 1024 ** 2).toFixed(1)} MiB) it takes ${Math.round(facts.warmMs)} ms from file to first answer, without ${Math.round(facts.plainMs)} ms, and the process that fills the cache ${Math.round(facts.coldMs)} ms. The cache is bound to ${facts.boundTo}.`,
    remedy: () =>
      'Give `openModel` a `modelCacheDir` that outlives the process, such as on EFS, and fill it where it is used; releases hold none.',
  }),
  'tune-offline-gain': defineMessage<{
    variantId: string;
    configuration: string;
    readyMs: number;
    chosenMs: number;
    sizeBytes: number;
    boundTo: string | null;
  }>({
    exit: 0,
    what: (facts) =>
      `${facts.variantId}: a graph optimised beforehand (${facts.configuration}) takes ${Math.round(facts.readyMs)} ms from file to first answer where the chosen options take ${Math.round(facts.chosenMs)} ms, and ${(facts.sizeBytes / 1024 ** 2).toFixed(1)} MiB on disk.${facts.boundTo === null ? '' : ` It is bound to ${facts.boundTo}.`}`,
    remedy: () =>
      'Take it as what could be gained: releases hold what `optimise-model convert` writes, and no such graph.',
  }),
};
