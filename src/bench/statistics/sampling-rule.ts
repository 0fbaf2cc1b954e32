import type { SamplingPlan } from '../bench-options.js';
import type { BenchSample, RowName } from '../bench-result.js';
import { relativeWidth } from './median-width.js';
import { gatherRows, type SampledRow } from './row-samples.js';

/** A row whose median total is known less closely than was aimed at. */
export type WideRow = RowName & {
  /** Width of the 95 % interval ÷ median; null with too few samples. */
  readonly width: number | null;
  /** Samples that got through. */
  readonly samples: number;
};

/**
 * Decides whether every row shall be sampled once more. All rows go on together, since a comparison pairs rows by
 * round; the decision looks at how far rows spread, never at how they differ, so that stopping favours none.
 *
 * @param samples - What was taken so far, whole rounds.
 * @param targetWidth - Width of the 95 % interval of each row's median total that is aimed at, as a share of it.
 * @returns Whether a row is wider. A row whose samples all fail asks for no more.
 */
export function needsMoreSamples(samples: readonly BenchSample[], targetWidth: number): boolean {
  return listWideRows(samples, targetWidth).length > 0;
}

/**
 * Names the rows whose median totals are known less closely than was aimed at.
 *
 * @param samples - What was taken.
 * @param targetWidth - As in {@link needsMoreSamples}.
 * @returns Such rows, in the order of their first samples.
 */
export function listWideRows(samples: readonly BenchSample[], targetWidth: number): WideRow[] {
  return gatherRows(samples)
    .filter(({ totalsMs }) => totalsMs.length > 0)
    .map(({ name, totalsMs }) => ({ ...name, width: relativeWidth(totalsMs), samples: totalsMs.length }))
    .filter(({ width }) => width === null || width > targetWidth);
}

/**
 * Foresees how many rounds a plan takes, for progress and the time left: an interval narrows with the square root of the
 * number of samples. It follows what was seen, so it may change both ways from one round to the next.
 *
 * @param samples - What was taken so far; without any the guess is `runs`.
 * @param plan - Rounds at least and at most, and the width that is aimed at.
 * @returns Rounds in all, those taken included, `runs` to `mostRuns`.
 */
export function foreseeRounds(samples: readonly BenchSample[], plan: SamplingPlan): number {
  return Math.max(plan.runs, ...gatherRows(samples).map((row) => foreseeRow(row, plan)));
}

function foreseeRow({ totalsMs, taken }: SampledRow, { targetWidth, mostRuns }: SamplingPlan): number {
  if (targetWidth === null || totalsMs.length === 0) return 0;
  const width = relativeWidth(totalsMs);
  if (width === null) return Math.min(mostRuns, taken + 1);
  if (width <= targetWidth) return taken;
  return Math.min(mostRuns, Math.max(taken + 1, Math.ceil(taken * (width / targetWidth) ** 2)));
}
