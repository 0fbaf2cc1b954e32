import { join } from 'node:path';
import type { BenchOptions, BenchTarget } from './bench/bench-options.js';
import type { BenchResult } from './bench/bench-result.js';
import { findUsedOpenvino } from './bench/engine-in-use.js';
import { benchStep } from './bench/step.js';
import { type BaselineTarget, findBaseline } from './bench-baseline.js';
import type { CheckResult } from './check/check-budgets.js';
import { findExclusions } from './find-exclusions.js';
import type { WorkContext } from './lib/work-context.js';
import { listMemory } from './list-memory.js';
import type { Finding } from './messages/finding.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { StepRunner } from './pipeline/run-steps.js';
import { prepareFeeds } from './prepare-feeds.js';
import { resolveWays } from './resolve-ways.js';
import type { RunVariant } from './run-pipeline.js';

/** What was measured of a run. */
export type MeasuredVariants = { readonly bench: BenchResult | null; readonly notes: readonly Finding[] };

/** How many times `runs` adaptive sampling goes on at most, unless a number is given. */
const mostTimes = 6;

/**
 * Measures the staged variants of a run.
 *
 * @param runner - Does the step, or takes it from the record.
 * @param pipeline - What is measured and how.
 * @param variants - Those that are staged are measured.
 * @param budgets - What check found, for what cannot win anyway.
 * @param context - Stops the reading of what a run is compared with.
 * @returns The benchmark, null when nothing is staged, and what there is to say about the run besides.
 * @throws Whatever the benchmark throws.
 */
export async function benchVariants(
  runner: StepRunner,
  pipeline: Pipeline,
  variants: readonly RunVariant[],
  budgets: CheckResult | null,
  context: WorkContext,
): Promise<MeasuredVariants> {
  const targets = variants.flatMap(describeTarget);
  if (targets.length === 0) return { bench: null, notes: [] };
  const { compared, notes } = await findBaseline(pipeline, context);
  const feeds = await prepareFeeds(pipeline);
  const skip = variants.flatMap((variant) => findExclusions(pipeline, variant, budgets));
  const plan = describeBench(pipeline, targets, compared);
  const openvino = await findUsedOpenvino(plan.targets.map((target) => target.variant));
  const options = { ...plan, openvino, feeds, skip };
  return { bench: await runner.step(benchStep(options)), notes };
}

function describeTarget({ id, folder, record, staged, sessions }: RunVariant): readonly BenchTarget[] {
  if (staged === null) return [];
  const { digest, sizeBytes, expandedSizeBytes } = record;
  return [
    {
      ...{ variantId: id, variant: record.variant, digest, sizeBytes, expandedSizeBytes, sessions },
      artifactUrl: staged.artifactUrl,
      artifactFolder: folder,
      deliveries: null,
    },
  ];
}

function describeBench(
  pipeline: Pipeline,
  targets: readonly BenchTarget[],
  compared: BaselineTarget | null,
): Omit<BenchOptions, 'feeds' | 'skip' | 'openvino'> {
  const { bench, output } = pipeline;
  const { runs, targetWidth = null, mostRuns = runs * mostTimes } = bench;
  return {
    targets: compared === null ? targets : [...targets, compared.target],
    baseline: compared?.baseline ?? null,
    deliveries: bench.deliveries,
    ...{ runs, targetWidth, mostRuns: Math.max(runs, mostRuns), warm: bench.warm },
    memoryMiB: listMemory(pipeline),
    threads: bench.threads ?? null,
    cacheMode: bench.cache,
    timeoutMs: bench.timeoutSeconds * 1000,
    ...resolveWays(pipeline),
    environment: stateMedians(bench.environment ?? {}),
    samplesFile: join(output, 'samples.jsonl'),
  };
}

/** Tails are for limits alone, which a benchmark has none of. */
function stateMedians(stated: NonNullable<Pipeline['bench']['environment']>): BenchOptions['environment'] {
  return Object.fromEntries(
    Object.entries(stated).map(([delivery, { ms, source }]) => [delivery, { ms, source }]),
  );
}
