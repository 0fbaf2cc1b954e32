import { devNull } from 'node:os';
import { openModel } from '../loader/index.js';
import type { SampleAnswer, SampleJob, SampleMeasurement } from './sample-message.js';

// This module is a program: the process of one sample. It imports up front what a handler imports, the loader, and
// nothing else: everything here counts as `start`.

async function measure(job: SampleJob): Promise<SampleMeasurement> {
  Object.assign(process.env, job.environment);
  if (job.s3?.isStandIn === true) forgetAws();
  if (job.s3 !== null) process.env.AWS_ENDPOINT_URL_S3 = job.s3.endpoint;
  const model = await openModel(job.source, {
    delivery: job.delivery,
    threads: job.threads,
    ...(job.session === null ? {} : { session: job.session }),
    mountMode: job.mountMode,
    ephemeralDir: job.ephemeralDir,
    onLog: () => undefined,
  });
  try {
    const { readFeedFile } = await import('../inputs/feed-file.js');
    const { fitFeeds } = await import('../inputs/fit-feeds.js');
    const { feeds } = fitFeeds(await readFeedFile(job.feedsPath), await model.inputs());
    await model.run(feeds);
    const steadyMs: number[] = [];
    // Without a parent to answer to, as when it was killed, there is nothing left to measure for.
    for (let run = 0; run < job.warm && process.connected; run += 1) {
      const beganMs = performance.now();
      await model.run(feeds);
      steadyMs.push(performance.now() - beganMs);
    }
    const { completePhases } = await import('../loader/phase-clock.js');
    const phases = completePhases(model.phases);
    const { readPeakRss } = await import('../lib/read-peak-rss.js');
    if (phases === null) throw new Error(`a phase is missing: ${JSON.stringify(model.phases)}`);
    const { inference, threads } = model;
    return { phases, inference, threads, steadyMs, peakRssBytes: await readPeakRss() };
  } finally {
    await model.close();
  }
}

/** Nothing of the user's AWS setup takes part where a server on this machine stands in for S3. */
function forgetAws(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  process.env.AWS_REGION = 'us-east-1';
  process.env.AWS_ACCESS_KEY_ID = 'loopback';
  process.env.AWS_SECRET_ACCESS_KEY = 'loopback';
  process.env.AWS_CONFIG_FILE = devNull;
  process.env.AWS_SHARED_CREDENTIALS_FILE = devNull;
}

async function answer(text: string | undefined): Promise<SampleAnswer> {
  try {
    return { ok: true, ...(await measure(JSON.parse(text ?? ''))) };
  } catch (error) {
    const { asOptimiseModelError } = await import('../messages/as-error.js');
    const { code, message } = asOptimiseModelError(error);
    return { ok: false, error: { code, what: message } };
  }
}

const message = await answer(process.argv[2]);
process.send?.(message, () => process.disconnect());
