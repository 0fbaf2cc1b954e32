import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeFeedFile } from '../inputs/feed-file.js';
import { makeFolder } from '../lib/make-folder.js';
import { makeTemporaryFolder } from '../lib/temporary-folder.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchResult } from './bench-result.js';
import { checkBenchOptions } from './check-bench-options.js';
import { describeMachine } from './describe-machine.js';
import { listBenchFindings } from './list-findings.js';
import type { RowSource } from './locate-row.js';
import { type BenchGround, openGround } from './open-ground.js';
import { openSources } from './open-sources.js';
import { type PlannedRow, planRows } from './plan-rows.js';
import { sampleRows, type WorkFolder } from './sample-rows.js';
import { summariseBench } from './summarise-bench.js';

/**
 * Measures process start and steady state of every variant by every delivery in every memory profile, each sample in a
 * new process that opens the staged artifact with the loader that ships.
 *
 * @param options - What is measured and how.
 * @param context - Its signal ends the running sample and removes what was put on disk, but for the samples until then.
 * @returns Rows, raw samples, and what has to be known to read them. A sample that fails is part of the result.
 * @throws `bench-options-wrong`, `bench-nothing-to-measure`, `bench-target-differs`, `artifact-wrong`,
 *   `object-missing`, `runtime-missing` and what the store throws, all before the first sample; the signal's reason.
 */
export async function benchmark(
  options: BenchOptions,
  context: WorkContext = quietContext(),
): Promise<BenchResult> {
  const beganMs = performance.now();
  checkBenchOptions(options);
  const planned = planRows(options);
  const sources = await openSources(planned, options, context.signal);
  try {
    const ground = await openGround(options, planned, sources, context.signal);
    try {
      const measured = await inWorkFolder(options, (folder) =>
        sampleRows(planned, { options, sources, ground, folder }, context),
      );
      const { achieved, disk } = ground;
      const hubLink = sources.hubLink && { ...sources.hubLink, achieved: achieved.hub };
      const ways = { link: { ...sources.link, achieved: achieved.link }, hubLink, disk };
      const rows = planned.map((row, index) => describeReading(row, sources.rows[index], ground));
      const summary = summariseBench(rows, measured, ways, options);
      const profiles = ground.profiles.map((opened) => opened.profile);
      const { samples, limitSamples, runtimes } = measured;
      const sampled = { ...summary, samples, limitSamples, ...ways, profiles, runtimes };
      const result = { ...sampled, machine: describeMachine() };
      const { inMemory, prepared } = measured;
      const seen = { options, inMemory, prepared, findings: ground.findings };
      return {
        ...result,
        durationMs: performance.now() - beganMs,
        findings: listBenchFindings(result, seen),
      };
    } finally {
      await ground.close();
    }
  } finally {
    await sources.servers.close();
  }
}

function describeReading(row: PlannedRow, source: RowSource | undefined, { unheldFolders }: BenchGround) {
  const { layout = null, readFiles = [] } = source ?? {};
  const isDiskHeld = readFiles.every((file) => !unheldFolders.includes(dirname(file)));
  return { ...row, layout, isDiskHeld };
}

async function inWorkFolder<T>(options: BenchOptions, use: (folder: WorkFolder) => Promise<T>): Promise<T> {
  // Beside the older samples, which stand until all of the new ones are there.
  const samplesFile = `${options.samplesFile}.part`;
  await makeFolder(dirname(samplesFile));
  const workFolder = await makeTemporaryFolder(options.ephemeralDir ?? tmpdir(), 'optimise-model-bench-');
  try {
    await writeFile(samplesFile, '');
    const feedsPath = join(workFolder, 'feeds');
    await writeFeedFile(feedsPath, options.feeds);
    const result = await use({ workFolder, feedsPath, samplesFile });
    await rename(samplesFile, options.samplesFile);
    return result;
  } finally {
    await rm(workFolder, { recursive: true, force: true });
    // Samples cost time: what a benchmark took before it failed may be all that there will be.
    const { size } = await stat(samplesFile).catch(() => ({ size: 0 }));
    if (size === 0) await rm(samplesFile, { force: true });
  }
}
