import { join } from 'node:path';
import { findUsedOpenvino } from './bench/engine-in-use.js';
import { openProfile, readProfileGround } from './bench/profile/open-profile.js';
import { planProfile } from './bench/profile/plan-profile.js';
import { sweepStep } from './bench/sweep/step.js';
import type { SweepResult } from './bench/sweep/sweep-result.js';
import { tuneStep } from './bench/tune/step.js';
import { usualLevels } from './bench/tune/tune-options.js';
import type { TuneResult } from './bench/tune/tune-result.js';
import { readCpuEnvironment } from './lib/cpu-quota.js';
import { listMemory } from './list-memory.js';
import type { Pipeline } from './pipeline/read-pipeline.js';
import type { StepRunner } from './pipeline/run-steps.js';
import { prepareFeeds } from './prepare-feeds.js';
import { findPrice } from './price-inferences.js';
import type { RunVariant } from './run-pipeline.js';

/** Processes per configuration, and inferences after the first in each. */
const tuning = { runs: 3, warm: 10, mostSteadyShare: 1.1 } as const;
/** Long enough for a p99 of most models, short enough to be done with. */
const sweeping = { window: { durationMs: 3000, leastInferences: 100, mostMs: 15_000 }, rounds: 2 } as const;

/** Variants with what measuring their sessions gave. */
export type TunedVariants = {
  readonly variants: readonly RunVariant[];
  readonly tunes: readonly TuneResult[];
};

/**
 * Chooses the session options of each variant by measuring them, where the pipeline asks for that.
 *
 * @param runner - Does the steps, or takes them from the record.
 * @param pipeline - Whether, and in which memory: the first profile.
 * @param variants - All variants; those that are staged are measured.
 * @returns The variants with their options, and what was measured.
 * @throws Whatever tuning throws.
 */
export async function tuneVariants(
  runner: StepRunner,
  pipeline: Pipeline,
  variants: readonly RunVariant[],
): Promise<TunedVariants> {
  if (!pipeline.bench.tune) return { variants, tunes: [] };
  const feeds = await prepareFeeds(pipeline);
  const [memoryMiB = null] = listMemory(pipeline);
  const { threads: asked = null } = pipeline.bench;
  const { threads } = planProfile(memoryMiB, asked, readCpuEnvironment()).profile;
  const tuned: RunVariant[] = [];
  const tunes: TuneResult[] = [];
  for (const variant of variants) {
    if (variant.staged === null) {
      tuned.push(variant);
      continue;
    }
    const openvino = await findUsedOpenvino([variant.record.variant]);
    const found = await runner.step(
      tuneStep({
        openvino,
        ...{ variantId: variant.id, digest: variant.record.digest, artifactFolder: variant.folder },
        ...{ feeds, threads, levels: usualLevels, ...tuning, memoryMiB },
        workFolder: join(pipeline.output, 'tune'),
        timeoutMs: pipeline.bench.timeoutSeconds * 1000,
        openProfile: () => openProfile(memoryMiB, asked, readProfileGround([])),
      }),
    );
    tunes.push(found);
    tuned.push({ ...variant, sessions: found.chosen });
  }
  return { variants: tuned, tunes };
}

/**
 * Measures workers × threads of each variant in each memory profile, where the pipeline asks for that.
 *
 * @param runner - Does the steps, or takes them from the record.
 * @param pipeline - Whether, in which memory, and by which price.
 * @param variants - Those that are staged are measured.
 * @returns One sweep per variant and profile.
 * @throws `price-unknown`, whatever sweeping throws.
 */
export async function sweepVariants(
  runner: StepRunner,
  pipeline: Pipeline,
  variants: readonly RunVariant[],
): Promise<readonly SweepResult[]> {
  if (!pipeline.bench.sweep) return [];
  const feeds = await prepareFeeds(pipeline);
  const memories = listMemory(pipeline);
  const sweeps: SweepResult[] = [];
  for (const { id, record, folder, staged, sessions } of variants) {
    if (staged === null) continue;
    const openvino = await findUsedOpenvino([record.variant]);
    for (const memoryMiB of memories.length === 0 ? [null] : memories) {
      const { usableCpus: cpus } = planProfile(memoryMiB, null, readCpuEnvironment());
      const step = sweepStep({
        openvino,
        ...{ variantId: id, digest: record.digest, artifactFolder: folder, session: sessions.own, feeds },
        ...{ memoryMiB, cpus, ...sweeping, price: findPrice(pipeline.bench.price, memoryMiB) },
        timeoutMs: pipeline.bench.timeoutSeconds * 1000,
        openProfile: () => openProfile(memoryMiB, null, readProfileGround([])),
      });
      sweeps.push(await runner.step(step));
    }
  }
  return sweeps;
}
