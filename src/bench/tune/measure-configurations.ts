import type { ArtifactRecord } from '../../store/artifact-record.js';
import type { SampleError } from '../bench-result.js';
import { warmFiles } from '../cache/warm-files.js';
import { nameEnvironment } from '../engine-in-use.js';
import { explainSample } from '../explain-sample.js';
import { orderRound } from '../schedule.js';
import { prepareModelCache } from './model-cache.js';
import type { PreparedFiles, PreparedModel } from './prepare-models.js';
import { runTuneChild } from './run-tune-child.js';
import type { TuneOptions } from './tune-options.js';
import type { TuneConfiguration, TuneSample } from './tune-result.js';

/** A configuration and the model that it opens. */
export type ReadyConfiguration = {
  readonly configuration: TuneConfiguration;
  readonly model: PreparedModel;
};

/** What the processes of one configuration gave, up to the first that failed. */
export type MeasuredConfiguration = ReadyConfiguration & {
  readonly samples: readonly TuneSample[];
  readonly error: SampleError | null;
};

/** How configurations are measured. */
type TunePlan = TuneOptions & {
  readonly record: ArtifactRecord;
  readonly feedsPath: string;
  /** A folder of ours for what the engine keeps. */
  readonly cacheFolder: string;
};

/**
 * Measures configurations, each time in a new process, in rounds that sample each of them once.
 *
 * @param ready - Configurations with their models.
 * @param plan - How, with which engine and which feeds.
 * @param context - `signal` stops it; `step` hears of each process.
 * @returns Their samples, in the same order.
 * @throws The signal's reason.
 */
export async function measureConfigurations(
  ready: readonly ReadyConfiguration[],
  plan: TunePlan,
  context: { readonly signal: AbortSignal; readonly step: () => void },
): Promise<MeasuredConfiguration[]> {
  const samples: TuneSample[][] = ready.map(() => []);
  const errors = ready.map(({ model }) => ('error' in model ? model.error : null));
  for (let run = 0; run < plan.runs; run += 1) {
    for (const index of orderRound(ready.length, run)) {
      const { configuration, model } = ready[index] ?? {};
      if (configuration !== undefined && model !== undefined && 'paths' in model && errors[index] === null) {
        const measured = await measureOnce(configuration, model, plan, context.signal);
        if ('code' in measured) errors[index] = measured;
        else samples[index]?.push({ run, ...measured });
      }
      context.step();
    }
  }
  return ready.map((each, index) => ({
    ...each,
    samples: samples[index] ?? [],
    error: errors[index] ?? null,
  }));
}

async function measureOnce(
  configuration: TuneConfiguration,
  { modelPath, paths }: PreparedFiles,
  plan: TunePlan,
  signal: AbortSignal,
): Promise<Omit<TuneSample, 'run'> | SampleError> {
  const { cacheFolder, record } = plan;
  const open = (folder: string | null, warm: number) =>
    runTuneChild(makeJob(configuration, modelPath, folder, { ...plan, warm }), plan, signal);
  const cache = await prepareModelCache(configuration.modelCache, cacheFolder, async (folder) => {
    const filled = await open(folder, 0);
    return filled.ok ? null : filled.error;
  });
  if (cache.error !== null) return cache.error;
  // Of a cache as well: what a process has just written, or one long ago, is not in memory by the same chance.
  await warmFiles([...paths, ...cache.paths], signal);
  const answer = await open(cache.folder, plan.warm);
  if (!answer.ok) return answer.error;
  if (answer.measured === null) throw new Error('a session that was to be measured was not');
  const { inference, threads, isFromCache, ...measured } = answer.measured;
  const isWarm = configuration.modelCache === 'warm';
  if (isFromCache !== isWarm) return explainSample('tune-cache-not-used', { isWarm });
  const { inference: wanted, engine } = record.variant;
  if (inference !== wanted)
    return explainSample('bench-inference-differs', { wanted, computedIn: inference, engine });
  if (threads !== plan.threads)
    return explainSample('bench-threads-differ', { wanted: plan.threads, had: threads, engine });
  return { ...measured, cacheSizeBytes: await cache.measure() };
}

function makeJob(
  { session, isMapped }: TuneConfiguration,
  modelPath: string,
  cacheFolder: string | null,
  { record, feedsPath, warm, threads, openvino }: TunePlan,
) {
  const { engine, inference } = record.variant;
  const { names } = record.requires;
  const settings = { threads, options: session, inference, names, cacheFolder, isMapped };
  const environment = nameEnvironment(openvino);
  return { kind: 'measure', engine, environment, modelPath, settings, feedsPath, warm } as const;
}
