import type { BenchResult } from './bench/bench-result.js';
import type { SweepResult } from './bench/sweep/sweep-result.js';
import type { TuneResult } from './bench/tune/tune-result.js';
import { benchVariants } from './bench-variants.js';
import { gatherCheck } from './check/check-artifacts.js';
import type { CheckResult } from './check/check-budgets.js';
import { checkStep } from './check/step.js';
import type { ConvertResult } from './convert/convert-options.js';
import { hashSource, openSource } from './convert/open-source.js';
import { convertVariants } from './convert-variants.js';
import { findExclusions } from './find-exclusions.js';
import { type FoundExpectation, findExpectation, refuseUnknownExpectation } from './find-expectation.js';
import { holdExpectation } from './hold-expectation.js';
import { holdReplacement } from './hold-replacement.js';
import { explainGate, judgeRelease } from './judge-gate.js';
import { explainLeftOut, type LeftOutVariant } from './leave-out-variant.js';
import { hashToolCode } from './lib/hash-tool-code.js';
import type { ArtifactSessions } from './lib/session-options.js';
import { quietContext, type WorkContext } from './lib/work-context.js';
import { lookForOpenvino, type OpenvinoHere } from './look-for-openvino.js';
import { sweepVariants, tuneVariants } from './measure-sessions.js';
import type { Finding } from './messages/finding.js';
import { objectSettingsOf } from './object-settings-of.js';
import type { PickResult } from './pick/pick-result.js';
import { pickStep } from './pick/step.js';
import { type PickGround, preparePick } from './pick-candidates.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import { runSteps, type StepEvent, type StepReport, type StepRunner } from './pipeline/run-steps.js';
import { proveVariants } from './prove-variants.js';
import type { PublishResult } from './publish/publish-release.js';
import { publishStep } from './publish/step.js';
import { readLastChoice } from './read-last-choice.js';
import { resolveWays } from './resolve-ways.js';
import { type RunVerb, runVerbs } from './run-verbs.js';
import { runtimeVersion } from './runtimes/runtime-pack.js';
import type { StageResult } from './stage/stage-artifact.js';
import { stageStep } from './stage/step.js';
import type { ArtifactRecord } from './store/artifact-record.js';
import { summariseArtifacts } from './summarise-artifacts.js';
import { tellApart } from './tell-apart.js';
import type { ParityResult } from './validate/parity-result.js';

/** How a pipeline is run. */
export type RunOptions = {
  readonly context?: WorkContext;
  /** Told about each step as it starts and ends. */
  readonly onStep?: (event: StepEvent) => void;
  /** Verbs that are done again even if nothing changed. */
  readonly redo?: readonly RunVerb[];
  /** Whether a `current.json` that somebody moved since is moved back; it is left alone otherwise. */
  readonly movesBack?: boolean;
  /** The last verb that is done; all of them when left out. */
  readonly until?: RunVerb;
  /**
   * The choice that is expected, `VARIANT[:DELIVERY[:START]]`, or `recorded`: when another one is picked, nothing is
   * published and `notes` say so.
   */
  readonly expect?: string;
  /** Ids of variants that the run may not go on without because of this machine: it throws then. */
  readonly mustMake?: readonly string[];
  /** What the record says was run, where this is asked just once: what fails then leaves the record as it was. */
  readonly recordAs?: Pipeline;
};

/** What was converted: the model with its external data files, sizes and hash over all of them. */
export type SourceModel = { readonly path: string; readonly sizeBytes: number; readonly sha256: string };

/** One variant of a run: what it was converted to and how it compares with its source. */
export type RunVariant = {
  readonly id: string;
  readonly folder: string;
  readonly converted: ConvertResult;
  readonly record: ArtifactRecord;
  readonly parity: ParityResult | null;
  readonly staged: StageResult | null;
  /** How its sessions are opened, chosen by measuring where that was asked for. */
  readonly sessions: ArtifactSessions;
};

