import { type Finding, makeFinding } from '../messages/finding.js';
import type { BenchSkip } from './bench-options.js';
import type { BenchResult, BenchRow, BenchSample } from './bench-result.js';

/** A p95 of the total this many times its median makes a row's figures doubtful. */
const wideRatio = 1.5;

/** What findings are made from. */
export type FindingSources = Omit<BenchResult, 'findings' | 'durationMs'> & {
  readonly skip: readonly BenchSkip[];
  /** Folders on file systems that are memory; null or empty when there are none. */
  readonly inMemory: { readonly ephemeral: string | null; readonly layers: readonly string[] };
};

/**
 * Says everything that has to be known to read the figures.
 *
 * @param bench - The result so far, and what was seen on the way.
 * @returns Findings: first what holds for all rows, then the failures of each, last what keeps rows from being compared.
 */
export function listBenchFindings(bench: FindingSources): Finding[] {
  return [
    ...describeCircumstances(bench),
    ...bench.skip.map((skip) => makeFinding('info', 'bench-row-skipped', { ...skip })),
    ...describeSpread(bench.rows),
    ...bench.rows.flatMap((row) => describeFailures(row, bench.samples)),
    ...describeGaps(bench.rows),
  ];
}

function describeCircumstances({ link, cache, threads, machine, inMemory }: FindingSources): Finding[] {
  const { label } = link;
  const isDirect = !link.simulated && label.startsWith('direct');
  return [
    ...(link.simulated ? [makeFinding('info', 'bench-link-simulated', { label })] : []),
    ...(isDirect ? [makeFinding('info', 'bench-link-not-shaped', { label })] : []),
    makeFinding('warning', 'bench-files-cached', { title: cache.title }),
    ...(inMemory.ephemeral === null
      ? []
      : [makeFinding('warning', 'bench-ephemeral-in-memory', { folder: inMemory.ephemeral })]),
    ...inMemory.layers.map((folder) => makeFinding('warning', 'bench-layer-in-memory', { folder })),
    ...(threads > machine.cores
      ? [makeFinding('warning', 'bench-threads-oversubscribed', { threads, cores: machine.cores })]
      : []),
  ];
}

/**
 * Says which rows cannot be compared because something about them is not stated.
 *
 * @param rows - All rows.
 * @returns One finding for all such rows, or none.
 */
export function describeGaps(rows: readonly BenchRow[]): Finding[] {
  const gaps = rows.filter((row) => row.comparable.total !== null);
  const [first] = gaps;
  if (first === undefined) return [];
  const variantIds = gaps.map((row) => row.variantId);
  return [makeFinding('warning', 'bench-environment-not-stated', { variantIds, delivery: first.delivery })];
}

function describeSpread(rows: readonly BenchRow[]): Finding[] {
  const wide = rows
    .flatMap(({ variantId, delivery, phases: { totalMs } }) => {
      if (totalMs === null) return [];
      const { median: medianMs, p95: p95Ms } = totalMs;
      return [{ variantId, delivery, medianMs, p95Ms, ratio: p95Ms / medianMs }];
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
    (sample) => sample.variantId === variantId && sample.delivery === delivery && sample.error !== null,
  );
  if (failed?.error == null) return [];
  const { code: firstCode, what: firstWhat } = failed.error;
  const facts = { variantId, delivery, failures, runs, firstCode, firstWhat };
  return [makeFinding('warning', 'bench-samples-failed', facts)];
}
