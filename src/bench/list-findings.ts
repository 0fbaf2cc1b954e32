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
 * @returns Findings: first what holds for all rows, then row by row.
 */
export function listBenchFindings(bench: FindingSources): Finding[] {
  return [
    ...describeCircumstances(bench),
    ...bench.skip.map((skip) => makeFinding('info', 'bench-row-skipped', { ...skip })),
    ...bench.rows.flatMap((row) => describeRow(row, bench.samples)),
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

function describeRow(row: BenchRow, samples: readonly BenchSample[]): Finding[] {
  const name = { variantId: row.variantId, delivery: row.delivery };
  const isOwn = (sample: BenchSample) =>
    sample.variantId === row.variantId && sample.delivery === row.delivery;
  const failure = samples.find((sample) => isOwn(sample) && sample.error !== null)?.error;
  const total = row.phases.totalMs;
  const ratio = total === null ? 0 : total.p95 / total.median;
  return [
    ...(row.comparable.total === null ? [] : [makeFinding('warning', 'bench-environment-not-stated', name)]),
    ...(failure
      ? [
          makeFinding('warning', 'bench-samples-failed', {
            ...name,
            failures: row.failures,
            runs: row.runs,
            firstCode: failure.code,
            firstWhat: failure.what,
          }),
        ]
      : []),
    ...(total !== null && ratio > wideRatio
      ? [
          makeFinding('warning', 'bench-spread-wide', {
            ...name,
            medianMs: total.median,
            p95Ms: total.p95,
            ratio,
          }),
        ]
      : []),
  ];
}
