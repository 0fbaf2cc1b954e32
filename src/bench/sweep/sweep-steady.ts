import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFeedFile } from '../../inputs/feed-file.js';
import { makeTemporaryFolder } from '../../lib/temporary-folder.js';
import { quietContext, type WorkContext } from '../../lib/work-context.js';
import { OptimiseModelError } from '../../messages/error.js';
import { type Finding, makeFinding } from '../../messages/finding.js';
import { readArtifactFolder } from '../../store/artifact-record.js';
import type { SampleError } from '../bench-result.js';
import { describeMachine } from '../describe-machine.js';
import { nameEnvironment } from '../engine-in-use.js';
import { orderRound } from '../schedule.js';
import { checkSweepOptions } from './check-sweep-options.js';
import { chooseBest } from './choose-best.js';
import { measureWindow } from './measure-window.js';
import { planCombinations } from './plan-combinations.js';
import { priceSweep } from './price-sweep.js';
import { failedPoint, summarisePoint, type WindowRun } from './summarise-point.js';
import type { SweepOptions } from './sweep-options.js';
import type { Combination, SweepPoint, SweepResult } from './sweep-result.js';

/**
 * Sweeps workers × threads in steady state: every worker is a process with one session that infers back to back, as a
 * server's or a function's would, and all of them run in one common window after the last has become warm.
 *
 * @param options - Artifact, profile and window.
 * @param context - Its signal ends the running workers; hears of each window.
 * @returns A point per combination, one that failed with its error, and the best for latency, throughput and cost.
 * @throws `bench-options-wrong`, `bench-target-differs`, `artifact-wrong` before the first worker; the signal's reason.
 */
export async function sweepSteady(
  options: SweepOptions,
  context: WorkContext = quietContext(),
): Promise<SweepResult> {
  const beganMs = performance.now();
  checkSweepOptions(options);
  await refuseOther(options);
  // OpenVINO has no more threads than processors: with more asked for, a combination would be measured twice.
  const mostThreads = options.openvino === null ? Number.POSITIVE_INFINITY : Math.ceil(options.cpus);
  const combinations = planCombinations(options.cpus).filter(({ threads }) => threads <= mostThreads);
  const folder = await makeTemporaryFolder(tmpdir(), 'optimise-model-sweep-');
  try {
    const feedsPath = join(folder, 'feeds');
    await writeFeedFile(feedsPath, options.feeds);
    const points = await measurePoints(combinations, { ...options, feedsPath }, context);
    const { variantId, memoryMiB, cpus, session, price, profile } = options;
    const measured = {
      ...{ variantId, memoryMiB, cpus, profile: profile?.profile ?? null, session, points },
      ...{ best: chooseBest(points), priceBasis: null },
    };
    const findings = [...(profile?.findings ?? []), ...listFailures(variantId, points)];
    const durationMs = performance.now() - beganMs;
    return priceSweep({ ...measured, machine: describeMachine(), durationMs, findings }, price);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function refuseOther({ variantId, artifactFolder, digest }: SweepOptions): Promise<void> {
  const { record } = await readArtifactFolder(artifactFolder);
  if (record.digest === digest) return;
  const facts = { variantId, where: artifactFolder, wantedDigest: digest, foundDigest: record.digest };
  throw OptimiseModelError.of('bench-target-differs', facts);
}

async function measurePoints(
  combinations: readonly Combination[],
  options: SweepOptions & { readonly feedsPath: string },
  context: WorkContext,
): Promise<SweepPoint[]> {
  const environment = nameEnvironment(options.openvino);
  const { artifactFolder, feedsPath, memoryMiB, profile, window, timeoutMs } = options;
  const session = options.openvino === null ? options.session : null;
  const rounds = Array.from({ length: options.rounds }, (_unused, run) => run);
  const turns = rounds.flatMap((run) => orderRound(combinations.length, run));
  const outcomes: (WindowRun | SampleError)[][] = combinations.map(() => []);
  const report = (done: number) =>
    context.progress({ label: 'sweep', done, total: turns.length, unit: 'items' });
  report(0);
  for (const [index, row] of turns.entries()) {
    const { workers = 1, threads = 1 } = combinations[row] ?? {};
    const job = { artifactFolder, environment, threads, session, feedsPath };
    const plan = { workers, job, memoryMiB, profile, window, timeoutMs };
    outcomes[row]?.push(await measureWindow(plan, context.signal));
    report(index + 1);
  }
  return combinations.map((combination, row) => {
    const failure = outcomes[row]?.find((outcome) => 'code' in outcome);
    const runs = (outcomes[row] ?? []).filter((outcome) => 'windowMs' in outcome);
    return failure === undefined ? summarisePoint(combination, runs) : failedPoint(combination, failure);
  });
}

function listFailures(variantId: string, points: readonly SweepPoint[]): Finding[] {
  return points.flatMap(({ workers, threads, error }) =>
    error === null
      ? []
      : [makeFinding('warning', 'sweep-point-failed', { variantId, workers, threads, ...error })],
  );
}
