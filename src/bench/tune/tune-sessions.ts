import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFeedFile } from '../../inputs/feed-file.js';
import { isInMemory } from '../../lib/in-memory.js';
import { makeFolder } from '../../lib/make-folder.js';
import { usualSessions } from '../../lib/session-options.js';
import { makeTemporaryFolder } from '../../lib/temporary-folder.js';
import { quietContext, type WorkContext } from '../../lib/work-context.js';
import { OptimiseModelError } from '../../messages/error.js';
import { runtimeVersion } from '../../runtimes/runtime-pack.js';
import { type ArtifactRecord, readArtifactFolder } from '../../store/artifact-record.js';
import { describeMachine } from '../describe-machine.js';
import { checkTuneOptions } from './check-tune-options.js';
import { type ChosenSessions, chooseSessions } from './choose-sessions.js';
import { findParetoFront } from './find-pareto-front.js';
import { listTuneFindings } from './list-tune-findings.js';
import { measureConfigurations } from './measure-configurations.js';
import { planConfigurations } from './plan-configurations.js';
import { prepareModels } from './prepare-models.js';
import { summariseConfiguration } from './summarise-configuration.js';
import type { TuneOptions } from './tune-options.js';
import type { TunedConfiguration, TuneResult } from './tune-result.js';

/**
 * Tries which session options serve a variant best: its own files and their expanded form × prepacking × optimisation
 * level, and beside them what graphs would gain that are optimised, or have their weights prepacked, beforehand. Of OpenVINO,
 * which has no such options, what a model cache would gain, and files that are not mapped.
 *
 * @param options - Artifact, levels, and how often each is measured.
 * @param context - Its signal ends the running process; hears of each model and each process.
 * @returns Figures of every configuration, the Pareto front, and the options to release. What was written is removed.
 * @throws `bench-options-wrong`, `bench-target-differs`, `artifact-wrong`, `runtime-missing` before the first process;
 *   the signal's reason.
 */
export async function tuneSessions(
  options: TuneOptions,
  context: WorkContext = quietContext(),
): Promise<TuneResult> {
  const beganMs = performance.now();
  checkTuneOptions(options);
  const record = await readTarget(options);
  const engineVersion = await runtimeVersion(record.variant.engine);
  await makeFolder(options.workFolder);
  const folder = await makeTemporaryFolder(options.workFolder, 'optimise-model-tune-');
  try {
    const measured = await measureAll(options, record, folder, context);
    const machine = describeMachine();
    const configurations = measured.map((each) =>
      summariseConfiguration(each, { cpuModel: machine.cpuModel, engineVersion }),
    );
    const { variantId, memoryMiB, threads, mostSteadyShare, profile } = options;
    const { engine } = record.variant;
    const { chosen, reason } =
      engine === 'openvino' ? optionless : chooseSessions(configurations, mostSteadyShare);
    return {
      ...{ variantId, engine, engineVersion, memoryMiB, threads, profile: profile?.profile ?? null },
      ...{ configurations, front: findFront(configurations), chosen, reason },
      cache: (await isInMemory(folder)) ? 'memory' : 'warm',
      machine,
      durationMs: performance.now() - beganMs,
      findings: [
        ...(profile?.findings ?? []),
        ...listTuneFindings(variantId, configurations, chosen, mostSteadyShare),
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A model cache belongs to a machine, not to a release: whoever wants one says so when a model is opened. */
const optionless: ChosenSessions = {
  chosen: usualSessions,
  reason: 'OpenVINO has no session options to choose from, and a model cache is no part of a release.',
};

async function readTarget({ variantId, artifactFolder, digest }: TuneOptions): Promise<ArtifactRecord> {
  const { record } = await readArtifactFolder(artifactFolder);
  if (record.digest === digest) return record;
  const facts = { variantId, where: artifactFolder, wantedDigest: digest, foundDigest: record.digest };
  throw OptimiseModelError.of('bench-target-differs', facts);
}

async function measureAll(
  options: TuneOptions,
  record: ArtifactRecord,
  folder: string,
  { signal, progress }: WorkContext,
) {
  const planned = planConfigurations(options.levels, record.variant);
  const graphs = new Set(planned.flatMap(({ saved }) => (saved === null ? [] : [JSON.stringify(saved)])));
  const total = 1 + graphs.size + planned.length * options.runs;
  let done = 0;
  const report = () => progress({ label: 'tune', done, total, unit: 'items' });
  const step = () => {
    done += 1;
    report();
  };
  report();
  const feedsPath = join(folder, 'feeds');
  await writeFeedFile(feedsPath, options.feeds);
  const models = await prepareModels(options, record, folder, { signal, step });
  try {
    const ready = planned.flatMap((configuration) => {
      const model = models.find(configuration);
      return model === undefined ? [] : [{ configuration, model }];
    });
    const plan = { ...options, record, feedsPath, cacheFolder: join(folder, 'model-cache') };
    return await measureConfigurations(ready, plan, { signal, step });
  } finally {
    await models.discard();
  }
}

function findFront(configurations: readonly TunedConfiguration[]): number[] {
  const measured = [...configurations.entries()].flatMap(([index, { readyMs, steadyMs, sizeBytes }]) =>
    readyMs === null || steadyMs === null || sizeBytes === null
      ? []
      : [{ index, figures: [readyMs, steadyMs, sizeBytes] }],
  );
  const front = new Set(findParetoFront(measured.map((each) => each.figures)));
  return measured.filter((_each, place) => front.has(place)).map((each) => each.index);
}
