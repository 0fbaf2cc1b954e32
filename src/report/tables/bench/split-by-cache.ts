import { type CacheState, cacheStates, cacheTitles } from '../../../lib/cache-state.js';
import type { BenchReport } from '../../documents/bench-result.js';

/** What was measured in one cache state; the whole of it may be called by the state's title. */
export type CacheGroup = { readonly state: CacheState; readonly bench: BenchReport };

/**
 * Splits a benchmark by what the page cache held: figures of different states are never shown in one table or chart.
 *
 * @param bench - The benchmark.
 * @returns One benchmark per state, coldest first, with its rows, comparisons and samples only.
 */
export function splitByCache(bench: BenchReport): readonly CacheGroup[] {
  return cacheStates.flatMap((state) => {
    const isOfState = ({ cache }: { readonly cache: CacheState }): boolean => cache === state;
    const rows = bench.rows.filter(isOfState);
    if (rows.length === 0) return [];
    const comparisons = bench.comparisons.filter(isOfState);
    const samples = bench.samples.filter(isOfState);
    const cache = { state, title: cacheTitles[state] };
    return [{ state, bench: { ...bench, rows, comparisons, samples, cache } }];
  });
}
