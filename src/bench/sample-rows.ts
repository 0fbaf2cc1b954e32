import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { isInMemory } from '../lib/in-memory.js';
import type { WorkContext } from '../lib/work-context.js';
import { runtimePackFiles } from '../runtimes/runtime-pack.js';
import { type BenchOptions, defaultTimeoutMs } from './bench-options.js';
import type { BenchSample } from './bench-result.js';
import type { PreparedCache } from './cache/prepare-cache.js';
import { listScripts } from './cache/warm-files.js';
import { floorRuns, planFloors } from './floor-rows.js';
import type { BenchGround } from './open-ground.js';
import type { BenchSources } from './open-sources.js';
import type { PlannedRow } from './plan-rows.js';
import { sampleProgram } from './run-sample.js';
import { foreseeRounds, needsMoreSamples } from './statistics/sampling-rule.js';
import { type ReadyRow, type SamplePlan, takeSamples } from './take-samples.js';

/** Where samples work and are written. */
export type WorkFolder = {
  readonly workFolder: string;
  readonly feedsPath: string;
  readonly samplesFile: string;
};

/** What sampling needs besides the rows. */
type SamplingParts = {
  readonly options: BenchOptions;
  readonly sources: BenchSources;
  readonly ground: BenchGround;
  readonly folder: WorkFolder;
};

/** What was sampled, and what was seen meanwhile. */
export type MeasuredSamples = {
  readonly samples: readonly BenchSample[];
  readonly limitSamples: readonly BenchSample[];
  /** What was had of the page cache before each of them. */
  readonly prepared: readonly PreparedCache[];
  /** The folder that copies go to, where that is memory; else null. */
  readonly inMemory: string | null;
};

/**
 * Takes the samples of all rows, then those that only the physical limits rest on.
 *
 * @param planned - The rows.
 * @param parts - Sources, machine and folders.
 * @param context - Stops between and within samples; hears of each.
 * @returns The samples.
 * @throws `runtime-missing`; the signal's reason; the file system's errors.
 */
export async function sampleRows(
  planned: readonly PlannedRow[],
  { options, sources, ground, folder }: SamplingParts,
  context: WorkContext,
): Promise<MeasuredSamples> {
  const prepared: PreparedCache[] = [];
  const ephemeralDir = options.ephemeralDir ?? tmpdir();
  const inMemory = (await isInMemory(ephemeralDir)) ? ephemeralDir : null;
  const plan = {
    ...(await describePlan(options, folder)),
    isInMemory: inMemory !== null,
    onPrepared: (each: PreparedCache) => {
      prepared.push(each);
    },
  };
  const rows = planned.flatMap((row, index) => {
    const source = sources.rows[index];
    return source === undefined ? [] : [makeReady({ ...row, ...source }, ground)];
  });
  const samples = await takeSamples(rows, plan, context);
  const floors = planFloors(planned).map((row) => makeReady(row, ground));
  const once = {
    runs: floorRuns,
    mostRuns: floorRuns,
    foresee: () => floorRuns,
    warm: 0,
    label: 'bench: session floor',
  };
  const limitSamples = floors.length === 0 ? [] : await takeSamples(floors, { ...plan, ...once }, context);
  return { samples, limitSamples, prepared, inMemory };
}

function makeReady(row: Omit<ReadyRow, 'profile'>, ground: BenchGround): ReadyRow {
  const profile = ground.profiles.find((opened) => opened.profile.memoryMiB === row.memoryMiB);
  if (profile === undefined) throw new Error(`no profile of ${row.memoryMiB} MiB was opened`);
  return { ...row, profile };
}

async function describePlan(
  options: BenchOptions,
  folder: WorkFolder,
): Promise<Omit<SamplePlan, 'isInMemory' | 'onPrepared'>> {
  const { timeoutMs = defaultTimeoutMs, runs, mostRuns, targetWidth, warm, cacheMode } = options;
  const pack = await runtimePackFiles('onnxruntime', process.platform, process.arch);
  return {
    label: 'bench',
    ...{ runs, mostRuns, targetWidth, warm, cacheMode, timeoutMs },
    mountMode: options.mount?.mode ?? 'copy',
    ...folder,
    scripts: await listScripts(dirname(dirname(sampleProgram))),
    libraries: pack.files.map((file) => file.source),
    needsMore: (samples) => targetWidth !== null && needsMoreSamples(samples, targetWidth),
    foresee: (samples) => foreseeRounds(samples, { runs, mostRuns, targetWidth }),
  };
}