/** Everything that a run brought about; null for what it did not come to. */
export type RunOutcome = {
  readonly pipeline: Pipeline;
  readonly model: SourceModel;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly steps: readonly StepReport[];
  /** What there is to say about the run itself. */
  readonly notes: readonly Finding[];
  readonly variants: readonly RunVariant[];
  /** Asked for, and not made: the run went on without them. */
  readonly leftOut: readonly LeftOutVariant[];
  readonly budgets: CheckResult | null;
  readonly bench: BenchResult | null;
  /** What session options were chosen by, one per variant; empty where that was not asked for. */
  readonly tunes: readonly TuneResult[];
  /** Workers × threads, one per variant and memory profile; empty where that was not asked for. */
  readonly sweeps: readonly SweepResult[];
  readonly pick: PickResult | null;
  readonly publish: PublishResult | null;
};

/**
 * Runs a pipeline: converts, proves, checks, stages, measures, picks and publishes, and reuses what is already done.
 *
 * @param pipeline - What to do, from {@link readPipeline}.
 * @param options - Context, listener, what to redo and where to stop.
 * @returns What came out of every step; `pick.winner` is null when no candidate is left, and nothing is published then,
 *   nor when another one than expected is picked, nor while the release of `bench.baseline` is faster, or may be, nor
 *   while the current release ships a variant that could not be made on this machine.
 * @throws Whatever a step throws; finished steps stay recorded.
 */
export async function runPipeline(pipeline: Pipeline, options: RunOptions = {}): Promise<RunOutcome> {
  const { context = quietContext(), onStep = () => undefined, redo = [], until = 'publish' } = options;
  const { movesBack = false, recordAs, mustMake = [] } = options;
  const { expectation, openvino } = await examineGround(pipeline, options, context);
  const startedAt = new Date().toISOString();
  const reaches = (verb: RunVerb) => runVerbs.indexOf(verb) <= runVerbs.indexOf(until);
  const versions = { code: hashToolCode(), onnxruntime: await runtimeVersion('onnxruntime') };
  return runSteps(pipeline, { context, onStep, redo, recordAs, versions }, async (runner) => {
    const model = await describeSource(pipeline, context);
    const { variants: made, leftOut } = await convertVariants(runner, pipeline, model, openvino, mustMake);
    const proven = reaches('validate')
      ? await proveVariants(runner, pipeline, { model, openvino }, made)
      : made;
    const budgets = reaches('check') ? await checkVariants(runner, pipeline, proven) : null;
    const staged = reaches('stage') ? await stageVariants(runner, pipeline, proven, budgets) : proven;
    const tuned = reaches('bench') ? await tuneVariants(runner, pipeline, staged) : null;
    const variants = tuned?.variants ?? staged;
    const { bench, notes: benchNotes } = reaches('bench')
      ? await benchVariants(runner, pipeline, variants, budgets, context)
      : { bench: null, notes: [] };
    const sweeps = reaches('bench') ? await sweepVariants(runner, pipeline, variants) : [];
    const run = { pipeline, variants, budgets, bench, leftOut };
    const how = { reaches, movesBack, expectation, signal: context.signal };
    const { notes: endNotes, ...end } = await concludeRun(runner, run, how);
    const finishedAt = new Date().toISOString();
    const steps = runner.reports();
    const notes = [...runner.notes, ...explainLeftOut(leftOut), ...benchNotes, ...endNotes];
    const measured = { budgets, bench, tunes: tuned?.tunes ?? [], sweeps, ...end };
    return { pipeline, model, startedAt, finishedAt, steps, notes, variants, leftOut, ...measured };
  });
}

/** What would only be found out late is told before the first step, which is recorded. */
async function examineGround(
  pipeline: Pipeline,
  { until = 'publish', expect, mustMake = [] }: RunOptions,
  context: WorkContext,
): Promise<{ readonly expectation: FoundExpectation; readonly openvino: OpenvinoHere }> {
  if (runVerbs.indexOf('bench') <= runVerbs.indexOf(until)) resolveWays(pipeline);
  refuseUnknownExpectation(pipeline, expect);
  // Before this run records a choice of its own.
  const readLast = () => readLastChoice(pipeline.output);
  const expectation = await findExpectation(pipeline, expect, readLast, context.signal);
  const openvino = await lookForOpenvino(pipeline, context);
  if (openvino.missing !== null && mustMake.length > 0) throw openvino.missing;
  return { expectation, openvino };
}

