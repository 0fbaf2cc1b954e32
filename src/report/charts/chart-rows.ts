import type { BenchReport } from '../documents/bench-result.js';
import { addEnvironment } from '../tables/add-environment.js';
import { markMemory, type NamedRow, samplesOf } from '../tables/bench/name-row.js';

/** The parts of a bar, in the order in which they happen, with the page's colour variable. */
export const chartPhases = [
  { key: 'environment', title: 'environment (stated)', colour: 'var(--phase-environment)' },
  { key: 'startMs', title: 'start', colour: 'var(--phase-start)' },
  { key: 'runtimeMs', title: 'runtime', colour: 'var(--phase-runtime)' },
  { key: 'downloadMs', title: 'download', colour: 'var(--phase-download)' },
  { key: 'sessionMs', title: 'session', colour: 'var(--phase-session)' },
  { key: 'firstInferenceMs', title: 'first inference', colour: 'var(--phase-first)' },
] as const;

/** One piece of a stacked bar. */
export type ChartPiece = {
  readonly row: string;
  readonly phase: string;
  readonly startMs: number;
  readonly endMs: number;
};

/** One row of the spread chart, milliseconds. */
export type ChartSpread = {
  readonly row: string;
  readonly minMs: number;
  readonly medianMs: number;
  readonly maxMs: number;
  readonly isComparable: boolean;
};

/** One run that lies far off the rest of its row, milliseconds. */
export type ChartOutlier = { readonly row: string; readonly totalMs: number };

/** Where the load of a row could end at best, milliseconds from the left end of its bar. */
export type ChartLimit = { readonly row: string; readonly endMs: number; readonly loadMs: number };

/**
 * Names a row of a chart.
 *
 * @param row - A row of the benchmark.
 * @param profiles - The benchmark's.
 * @returns Such as `fp16.single · layer`, with the memory where some was imitated.
 */
export function nameRow(
  { variantId, delivery, memoryMiB }: NamedRow,
  profiles: BenchReport['profiles'],
): string {
  const memory = memoryMiB === null ? [] : [markMemory(memoryMiB, profiles)];
  return [variantId, delivery, ...memory].join(' · ');
}

/**
 * Cuts each row into its phases, one after another. A phase without a measurement is left out, not drawn as 0.
 *
 * @param bench - The benchmark.
 * @returns Pieces in milliseconds; environment only where it is stated.
 */
export function stackPhases(bench: BenchReport): readonly ChartPiece[] {
  return bench.rows.flatMap((row) => {
    let endMs = 0;
    return chartPhases.flatMap(({ key, title }) => {
      const lengthMs = key === 'environment' ? row.environment?.ms : row.phases[key]?.median;
      if (lengthMs === undefined || lengthMs <= 0) return [];
      const startMs = endMs;
      endMs += lengthMs;
      return [{ row: nameRow(row, bench.profiles), phase: title, startMs, endMs }];
    });
  });
}

/**
 * Lists the spread of the total of each row that was measured.
 *
 * @param bench - The benchmark.
 * @returns Rows in milliseconds, a stated environment included.
 */
export function listSpreads(bench: BenchReport): readonly ChartSpread[] {
  return bench.rows.flatMap((row) => {
    const total = addEnvironment(row.phases.totalMs, row.environment);
    if (total === null) return [];
    const { min: minMs, median: medianMs, max: maxMs } = total;
    return [
      {
        row: nameRow(row, bench.profiles),
        minMs,
        medianMs,
        maxMs,
        isComparable: row.comparable.total === null,
      },
    ];
  });
}

/**
 * Finds where the load of each row could end at best: after its own start and runtime, and the physical limit.
 *
 * @param bench - The part of a benchmark in one cache state.
 * @returns The rows whose limit is known and that were measured.
 */
export function listLimits(bench: BenchReport): readonly ChartLimit[] {
  return bench.rows.flatMap((row) => {
    const { startMs, runtimeMs } = row.phases;
    if (row.limit === null || startMs === null || runtimeMs === null) return [];
    const { loadMs } = row.limit;
    const endMs = (row.environment?.ms ?? 0) + startMs.median + runtimeMs.median + loadMs;
    return [{ row: nameRow(row, bench.profiles), endMs, loadMs }];
  });
}

/**
 * Finds the totals of the runs that were flagged as outliers.
 *
 * @param bench - The part of a benchmark in one cache state, with its samples.
 * @returns One entry per such run, a stated environment included.
 */
export function listOutliers(bench: BenchReport): readonly ChartOutlier[] {
  return bench.rows.flatMap((row) =>
    samplesOf(bench, row)
      .filter((sample) => row.outliers.includes(sample.run))
      .flatMap(({ phases }) => {
        if (phases === null) return [];
        const totalMs = Object.values(phases).reduce((sum, value) => sum + value, 0);
        return [{ row: nameRow(row, bench.profiles), totalMs: totalMs + (row.environment?.ms ?? 0) }];
      }),
  );
}

/** A phase and its colour, for a legend. */
export type LegendEntry = { readonly title: string; readonly colour: string };

/**
 * Lists what the legend must explain.
 *
 * @param bench - The benchmark.
 * @returns The phases that occur, in order.
 */
export function listLegend(bench: BenchReport): readonly LegendEntry[] {
  const shown = new Set(stackPhases(bench).map((piece) => piece.phase));
  return chartPhases.filter((phase) => shown.has(phase.title));
}
