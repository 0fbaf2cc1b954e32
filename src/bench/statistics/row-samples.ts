import { sumPhases } from '../../lib/phases.js';
import type { BenchRow, BenchSample, RowName } from '../bench-result.js';
import type { CacheState } from '../cache/cache-state.js';
import type { RunValue } from './match-rounds.js';
import { medianOf } from './median.js';

/** All samples of one row in the cache state that it found most often. */
export type SampledRow = {
  readonly name: RowName;
  /** Of those that got through, milliseconds. */
  readonly totalsMs: readonly number[];
  /** Samples taken in any state, failed ones included. */
  readonly taken: number;
};

/**
 * Gathers samples by row while they are being taken. Now and then a file cannot be evicted and a sample finds another
 * state; a handful of such samples are not a row that has to become narrow.
 *
 * @param samples - In any order.
 * @returns One entry per row, in the order of their first samples.
 */
export function gatherRows(samples: readonly BenchSample[]): SampledRow[] {
  const rows = new Map<string, BenchSample[]>();
  for (const sample of samples) {
    const { variantId, delivery, memoryMiB } = sample;
    const key = JSON.stringify([variantId, delivery, memoryMiB]);
    const found = rows.get(key) ?? [];
    found.push(sample);
    rows.set(key, found);
  }
  return [...rows.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { variantId, delivery, memoryMiB } = first;
    const state = usualState(own);
    const totalsMs = listTotals(own.filter((sample) => sample.cache === state)).map(({ value }) => value);
    return [{ name: { variantId, delivery, memoryMiB }, totalsMs, taken: own.length }];
  });
}

/**
 * Picks the samples that a row sums up.
 *
 * @param row - The row.
 * @param samples - All samples.
 * @returns Its own, in the same order.
 */
export function samplesOf(
  row: RowName & Pick<BenchRow, 'cache'>,
  samples: readonly BenchSample[],
): BenchSample[] {
  return samples.filter(
    (sample) =>
      sample.variantId === row.variantId &&
      sample.delivery === row.delivery &&
      sample.memoryMiB === row.memoryMiB &&
      sample.cache === row.cache,
  );
}

/**
 * Takes the totals out of samples.
 *
 * @param samples - In any order.
 * @param beforeMs - What is stated of the time before the process, which is the same for each; default none.
 * @returns Milliseconds by round, without those that failed.
 */
export function listTotals(samples: readonly BenchSample[], beforeMs = 0): RunValue[] {
  return samples.flatMap(({ phases, run }) =>
    phases === null ? [] : [{ run, value: beforeMs + sumPhases(phases, false).totalMs }],
  );
}

/**
 * Takes what an inference took, after the first, out of samples: one median each, since the inferences of one process
 * share its memory and its processor and tell little more than one of them does.
 *
 * @param samples - In any order.
 * @returns Milliseconds by round, without those that ran no warm inference.
 */
export function listSteadyMedians(samples: readonly BenchSample[]): RunValue[] {
  return samples.flatMap(({ steadyMs, run }) =>
    steadyMs.length === 0 ? [] : [{ run, value: medianOf(steadyMs) }],
  );
}

function usualState(samples: readonly BenchSample[]): CacheState | undefined {
  const counts = new Map<CacheState, number>();
  for (const { cache } of samples) counts.set(cache, (counts.get(cache) ?? 0) + 1);
  return [...counts].reduce<[CacheState, number] | undefined>(
    (most, entry) => (most === undefined || entry[1] > most[1] ? entry : most),
    undefined,
  )?.[0];
}
