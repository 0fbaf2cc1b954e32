import type { BenchReportSample } from '../../documents/bench-result.js';

/** Means over the samples of a row, milliseconds, with the range of the total. */
export type MeanPhases = {
  /** Start of the process and loading the engine's library. */
  readonly startMs: number;
  readonly downloadMs: number;
  readonly sessionMs: number;
  readonly firstInferenceMs: number;
  /** The sum of the others: means add up, medians do not. */
  readonly totalMs: number;
  readonly minTotalMs: number;
  readonly maxTotalMs: number;
  /** Samples that got through, ≥ 1. */
  readonly count: number;
};

/**
 * Takes the means of one row's samples, as the table of sources has them.
 *
 * @param samples - Of one row; those that failed are left out.
 * @returns The means, or null when no sample got through: a missing measurement is never a number.
 */
export function meanPhases(samples: readonly Pick<BenchReportSample, 'phases'>[]): MeanPhases | null {
  const all = samples.flatMap(({ phases }) => (phases === null ? [] : [phases]));
  if (all.length === 0) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const totals = all.map(
    ({ startMs, runtimeMs, downloadMs, sessionMs, firstInferenceMs }) =>
      startMs + runtimeMs + downloadMs + sessionMs + firstInferenceMs,
  );
  return {
    startMs: mean(all.map((phases) => phases.startMs + phases.runtimeMs)),
    downloadMs: mean(all.map((phases) => phases.downloadMs)),
    sessionMs: mean(all.map((phases) => phases.sessionMs)),
    firstInferenceMs: mean(all.map((phases) => phases.firstInferenceMs)),
    totalMs: mean(totals),
    minTotalMs: Math.min(...totals),
    maxTotalMs: Math.max(...totals),
    count: all.length,
  };
}

/**
 * Says what one way saves against another.
 *
 * @param ms - What it takes, milliseconds.
 * @param againstMs - What the other takes, milliseconds, > 0.
 * @returns Percent of the other; negative when it takes longer.
 */
export function savingPercent(ms: number, againstMs: number): number {
  return 100 * (1 - ms / againstMs);
}
