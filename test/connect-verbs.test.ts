import { describe, expect, it } from 'vitest';
import type { BenchResult } from '../src/bench/bench-result.js';
import { describeCandidates, summariseArtifacts } from '../src/connect-verbs.js';
import type { Pipeline } from '../src/pipeline/read-pipeline.js';
import type { RunVariant } from '../src/run-pipeline.js';
import { type RowTraits, rowOf, samplesWith, totalsAround } from './bench/statistics/sampled-row.js';

const pipeline = { bench: { deliveries: ['s3-copy'] } } as unknown as Pipeline;

function variant(id: string): RunVariant {
  const record = { variant: { layout: 'single' }, sizeBytes: 1000, digest: id };
  return { id, record, parity: null, staged: {} } as unknown as RunVariant;
}

function bench(...rows: readonly [readonly (number | null)[], RowTraits][]): BenchResult {
  const measured = rows.map(([totals, traits]) => rowOf(samplesWith(totals, traits), traits));
  return { rows: measured, cache: { state: 'evicted', title: '' } } as unknown as BenchResult;
}

const stray = bench(
  [totalsAround(100), { variantId: 'a' }],
  [[10], { variantId: 'b' }],
  [totalsAround(100, 6), { variantId: 'b', cache: 'memory' }],
);

describe('describeCandidates', () => {
  it('keeps what is in another cache state out of total, ready and steady', () => {
    const [a, b] = describeCandidates(pipeline, [variant('a'), variant('b')], null, stray);
    expect(a).toMatchObject({ notComparable: [], runs: 10 });
    expect(a?.measures.total?.value).toBeCloseTo(100, 9);
    expect(b?.notComparable.map(({ objective }) => objective)).toEqual(['total', 'ready', 'steady']);
    expect(b?.notComparable[0]?.reason).toContain('6 of 7 samples');
    expect(b).toMatchObject({ measures: { total: null, ready: null, steady: null } });
  });

  it('counts failed samples of every state', () => {
    const failing = bench(
      [totalsAround(100), { variantId: 'a' }],
      [[null], { variantId: 'a', cache: 'warm' }],
    );
    expect(describeCandidates(pipeline, [variant('a')], null, failing)).toMatchObject([{ failures: 1 }]);
  });
});

describe('summariseArtifacts', () => {
  it('gives a release the figures that were compared, and none of another cache state', () => {
    const [a, b] = summariseArtifacts([variant('a'), variant('b')], null, stray);
    expect(a?.bench).toMatchObject([
      { delivery: 's3-copy', runs: 10, medianTotalMs: expect.closeTo(100, 9) },
    ]);
    expect(b?.bench).toMatchObject([{ runs: 6, medianTotalMs: null, medianReadyMs: null }]);
  });
});
