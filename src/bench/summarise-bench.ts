import type { BenchOptions } from './bench-options.js';
import type { BenchDisk, BenchLink, BenchResult } from './bench-result.js';
import { type CacheState, cacheTitles } from './cache/cache-state.js';
import { floorOf } from './floor-rows.js';
import { computeWay, type ReadingRow } from './physical-limit.js';
import type { MeasuredSamples } from './sample-rows.js';
import { compareRows } from './statistics/compare-rows.js';
import { judgeBaseline } from './statistics/judge-baseline.js';
import { summariseRows } from './summarise-rows.js';

/** What the bytes passed. */
type Ways = { readonly link: BenchLink; readonly hubLink: BenchLink | null; readonly disk: BenchDisk };

/**
 * Sums samples up: rows, how they compare, and the verdict on the release that they are compared with.
 *
 * @param planned - The rows in their order, with how they read.
 * @param measured - All samples.
 * @param ways - What the limits are computed from.
 * @param options - What is stated, and the release.
 * @returns That part of the result.
 */
export function summariseBench(
  planned: readonly ReadingRow[],
  { samples, limitSamples }: Pick<MeasuredSamples, 'samples' | 'limitSamples'>,
  ways: Ways,
  { environment, baseline }: Pick<BenchOptions, 'environment' | 'baseline'>,
): Pick<BenchResult, 'rows' | 'comparisons' | 'baseline' | 'cache'> {
  const limitOf = (row: ReadingRow, state: CacheState) => {
    const way = computeWay(row, state, ways);
    const sessionMs = floorOf(row, { samples, limitSamples });
    return way === null || sessionMs === null ? null : { ...way, sessionMs };
  };
  const rows = summariseRows(planned, samples, { environment, limitOf });
  const state = findUsualState(samples.map((sample) => sample.cache));
  return {
    rows,
    comparisons: compareRows(rows, samples),
    baseline: baseline === null ? null : judgeBaseline(rows, samples, baseline),
    cache: { state, title: cacheTitles[state] },
  };
}

/** The one that most samples found; the first of them where two are as frequent. */
function findUsualState(states: readonly CacheState[]): CacheState {
  const counts = new Map<CacheState, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  const [usual] = [...counts].sort((left, right) => right[1] - left[1]);
  return usual?.[0] ?? 'unknown';
}