/** Picks, holds the choice against what is expected of it, and publishes it. */
async function concludeRun(
  runner: StepRunner,
  run: PickGround & Pick<RunOutcome, 'pipeline' | 'variants' | 'budgets' | 'bench' | 'leftOut'>,
  how: {
    readonly signal: AbortSignal;
    readonly reaches: (verb: RunVerb) => boolean;
    readonly movesBack: boolean;
    readonly expectation: FoundExpectation;
  },
): Promise<Pick<RunOutcome, 'pick' | 'publish' | 'notes'>> {
  const { reaches, movesBack, expectation, signal } = how;
  if (!reaches('pick')) return { pick: null, publish: null, notes: [] };
  const pick = await runner.step(pickStep(preparePick(run, [], null).options, tellApart));
  const notes = [...expectation.notes];
  const broken = expectation.expected === null ? null : holdExpectation(pick, expectation.expected);
  if (broken !== null) return { pick, publish: null, notes: [...notes, broken] };
  if (!reaches('publish')) return { pick, publish: null, notes };
  if (run.pipeline.publish === null || pick.winner === null) return { pick, publish: null, notes };
  const replaced = await holdReplacement(run.pipeline, run.leftOut, signal);
  const held = [...explainGate(run.bench), ...(replaced === null ? [] : [replaced])];
  const isOpen = judgeRelease({ bench: run.bench, notes: held }) === 'ok';
  const publish = isOpen ? await publishWinner(runner, { ...run, pick }, movesBack) : null;
  return { pick, publish, notes: [...held, ...notes] };
}

async function describeSource(pipeline: Pipeline, context: WorkContext): Promise<SourceModel> {
  const source = await openSource(pipeline.model);
  return {
    path: pipeline.model,
    sizeBytes: source.sizeBytes,
    sha256: await hashSource(source, context.signal),
  };
}

async function checkVariants(
  runner: StepRunner,
  pipeline: Pipeline,
  variants: readonly RunVariant[],
): Promise<CheckResult> {
  const { profile, ephemeralMiB, memoryMiB } = pipeline.budgets;
  const options = await gatherCheck({
    paths: variants.map((variant) => variant.folder),
    deliveries: pipeline.bench.deliveries,
    mountMode: pipeline.bench.mount?.mode,
    profile,
    ephemeralMiB,
    memoryMiB,
  });
  const artifactDigests = Object.fromEntries(variants.map(({ id, record }) => [id, record.digest]));
  return runner.step(checkStep({ ...options, artifactDigests }));
}

/** A variant that no delivery may ship is not sent anywhere. */
async function stageVariants(
  runner: StepRunner,
  pipeline: Pipeline,
  variants: readonly RunVariant[],
  budgets: CheckResult | null,
): Promise<readonly RunVariant[]> {
  const staged: RunVariant[] = [];
  for (const variant of variants) {
    const exclusions = findExclusions(pipeline, variant, budgets);
    const isWanted = exclusions.length < pipeline.bench.deliveries.length;
    const result = isWanted ? await runner.step(stageStep(describeStaging(pipeline, variant))) : null;
    staged.push({ ...variant, staged: result });
  }
  return staged;
}

function describeStaging(pipeline: Pipeline, variant: RunVariant) {
  const { to, partSizeMiB, concurrency } = pipeline.stage;
  return {
    artifact: variant.folder,
    to,
    name: pipeline.name,
    digest: variant.record.digest,
    variantId: variant.id,
    partSizeBytes: partSizeMiB === undefined ? null : partSizeMiB * 1024 ** 2,
    concurrency,
    settings: objectSettingsOf(pipeline),
  };
}

async function publishWinner(
  runner: StepRunner,
  run: Pick<RunOutcome, 'pipeline' | 'variants' | 'budgets' | 'bench'> & { readonly pick: PickResult },
  movesBack: boolean,
): Promise<PublishResult | null> {
  const { pipeline, variants, budgets, bench, pick } = run;
  const winner = pick.winner;
  const chosen = variants.find((variant) => variant.id === winner?.variantId);
  if (pipeline.publish === null || winner === null || chosen === undefined) return null;
  return runner.step(
    publishStep({
      storeUrl: pipeline.stage.to,
      settings: objectSettingsOf(pipeline),
      name: pipeline.name,
      movesBack,
      to: pipeline.publish.to,
      chosen: {
        digest: chosen.record.digest,
        variantId: winner.variantId,
        delivery: winner.delivery,
        threads: pipeline.bench.threads ?? null,
      },
      reason: winner.reason,
      artifacts: summariseArtifacts(variants, budgets, bench),
    }),
  );
}
