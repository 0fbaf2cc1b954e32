import { describe, expect, it } from 'vitest';
import { compareRows } from '../../../src/bench/statistics/compare-rows.js';
import { type RowTraits, rowOf, samplesWith, totalsAround } from './sampled-row.js';

const gap = { total: 'not stated', ready: 'not stated' };

function bench(...rows: readonly [readonly (number | null)[], RowTraits][]) {
  const all = rows.map(([totals, traits]) => ({ samples: samplesWith(totals, traits), traits }));
  const samples = all.flatMap((row) => row.samples);
  return compareRows(
    all.map((row) => rowOf(row.samples, row.traits)),
    samples,
  );
}

describe('compareRows', () => {
  it('compares each row with the one whose median total is lowest', () => {
    const found = bench(
      [totalsAround(120), { variantId: 'slow' }],
      [totalsAround(100), { variantId: 'best' }],
      [totalsAround(100.1), { variantId: 'equal' }],
    );
    expect(found.map(({ row, against }) => [row.variantId, against.variantId])).toEqual([
      ['slow', 'best'],
      ['equal', 'best'],
    ]);
    expect(found[0]).toMatchObject({
      row: { variantId: 'slow', delivery: 's3-copy', memoryMiB: null },
      cache: 'evicted',
      total: { verdict: 'slower' },
      steady: null,
    });
    expect(found[0]?.total.ratio).toBeCloseTo(1.2, 9);
  });

  it('keeps memory settings and cache states apart, and the samples of each', () => {
    const found = bench(
      [totalsAround(100), { variantId: 'a', memoryMiB: 2048 }],
      [totalsAround(130), { variantId: 'b', memoryMiB: 2048 }],
      [totalsAround(50), { variantId: 'a', memoryMiB: 4096 }],
      [totalsAround(20), { variantId: 'b', memoryMiB: 2048, cache: 'warm' }],
      [totalsAround(30), { variantId: 'a', memoryMiB: 2048, cache: 'warm' }],
    );
    expect(
      found.map(({ row, cache, total }) => [row.variantId, row.memoryMiB, cache, total.ratio.toFixed(6)]),
    ).toEqual([
      ['b', 2048, 'evicted', '1.300000'],
      ['a', 2048, 'warm', '1.500000'],
    ]);
  });

  it('leaves out rows whose total leaves something out or was never measured, also as the lowest', () => {
    const found = bench(
      [totalsAround(10), { variantId: 'layer', delivery: 'layer', comparable: gap }],
      [[null, null], { variantId: 'failed' }],
      [totalsAround(100), { variantId: 'a' }],
      [totalsAround(110), { variantId: 'b' }],
    );
    expect(found.map(({ row, against }) => [row.variantId, against.variantId])).toEqual([['b', 'a']]);
  });

  it('counts a stated environment into totals, for which row is lowest as for the ratio', () => {
    const environment = { ms: 900, source: 'logs' };
    const found = bench(
      [totalsAround(100), { variantId: 'layer', delivery: 'layer', environment }],
      [totalsAround(500), { variantId: 'copy' }],
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ row: { variantId: 'layer' }, against: { variantId: 'copy' } });
    expect(found[0]?.total.ratio).toBeCloseTo(2, 6);
  });

  it('compares steady inferences by one median per process', () => {
    // Pooled, the two rows' medians would be 20 and 10.
    const found = bench(
      [totalsAround(100), { variantId: 'a', steadyMs: [10, 10, 10, 10, 99] }],
      [totalsAround(110), { variantId: 'b', steadyMs: [20, 20, 30] }],
    );
    expect(found[0]?.steady).toEqual({ ratio: 2, low: 2, high: 2, samples: 10, verdict: 'slower' });
  });
});
