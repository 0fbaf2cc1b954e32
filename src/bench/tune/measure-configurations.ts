import type { Engine } from '../../lib/variant.js';
import { plainSettings } from '../../runtimes/runtime.js';
import type { SampleError } from '../bench-result.js';
import { warmFiles } from '../cache/warm-files.js';
import { orderRound } from '../schedule.js';
import type { PreparedModel } from './prepare-models.js';
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
  plan: TuneOptions & { readonly engine: Engine; readonly feedsPath: string },
  context: { readonly signal: AbortSignal; readonly step: () => void },
): Promise<MeasuredConfiguration[]> {
  const samples: TuneSample[][] = ready.map(() => []);
  const errors = ready.map(({ model }) => ('error' in model ? model.error : null));
  for (let run = 0; run < plan.runs; run += 1) {
    for (const index of orderRound(ready.length, run)) {
      const { configuration, model } = ready[index] ?? {};
      if (configuration !== undefined && model !== undefined && 'paths' in model && errors[index] === null) {
        await warmFiles(model.paths, context.signal);
        const answer = await runTuneChild(
          makeJob(configuration, model.modelPath, plan),
          plan,
          context.signal,
        );
        if (!answer.ok) errors[index] = answer.error;
        else if (answer.measured !== null) samples[index]?.push({ run, ...answer.measured });
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

function makeJob(
  { session }: TuneConfiguration,
  modelPath: string,
  plan: TuneOptions & { readonly engine: Engine; readonly feedsPath: string },
) {
  const { engine, feedsPath, warm, threads } = plan;
  const settings = { ...plainSettings, threads, options: session };
  return { kind: 'measure', engine, modelPath, settings, feedsPath, warm } as const;
}
