import { describe, expect, it } from 'vitest';
import type { BenchResult } from '../src/bench/bench-result.js';
import type { RunVariant } from '../src/run-pipeline.js';
import { summariseArtifacts } from '../src/summarise-artifacts.js';
import { type RowTraits, rowOf, samplesWith, totalsAround } from './bench/statistics/sampled-row.js';

function variant(id: string): RunVariant {
  const record = { variant: { layout: 'single' }, sizeBytes: 1000, digest: id };
  return { id, record, parity: null, staged: {} } as unknown as RunVariant;
}

function bench(...rows: readonly [readonly (number | null)[], RowTraits][]): BenchResult {
  const measured = rows.map(([totals, traits]) => rowOf(samplesWith(totals, traits), traits));
  return { rows: measured, cache: { state: 'evicted', title: '' } } as unknown as BenchResult;
}

describe('summariseArtifacts', () => {
  it('gives a release the figures that were compared, and none of another cache state', () => {
    const stray = bench(
      [totalsAround(100), { variantId: 'a' }],
      [[10], { variantId: 'b' }],
      [totalsAround(100, 6), { variantId: 'b', cache: 'memory' }],
    );
    const [a, b] = summariseArtifacts([variant('a'), variant('b')], null, stray);
    expect(a?.bench).toMatchObject([
      { delivery: 's3-copy', runs: 10, medianTotalMs: expect.closeTo(100, 9) },
    ]);
    expect(b?.bench).toMatchObject([{ runs: 6, medianTotalMs: null, medianReadyMs: null }]);
  });
});
