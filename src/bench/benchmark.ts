import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeFeedFile } from '../inputs/feed-file.js';
import { isInMemory } from '../lib/in-memory.js';
import { makeFolder } from '../lib/make-folder.js';
import { makeTemporaryFolder } from '../lib/temporary-folder.js';
import { quietContext, type WorkContext } from '../lib/work-context.js';
import { runtimePackFiles } from '../runtimes/runtime-pack.js';
import { type BenchOptions, defaultTimeoutMs } from './bench-options.js';
import type { BenchResult } from './bench-result.js';
import { type CacheState, cacheTitles } from './cache/cache-state.js';
import { listScripts } from './cache/warm-files.js';
import { checkBenchOptions } from './check-bench-options.js';
import { describeMachine } from './describe-machine.js';
import { listBenchFindings } from './list-findings.js';
import { type BenchSources, openSources } from './open-sources.js';
import { type PlannedRow, planRows } from './plan-rows.js';
import { sampleProgram } from './run-sample.js';
import { summariseRows } from './summarise-rows.js';
import { type ReadyRow, takeSamples } from './take-samples.js';

/**
 * Measures process start and steady state of every variant by every delivery, each sample in a new process that opens
 * the staged artifact with the loader that ships.
 *
 * @param options - What is measured and how.
 * @param context - Its signal ends the running sample and removes what was put on disk.
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
  const ephemeralDir = options.ephemeralDir ?? tmpdir();
  const inMemory = await findMemoryFolders(planned, ephemeralDir);
  const sources = await openSources(planned, options.link, context.signal);
  try {
    const rows = await readyRows(planned, sources, inMemory);
    const samples = await inWorkFolder(ephemeralDir, options, (workFolder, feedsPath, samplesFile) => {
      const { timeoutMs = defaultTimeoutMs } = options;
      return takeSamples(rows, { ...options, timeoutMs, workFolder, feedsPath, samplesFile }, context);
    });
    const [state = 'warm', ...otherStates] = new Set(samples.map((sample) => sample.cache));
    const whole = otherStates.length === 0 ? state : 'warm';
    const result = {
      rows: summariseRows(planned, samples, options.environment),
      samples,
      link: sources.link,
      cache: { state: whole, title: cacheTitles[whole] },
      machine: describeMachine(),
      threads: options.threads,
    };
    const findings = listBenchFindings({ ...result, skip: options.skip, inMemory });
    return { ...result, durationMs: performance.now() - beganMs, findings };
  } finally {
    await sources.close();
  }
}

type MemoryFolders = { readonly ephemeral: string | null; readonly layers: readonly string[] };

async function findMemoryFolders(rows: readonly PlannedRow[], ephemeralDir: string): Promise<MemoryFolders> {
  const isCopied = rows.some((row) => row.delivery === 's3-copy');
  const layers = rows.filter((row) => row.delivery === 'layer').map((row) => row.target.artifactFolder);
  const areInMemory = await Promise.all(layers.map((folder) => isInMemory(folder).catch(() => false)));
  return {
    ephemeral: isCopied && (await isInMemory(ephemeralDir)) ? ephemeralDir : null,
    layers: layers.filter((_folder, index) => areInMemory[index]),
  };
}

async function readyRows(
  planned: readonly PlannedRow[],
  sources: BenchSources,
  inMemory: MemoryFolders,
): Promise<ReadyRow[]> {
  const pack = await runtimePackFiles('onnxruntime', process.platform, process.arch);
  const runtimePaths = pack.files.map((file) => file.source);
  const scripts = await listScripts(dirname(dirname(sampleProgram)));
  return planned.map((row, index) => {
    const found = sources.rows[index];
    if (found === undefined) throw new Error(`row ${index} has no source`);
    const { source, s3Endpoint } = found;
    return {
      ...row,
      source,
      s3Endpoint,
      warmPaths: [...scripts, ...runtimePaths, ...found.files],
      cache: cacheStateOf(row, inMemory),
    };
  });
}

function cacheStateOf({ target, delivery }: PlannedRow, inMemory: MemoryFolders): CacheState {
  if (delivery === 'layer') return inMemory.layers.includes(target.artifactFolder) ? 'memory' : 'warm';
  return delivery === 's3-copy' && inMemory.ephemeral !== null ? 'memory' : 'warm';
}

async function inWorkFolder<T>(
  ephemeralDir: string,
  options: BenchOptions,
  use: (workFolder: string, feedsPath: string, samplesFile: string) => Promise<T>,
): Promise<T> {
  // Beside the older samples, which stand until all of the new ones are there.
  const samplesFile = `${options.samplesFile}.part`;
  await makeFolder(dirname(samplesFile));
  const workFolder = await makeTemporaryFolder(ephemeralDir, 'optimise-model-bench-');
  try {
    await writeFile(samplesFile, '');
    const feedsPath = join(workFolder, 'feeds');
    await writeFeedFile(feedsPath, options.feeds);
    const result = await use(workFolder, feedsPath, samplesFile);
    await rename(samplesFile, options.samplesFile);
    return result;
  } finally {
    await rm(workFolder, { recursive: true, force: true });
    await rm(samplesFile, { force: true });
  }
}
