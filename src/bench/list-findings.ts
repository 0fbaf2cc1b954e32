import { notableStealShare, shareOfSteal } from '../lib/steal-share.js';
import { type Finding, makeFinding } from '../messages/finding.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchLink, BenchResult, BenchRow, BenchSample } from './bench-result.js';
import { cacheStates, cacheTitles } from './cache/cache-state.js';
import { listCacheFindings } from './cache/list-cache-findings.js';
import type { PreparedCache } from './cache/prepare-cache.js';
import { listComparisonFindings } from './list-comparison-findings.js';
import { isSameRow } from './plan-rows.js';
import { listStatisticsFindings } from './statistics/list-statistics-findings.js';

/** A p95 of the total, or where there is none its highest, this many times its median makes a row's figures doubtful. */
const wideRatio = 1.5;

/** What was measured, as far as findings are made from it. */
type MeasuredBench = Omit<BenchResult, 'findings' | 'durationMs'>;

/** What was seen besides. */
export type SeenBesides = {
  readonly options: Pick<BenchOptions, 'skip' | 'cacheMode' | 'targetWidth' | 'baseline'>;
  /** The folder that copies go to, where that is memory; else null. */
  readonly inMemory: string | null;
  /** What was had of the page cache before each sample. */
  readonly prepared: readonly PreparedCache[];
  /** What was found while the machine was prepared. */
  readonly findings: readonly Finding[];
};

/**
 * Says everything that has to be known to read the figures.
 *
 * @param bench - The result so far.
 * @param seen - What was seen on the way.
 * @returns Findings: first what holds for all rows, then the failures of each, last how rows compare, and what
 *   keeps them from it.
 */
export function listBenchFindings(bench: MeasuredBench, seen: SeenBesides): Finding[] {
  return [
    ...[bench.link, bench.hubLink].flatMap((link) => (link === null ? [] : describeLink(link))),
    ...seen.findings,
    ...describeCache(bench, seen),
    ...describeSteal(bench),
    ...listStatisticsFindings(bench, seen.options),
    ...seen.options.skip.map((skip) => makeFinding('info', 'bench-row-skipped', { ...skip })),
    ...describeSpread(bench.rows),
    ...bench.rows.flatMap((row) => describeFailures(row, bench.samples)),
    ...listComparisonFindings(bench, seen.options.baseline),
  ];
}

function describeLink({ label, simulated }: BenchLink): Finding[] {
  if (simulated) return [makeFinding('info', 'bench-link-simulated', { label })];
  return label.startsWith('direct') ? [makeFinding('info', 'bench-link-not-shaped', { label })] : [];
}

function describeCache(
  { rows, samples }: MeasuredBench,
  { options, inMemory, prepared }: SeenBesides,
): Finding[] {
  const states = cacheStates.filter((state) => rows.some((row) => row.cache === state));
  // What is unknown has a finding of its own, with its reason.
  const cached = states.filter((state) => state === 'warm' || state === 'memory');
  const wasAsked = options.cacheMode === 'warm';
  return [
    ...cached.map((state) =>
      makeFinding('warning', 'bench-files-cached', {
        title: cacheTitles[state],
        state,
        wasAsked,
        samples: samples.filter((sample) => sample.cache === state).length,
        of: samples.length,
      }),
    ),
    ...listCacheFindings(options.cacheMode, prepared),
    ...(inMemory === null ? [] : [makeFinding('warning', 'bench-ephemeral-in-memory', { folder: inMemory })]),
  ];
}

function describeSteal({ machine: { cores }, samples }: MeasuredBench): Finding[] {
  const robbed = samples.filter((sample) => shareOfSteal(sample, cores) > notableStealShare);
  if (robbed.length === 0) return [];
  return [makeFinding('info', 'bench-time-stolen', { samples: robbed.length, of: samples.length })];
}

function describeSpread(rows: readonly BenchRow[]): Finding[] {
  const wide = rows
    .flatMap(({ variantId, delivery, phases: { totalMs } }) => {
      if (totalMs === null) return [];
      const { median: medianMs, p95: p95Ms, max: maxMs } = totalMs;
      return [{ variantId, delivery, medianMs, p95Ms, maxMs, ratio: (p95Ms ?? maxMs) / medianMs }];
    })
    .filter((row) => row.ratio > wideRatio)
    .sort((left, right) => right.ratio - left.ratio);
  const [worst] = wide;
  if (worst === undefined) return [];
  const facts = { ...worst, wideRows: wide.length, rows: rows.length };
  return [makeFinding('warning', 'bench-spread-wide', facts)];
}

function describeFailures(row: BenchRow, samples: readonly BenchSample[]): Finding[] {
  const { variantId, delivery, failures, runs } = row;
  const failed = samples.find(
    (sample) => isSameRow(sample, row) && sample.cache === row.cache && sample.error !== null,
  );
  if (failed?.error == null) return [];
  const { code: firstCode, what: firstWhat } = failed.error;
  const facts = { variantId, delivery, failures, runs, firstCode, firstWhat };
  return [makeFinding('warning', 'bench-samples-failed', facts)];
}
