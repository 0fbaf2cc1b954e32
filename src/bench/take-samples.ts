import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { printJson } from '../lib/json.js';
import type { WorkContext } from '../lib/work-context.js';
import type { BenchSample } from './bench-result.js';
import type { CacheState } from './cache/cache-state.js';
import { warmFiles } from './cache/warm-files.js';
import type { PlannedRow } from './plan-rows.js';
import { runSample } from './run-sample.js';
import type { SampleAnswer } from './sample-message.js';
import { interleaveTurns } from './schedule.js';

/** One row, ready to be sampled. */
export type ReadyRow = PlannedRow & {
  readonly source: string;
  /** The server that stands in for S3; null when the source is read as it is. */
  readonly s3Endpoint: string | null;
  /** Files that are read once before each sample. */
  readonly warmPaths: readonly string[];
  readonly cache: CacheState;
};

/** What all samples have in common. */
export type SamplePlan = {
  readonly runs: number;
  readonly warm: number;
  readonly threads: number;
  readonly timeoutMs: number;
  readonly feedsPath: string;
  /** A folder of our own; each sample gets an empty one in it. */
  readonly workFolder: string;
  readonly samplesFile: string;
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
  const turns = interleaveTurns(rows.length, plan.runs);
  const samples: BenchSample[] = [];
  const report = () =>
    context.progress({ label: 'bench', done: samples.length, total: turns.length, unit: 'items' });
  report();
  for (const turn of turns) {
    const row = rows[turn.row];
    if (row === undefined) continue;
    const sample = describeSample(row, turn.run, await takeSample(row, plan, context.signal));
    await appendFile(plan.samplesFile, printSample(sample));
    samples.push(sample);
    report();
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

async function takeSample(row: ReadyRow, plan: SamplePlan, signal: AbortSignal): Promise<SampleAnswer> {
  const ephemeralDir = join(plan.workFolder, 'ephemeral');
  await warmFiles(row.warmPaths, signal);
  await mkdir(ephemeralDir);
  try {
    const { source, s3Endpoint, delivery } = row;
    const { threads, feedsPath, warm, timeoutMs } = plan;
    const job = { source, s3Endpoint, delivery, threads, ephemeralDir, feedsPath, warm };
    return await runSample(job, timeoutMs, signal);
  } finally {
    // Also after a process that died and could not clean up itself.
    await rm(ephemeralDir, { recursive: true, force: true });
  }
}

function describeSample(row: ReadyRow, run: number, answer: SampleAnswer): BenchSample {
  const { target, delivery, cache } = row;
  const about = { variantId: target.variantId, delivery, run, cache };
  if (!answer.ok) return { ...about, phases: null, steadyMs: [], peakRssBytes: null, error: answer.error };
  const { phases, steadyMs, peakRssBytes } = answer;
  return { ...about, phases, steadyMs, peakRssBytes, error: null };
}
