import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { isInMemory } from '../lib/in-memory.js';
import type { WorkContext } from '../lib/work-context.js';
import { type BenchOptions, defaultTimeoutMs } from './bench-options.js';
import type { BenchSample } from './bench-result.js';
import type { PreparedCache } from './cache/prepare-cache.js';
import { listScripts } from './cache/warm-files.js';
import { type BenchRuntime, type EngineFiles, listEngineFiles, nameEnvironment } from './engine-in-use.js';
import { mostFloorRuns, planFloors } from './floor-rows.js';
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
  readonly runtimes: readonly BenchRuntime[];
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
  const engines = await listEngines(planned);
  const rows = planned.flatMap((row, index) => {
    const source = sources.rows[index];
    return source === undefined ? [] : [makeReady({ ...row, ...source }, ground, engines)];
  });
  const samples = await takeSamples(rows, plan, context);
  const floors = planFloors(planned).map((row) => makeReady(row, ground, engines));
  const runs = Math.min(mostFloorRuns, options.runs);
  const once = { runs, mostRuns: runs, foresee: () => runs, warm: 0, label: 'bench: session floor' };
  const limitSamples = floors.length === 0 ? [] : await takeSamples(floors, { ...plan, ...once }, context);
  return { samples, limitSamples, prepared, inMemory, runtimes: listRuntimes(engines) };
}

/** What each kind of artifact reads of its engine. */
type Engines = ReadonlyMap<string, EngineFiles>;

async function listEngines(planned: readonly PlannedRow[]): Promise<Engines> {
  const engines = new Map<string, EngineFiles>();
  for (const row of planned) {
    const kind = kindOf(row);
    if (!engines.has(kind)) engines.set(kind, await listEngineFiles(row.target.variant));
  }
  return engines;
}

function kindOf({ target: { variant } }: Pick<PlannedRow, 'target'>): string {
  return `${variant.engine} ${variant.layout}`;
}

function listRuntimes(engines: Engines): readonly BenchRuntime[] {
  const all = [...engines.values()].map(({ engine, version }) => [engine, { engine, version }] as const);
  return [...new Map(all).values()];
}

function makeReady(
  row: Omit<ReadyRow, 'profile' | 'libraries'>,
  ground: BenchGround,
  engines: Engines,
): ReadyRow {
  const profile = ground.profiles.find((opened) => opened.profile.memoryMiB === row.memoryMiB);
  if (profile === undefined) throw new Error(`no profile of ${row.memoryMiB} MiB was opened`);
  return { ...row, profile, libraries: engines.get(kindOf(row))?.libraries ?? [] };
}

async function describePlan(
  options: BenchOptions,
  folder: WorkFolder,
): Promise<Omit<SamplePlan, 'isInMemory' | 'onPrepared'>> {
  const { timeoutMs = defaultTimeoutMs, runs, mostRuns, targetWidth, warm, cacheMode } = options;
  return {
    label: 'bench',
    ...{ runs, mostRuns, targetWidth, warm, cacheMode, timeoutMs },
    mountMode: options.mount?.mode ?? 'copy',
    ...folder,
    scripts: await listScripts(dirname(dirname(sampleProgram))),
    environment: nameEnvironment(options.openvino),
    needsMore: (samples) => targetWidth !== null && needsMoreSamples(samples, targetWidth),
    foresee: (samples) => foreseeRounds(samples, { runs, mostRuns, targetWidth }),
  };
}
