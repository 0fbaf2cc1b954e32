import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFeedFile } from '../../inputs/feed-file.js';
import { fitFeeds } from '../../inputs/fit-feeds.js';
import { readPeakRss } from '../../lib/read-peak-rss.js';
import { type OpenedModel, openModel } from '../../loader/index.js';
import { asOptimiseModelError } from '../../messages/as-error.js';
import { OptimiseModelError } from '../../messages/error.js';
import { readSharedClockMs, type WorkerJob, type WorkerMessage, type WorkerOrder } from './worker-message.js';

// This module is a program: one worker of a sweep. It gets warm, waits for the word to start, and infers back to back.

async function work(job: WorkerJob): Promise<void> {
  const { artifactFolder, environment, threads, session, feedsPath } = job;
  Object.assign(process.env, environment);
  const settings = { delivery: 'layer', threads, onLog: () => undefined } as const;
  const model = await openModel(artifactFolder, session === null ? settings : { ...settings, session });
  try {
    const { feeds } = fitFeeds(await readFeedFile(feedsPath), await model.inputs());
    await model.run(feeds);
    refuseOtherSession(model, threads);
    const beganMs = readSharedClockMs();
    await model.run(feeds);
    const ordered = once(process, 'message');
    await say({ kind: 'ready', warmMs: readSharedClockMs() - beganMs });
    const [order]: WorkerOrder[] = await ordered;
    if (order === undefined) return;
    const times = await inferUntil(order, () => model.run(feeds));
    await say({ kind: 'done', times: Float64Array.from(times), peakRssBytes: await readPeakRss() });
  } finally {
    await model.close();
  }
}

function refuseOtherSession({ variant, inference, threads }: OpenedModel, wantedThreads: number): void {
  if (variant === null || inference === null || threads === null) return;
  const { engine, inference: wanted } = variant;
  if (inference !== wanted)
    throw OptimiseModelError.of('bench-inference-differs', { wanted, computedIn: inference, engine });
  if (threads !== wantedThreads)
    throw OptimiseModelError.of('bench-threads-differ', { wanted: wantedThreads, had: threads, engine });
}

async function inferUntil(
  { startAtMs, windowMs }: WorkerOrder,
  infer: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  await sleep(Math.max(0, startAtMs - readSharedClockMs()));
  let nowMs = readSharedClockMs() - startAtMs;
  // Without a parent to answer to, as when it was killed, there is nothing left to measure for.
  while (nowMs < windowMs && process.connected) {
    times.push(nowMs);
    await infer();
    nowMs = readSharedClockMs() - startAtMs;
    times.push(nowMs);
  }
  return times;
}

function say(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });
}

try {
  await work(JSON.parse(process.argv[2] ?? ''));
} catch (error) {
  const { code, message } = asOptimiseModelError(error);
  await say({ kind: 'failed', error: { code, what: message } });
}
if (process.connected) process.disconnect();
