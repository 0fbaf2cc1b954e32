import { cacheTitles } from '../../src/lib/cache-state.js';
import type { BenchReport, BenchReportRow } from '../../src/report/documents/bench-result.js';
import type { RunView } from '../../src/report/run-view.js';
import { sampleRow } from './sample-bench.js';
import { makeSampleView } from './sample-view.js';

type Bench = BenchReport;

/** Means of the study's four sources, milliseconds: download, session, first inference. */
const sources = [
  { delivery: 'url', phases: [29_960, 19_640, 930] },
  { delivery: 's3-copy', phases: [25_060, 6380, 570] },
  { delivery: 'mount', phases: [0, 717_180, 700] },
  { delivery: 'layer', phases: [0, 29_500, 760] },
] as const;

function makeSourceRow(
  row: BenchReportRow,
  { delivery, phases: [downloadMs, sessionMs, firstInferenceMs] }: (typeof sources)[number],
): BenchReportRow {
  const spread = (median: number) => ({
    median,
    min: median * 0.95,
    max: median * 1.14,
    p95: null,
    count: 7,
  });
  const loadMs = downloadMs + sessionMs;
  return {
    ...row,
    delivery,
    environment: null,
    comparable: { total: null, ready: null },
    limit: null,
    outliers: [],
    phases: {
      ...row.phases,
      downloadMs: spread(downloadMs),
      sessionMs: spread(sessionMs),
      firstInferenceMs: spread(firstInferenceMs),
      loadMs: spread(loadMs),
      coldStartMs: spread(loadMs + 80),
      totalMs: spread(loadMs + firstInferenceMs + 80),
      readyMs: spread(loadMs + 80),
    },
  };
}

/**
 * The four sources of one model, as the study has them.
 *
 * @param bench - A benchmark to put them in.
 */
export function withSources(bench: Bench): Bench {
  const [first] = bench.rows;
  if (first === undefined) return bench;
  const rows = sources.map((source) => makeSourceRow({ ...first, variantId: 'fp32.external' }, source));
  return { ...bench, rows, comparisons: [], samples: rows.flatMap(sampleRow) };
}

/**
 * The rows again in another memory profile, twice as slow to start.
 *
 * @param bench - A benchmark of the whole machine.
 * @param memories - Memory settings, MiB.
 */
export function withMemories(bench: Bench, memories: readonly number[]): Bench {
  const rename = <T extends { readonly memoryMiB: number | null }>(item: T, memoryMiB: number): T => ({
    ...item,
    memoryMiB,
  });
  return {
    ...bench,
    rows: bench.rows.flatMap((row) => memories.map((memory) => rename(row, memory))),
    samples: bench.samples.flatMap((sample) => memories.map((memory) => rename(sample, memory))),
    comparisons: bench.comparisons.flatMap((item) =>
      memories.map((memory) => ({
        ...item,
        row: rename(item.row, memory),
        against: rename(item.against, memory),
      })),
    ),
    profiles: memories.map((memoryMiB) => ({
      memoryMiB,
      vcpus: memoryMiB / 1769,
      threads: Math.max(1, Math.floor(memoryMiB / 1769)),
      threadsOrigin: `cgroup quota ${(memoryMiB / 1769).toFixed(2)} CPU`,
      cpuLimit: 'cgroup-v1' as const,
      memoryLimit: 'none' as const,
    })),
  };
}

/**
 * Moves the rows of one delivery into another cache state.
 *
 * @param bench - A benchmark.
 * @param delivery - Which rows.
 * @param cache - Their state from now on.
 */
export function withState(bench: Bench, delivery: string, cache: BenchReportRow['cache']): Bench {
  const move = <T extends { readonly delivery: string; readonly cache: BenchReportRow['cache'] }>(
    item: T,
  ): T => (item.delivery === delivery ? { ...item, cache } : item);
  return {
    ...bench,
    rows: bench.rows.map(move),
    samples: bench.samples.map(move),
    comparisons: bench.comparisons.filter((item) => item.row.delivery !== delivery),
  };
}

/** The sample run with everything in it: two profiles, two cache states, a gate, a hub, a held disk. */
export async function makeRichView(): Promise<RunView> {
  const view = await makeSampleView();
  if (view.bench === null) throw new Error('the sample has a benchmark');
  const sourced = withSources(view.bench);
  const both = {
    ...view.bench,
    rows: [...view.bench.rows, ...sourced.rows],
    samples: [...view.bench.samples, ...sourced.samples],
  };
  const bench = withMemories(withState(both, 'lazy', 'warm'), [2048, 4096]);
  const name = { delivery: 's3-copy' as const, memoryMiB: 2048 };
  return {
    ...view,
    bench: {
      ...bench,
      samples: bench.samples.map((sample, index) => (index === 3 ? { ...sample, stealMs: 60 } : sample)),
      baseline: {
        release: '20261101T080000Z-0a1b2c3d',
        baseline: { ...name, variantId: 'fp32.single@20261101T080000Z-0a1b2c3d' },
        candidate: { ...name, variantId: 'fp16.single' },
        mostRatio: 1.1,
        total: { ratio: 1.12, low: 1.08, high: 1.16, samples: 7, verdict: 'slower' },
        verdict: 'inconclusive',
      },
      hubLink: {
        ...bench.link,
        label: 'simulated model hub over HTTP, 60.0 ms to the first byte',
        bytesPerSecond: 40e6,
        achieved: { bytesPerSecond: 39.6e6, latencyMs: 60.4 },
        latencyMs: 60,
      },
      disk: {
        bytesPerSecond: 131_072_000,
        enforcement: 'cgroup-v1',
        label: 'disk held to 125 MiB/s by control group v1; checked: 112.9 MiB/s',
      },
      cache: { state: 'evicted', title: cacheTitles.evicted },
    },
  };
}
