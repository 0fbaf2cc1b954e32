import type { BenchRow, BenchSample } from '../../../src/bench/bench-result.js';
import { spreadOf } from '../../../src/bench/statistics/spread.js';
import { sumPhases } from '../../../src/lib/phases.js';
import { usualSession } from '../../../src/lib/session-options.js';

/** What makes a row of a test its own. */
export type RowTraits = Partial<
  Pick<BenchSample, 'variantId' | 'delivery' | 'memoryMiB' | 'cache' | 'steadyMs'> &
    Pick<BenchRow, 'environment' | 'comparable' | 'outliers'>
>;

/** Samples whose totals are these, ms, by round; null fails. */
export function samplesWith(totalsMs: readonly (number | null)[], traits: RowTraits = {}): BenchSample[] {
  const { variantId = 'fp32.single', delivery = 's3-copy', memoryMiB = null, cache = 'evicted' } = traits;
  const rest = { startMs: 0, runtimeMs: 0, sessionMs: 0, firstInferenceMs: 0 };
  return totalsMs.map((totalMs, run) => ({
    ...{ variantId, delivery, memoryMiB, cache, run },
    phases: totalMs === null ? null : { ...rest, downloadMs: totalMs },
    steadyMs: totalMs === null ? [] : (traits.steadyMs ?? []),
    peakRssBytes: null,
    stealMs: null,
    error: totalMs === null ? { code: 'bench-sample-died', what: 'it died' } : null,
  }));
}

/** The row of such samples, with the sums that statistics read. */
export function rowOf(samples: readonly BenchSample[], traits: RowTraits = {}): BenchRow {
  const [first] = samples;
  if (first === undefined) throw new Error('a row has samples');
  const { variantId, delivery, memoryMiB, cache } = first;
  const measured = samples.flatMap(({ phases }) =>
    phases === null ? [] : [sumPhases(phases, false).totalMs],
  );
  const none = { startMs: null, runtimeMs: null, downloadMs: null, sessionMs: null, firstInferenceMs: null };
  return {
    ...{ variantId, delivery, memoryMiB, cache },
    session: usualSession,
    runs: samples.length,
    failures: samples.length - measured.length,
    phases: {
      ...none,
      ...{ loadMs: null, coldStartMs: null, readyMs: null, steadyMs: null },
      totalMs: spreadOf(measured),
    },
    outliers: traits.outliers ?? [],
    peakRssBytes: null,
    environment: traits.environment ?? null,
    comparable: traits.comparable ?? { total: null, ready: null },
    limit: null,
  };
}

/** Totals with a little noise around a middle. */
export function totalsAround(middleMs: number, count = 10): number[] {
  return Array.from({ length: count }, (_, index) => middleMs * (1 + 0.004 * ((index * 7) % 5) - 0.008));
}
