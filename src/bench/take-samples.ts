import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { printJson } from '../lib/json.js';
import type { WorkContext } from '../lib/work-context.js';
import { asOptimiseModelError } from '../messages/as-error.js';
import type { SamplingPlan } from './bench-options.js';
import type { BenchSample, SampleError } from './bench-result.js';
import type { CacheMode } from './cache/cache-state.js';
import { type CacheFiles, type PreparedCache, prepareCache } from './cache/prepare-cache.js';
import { explainSample } from './explain-sample.js';
import type { RowSource } from './locate-row.js';
import { nameRow, type PlannedRow } from './plan-rows.js';
import type { OpenedProfile } from './profile/open-profile.js';
import { runSample } from './run-sample.js';
import type { SampleAnswer, SampleJob, SampleMeasurement } from './sample-message.js';
import { orderRound } from './schedule.js';
import { sessionOf } from './session-of-row.js';
import { startStealClock } from './steal-clock.js';

/** One row, ready to be sampled. */
export type ReadyRow = PlannedRow &
  RowSource & {
    readonly profile: OpenedProfile;
    /** The engine's libraries, which every sample of it reads. */
    readonly libraries: readonly string[];
  };

/** What all samples have in common. */
export type SamplePlan = SamplingPlan & {
  /** What the progress is called. */
  readonly label: string;
  readonly warm: number;
  readonly cacheMode: CacheMode;
  readonly mountMode: 'copy' | 'direct';
  readonly timeoutMs: number;
  readonly feedsPath: string;
  /** A folder of our own; each sample gets an empty one in it. */
  readonly workFolder: string;
  readonly samplesFile: string;
  /** The tool's own code, which is cached whatever else is not. */
  readonly scripts: readonly string[];
  /** Variables that samples find. */
  readonly environment: Readonly<Record<string, string>>;
  /** Asked after `runs` rounds, and after each further one: whether another is worth while. */
  readonly needsMore: (samples: readonly BenchSample[]) => boolean;
  /** How many rounds it will be, as far as that can be told from the samples so far. */
  readonly foresee: (samples: readonly BenchSample[]) => number;
  /** Whether the folder that copies go to is memory. */
  readonly isInMemory: boolean;
  /** Told what was had before each sample. */
  readonly onPrepared: (prepared: PreparedCache) => void;
};

/**
 * Takes all samples, one process after the other, rows interleaved, and writes each down as it comes.
 *
 * @param rows - What is sampled.
 * @param plan - How often and how.
 * @param context - Stops between and within samples; hears of each sample.
 * @returns The samples in the order in which they were taken.
 * @throws The signal's reason; the file system's errors.
 */
export async function takeSamples(
  rows: readonly ReadyRow[],
  plan: SamplePlan,
  context: WorkContext,
): Promise<BenchSample[]> {
  const samples: BenchSample[] = [];
  let rounds = plan.runs;
  let foreseen = rounds;
  const report = () => {
    const total = Math.max(rounds, foreseen) * rows.length;
    context.progress({ label: plan.label, done: samples.length, total, unit: 'items' });
  };
  const endRound = (run: number) => {
    if (run + 1 === rounds && rounds < plan.mostRuns && plan.needsMore(samples)) rounds += 1;
    foreseen = run + 1 === rounds ? rounds : plan.foresee(samples);
  };
  report();
  for (let run = 0; run < rounds; run += 1) {
    for (const place of orderRound(rows.length, run)) {
      const row = rows[place];
      if (row === undefined) continue;
      const sample = await takeSample(row, run, plan, context.signal);
      await appendFile(plan.samplesFile, printSample(sample));
      samples.push(sample);
      // Before it is reported: what looks finished is taken for it.
      if (samples.length % rows.length === 0) endRound(run);
      report();
    }
  }
  return samples;
}

/**
 * Writes a raw sample as it stands in the file of samples.
 *
 * @param sample - The sample.
 * @returns One line of JSON, with its line end.
 */
export function printSample(sample: BenchSample): string {
  return `${printJson(sample, 0)}\n`;
}

async function takeSample(
  row: ReadyRow,
  run: number,
  plan: SamplePlan,
  signal: AbortSignal,
): Promise<BenchSample> {
  const ephemeralDir = join(plan.workFolder, 'ephemeral');
  await mkdir(ephemeralDir);
  try {
    const files = {
      cold: [...row.libraries, ...row.readFiles],
      warm: plan.scripts,
      served: row.servedFiles,
    };
    const prepared = await prepareOrFail(plan.cacheMode, files, signal);
    if ('code' in prepared) {
      return describeSample(row, run, { ok: false, error: prepared }, { cache: 'unknown', stealMs: null });
    }
    plan.onPrepared(prepared);
    const steal = await startStealClock();
    const answer = await runSample(describeJob(row, plan, ephemeralDir), row.profile, plan.timeoutMs, signal);
    const cache = plan.isInMemory && writesCopy(row, plan) ? 'memory' : prepared.state;
    return describeSample(row, run, answer, { cache, stealMs: await steal.read() });
  } finally {
    // Also after a process that died and could not clean up itself.
    await rm(ephemeralDir, { recursive: true, force: true });
  }
}

/** A file that cannot be read, as below a mount that is gone, is this sample's failure: others may do without it. */
async function prepareOrFail(
  mode: CacheMode,
  files: CacheFiles,
  signal: AbortSignal,
): Promise<PreparedCache | SampleError> {
  try {
    return await prepareCache(mode, files, signal);
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = asOptimiseModelError(error);
    return { code, what: message };
  }
}

/** Whether a sample writes the model to ephemeral storage and opens it there. */
function writesCopy({ delivery }: ReadyRow, { mountMode }: SamplePlan): boolean {
  if (delivery === 'mount') return mountMode === 'copy';
  return delivery !== 'lazy' && delivery !== 'layer';
}

function describeJob(row: ReadyRow, plan: SamplePlan, ephemeralDir: string): SampleJob {
  const { source, s3, delivery, profile } = row;
  const { feedsPath, warm, mountMode, environment } = plan;
  const { threads } = profile.profile;
  const session = row.target.variant.engine === 'openvino' ? null : sessionOf(row);
  const how = { threads, session, mountMode, ephemeralDir };
  return { source, environment, s3, delivery, ...how, feedsPath, warm };
}

function describeSample(
  row: ReadyRow,
  run: number,
  answer: SampleAnswer,
  seen: Pick<BenchSample, 'cache' | 'stealMs'>,
): BenchSample {
  const about = { ...nameRow(row), run, ...seen };
  const error = answer.ok ? refuseOtherSession(row, answer) : answer.error;
  if (!answer.ok || error !== null)
    return { ...about, phases: null, steadyMs: [], peakRssBytes: null, error };
  const { phases, steadyMs, peakRssBytes } = answer;
  return { ...about, phases, steadyMs, peakRssBytes, error: null };
}

/**
 * A processor that has no bf16 computes in f32 without a word, and where there are fewer processors OpenVINO has fewer
 * threads: the figures of another row, under the name of this one.
 */
function refuseOtherSession(
  { target: { variant }, profile: { profile } }: ReadyRow,
  { inference, threads }: Pick<SampleMeasurement, 'inference' | 'threads'>,
): SampleError | null {
  const { engine, inference: wanted } = variant;
  if (inference !== wanted)
    return explainSample('bench-inference-differs', { wanted, computedIn: inference ?? 'nothing', engine });
  if (threads !== profile.threads)
    return explainSample('bench-threads-differ', { wanted: profile.threads, had: threads ?? 0, engine });
  return null;
}
