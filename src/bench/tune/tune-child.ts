import { readFeedFile } from '../../inputs/feed-file.js';
import { fitFeeds } from '../../inputs/fit-feeds.js';
import { readPeakRss } from '../../lib/read-peak-rss.js';
import { asOptimiseModelError } from '../../messages/as-error.js';
import { importRuntime } from '../../runtimes/import-runtime.js';
import { saveOptimised } from '../../runtimes/save-optimised.js';
import type { TuneAnswer, TuneJob } from './tune-message.js';

// This module is a program: it opens one session, and measures it or saves its graph. It is timed from when the engine
// is loaded, which takes as long for every configuration.

async function work(job: TuneJob): Promise<TuneAnswer> {
  Object.assign(process.env, job.environment);
  const runtime = await importRuntime(job.engine);
  if (job.kind === 'save') {
    await saveOptimised(job.modelPath, job.target);
    return { ok: true, measured: null };
  }
  const feeds = await readFeedFile(job.feedsPath);
  const beganMs = performance.now();
  const session = await runtime.openSession({ path: job.modelPath }, job.settings);
  const sessionMs = performance.now() - beganMs;
  const fitted = fitFeeds(feeds, session.inputs).feeds;
  const firstInferenceMs = await time(() => session.run(fitted));
  const steadyMs: number[] = [];
  // Without a parent to answer to, as when it was killed, there is nothing left to measure for.
  for (let run = 0; run < job.warm && process.connected; run += 1)
    steadyMs.push(await time(() => session.run(fitted)));
  const peakRssBytes = await readPeakRss();
  await session.close();
  const { inference, threads, isFromCache } = session;
  const measured = { sessionMs, firstInferenceMs, steadyMs, peakRssBytes, inference, threads, isFromCache };
  return { ok: true, measured };
}

async function time(infer: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await infer();
  return performance.now() - beganMs;
}

async function answer(text: string | undefined): Promise<TuneAnswer> {
  try {
    return await work(JSON.parse(text ?? ''));
  } catch (error) {
    const { code, message } = asOptimiseModelError(error);
    return { ok: false, error: { code, what: message } };
  }
}

const message = await answer(process.argv[2]);
process.send?.(message, () => process.disconnect());
