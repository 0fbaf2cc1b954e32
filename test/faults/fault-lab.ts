import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, type TestContext, vi } from 'vitest';
import { OptimiseModelError } from '../../src/messages/error.js';
import { makeBucket } from '../services/bucket.js';
import type { FaultRule } from '../services/fault.js';
import { type FaultProxy, type ProxyLog, startFaultProxy } from '../services/fault-proxy.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { PlainStore } from './plain-store.js';

/** Where one case runs: a bucket of its own behind the proxy, and a folder of its own. */
export type Bench = {
  readonly store: PlainStore;
  /** Address of the store. */
  readonly storeUrl: string;
  readonly folder: string;
  readonly play: (rules: readonly FaultRule[]) => ProxyLog;
  /** Uploads to this bucket that the journal still knows. */
  readonly journalled: () => Promise<number>;
};

/** A server and a proxy for the cases of one test file. */
export type FaultLab = {
  /** Where files of all cases may lie; there before any case runs. */
  readonly folder: () => string;
  readonly open: (context: TestContext) => Promise<Bench>;
};

/**
 * Brings up what the cases of a test file need, for as long as it runs.
 *
 * @param silenceSeconds - After what silence a connection is given up.
 * @param prepare - Writes what all cases use.
 * @returns The lab.
 */
export function useFaultLab(silenceSeconds: number, prepare: (folder: string) => Promise<void>): FaultLab {
  // Cases wait for new tries and for silence; the CPUs that they share are enough for more than the usual five.
  vi.setConfig({ maxConcurrency: 8 });
  let running: RunningS3 | undefined;
  let proxy: FaultProxy | undefined;
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faults-'));
    process.env.OPTIMISE_MODEL_STATE = join(folder, 'state');
    process.env.OPTIMISE_MODEL_S3_SILENCE_SECONDS = String(silenceSeconds);
    running = await startS3IfFound();
    if (running === undefined) return;
    proxy = await startFaultProxy(running);
    useS3({ ...running, endpoint: proxy.endpoint });
    await prepare(folder);
  });
  afterAll(async () => {
    await proxy?.stop();
    await running?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const open = async (context: TestContext): Promise<Bench> => {
    const s3 = await requireS3(context, running);
    const bucket = await makeBucket(s3);
    return {
      store: new PlainStore(s3, bucket.name, 'models/vit/'),
      storeUrl: `s3://${bucket.name}/models`,
      folder: await mkdtemp(join(folder, 'case-')),
      play: (rules) => {
        if (proxy === undefined) throw new Error('the proxy was not started');
        return proxy.play(bucket.name, { rules });
      },
      journalled: () => countJournalled(join(folder, 'state'), bucket.name),
    };
  };
  return { folder: () => folder, open };
}

async function countJournalled(state: string, bucket: string): Promise<number> {
  const names = await readdir(join(state, 'uploads')).catch(() => []);
  const texts = await Promise.all(
    names.map((name) => readFile(join(state, 'uploads', name), 'utf8').catch(() => '')),
  );
  return texts.filter((text) => text.includes(`"${bucket}"`)).length;
}

/** How a verb ended: with what it returned, or with an error of ours. */
export type Ending = {
  readonly outcome: string;
  readonly exitCode: number;
  readonly error?: OptimiseModelError;
};

/**
 * Runs a verb to its end.
 *
 * @param work - The verb.
 * @returns `ok`, or the code of its error; anything that is not an error of ours is thrown: the command line would call it a bug.
 */
export async function endOf(work: Promise<unknown>): Promise<Ending> {
  try {
    await work;
    return { outcome: 'ok', exitCode: 0 };
  } catch (error) {
    if (!(error instanceof OptimiseModelError)) throw error;
    return { outcome: error.code.replace(/^s3-/, ''), exitCode: error.exitCode, error };
  }
}
