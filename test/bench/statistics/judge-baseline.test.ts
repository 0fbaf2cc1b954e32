import { describe, expect, it } from 'vitest';
import { describeBaseline } from '../../../src/bench/statistics/describe-baseline.js';
import { judgeBaseline } from '../../../src/bench/statistics/judge-baseline.js';
import { listStatisticsFindings } from '../../../src/bench/statistics/list-statistics-findings.js';
import { type RowTraits, rowOf, samplesWith, totalsAround } from './sampled-row.js';

const baseline = {
  release: '20261101T000000Z-abc',
  variantId: 'old@R',
  delivery: 's3-copy',
  mostRatio: 1.1,
} as const;
const noisy = [100, 140, 90, 150, 95, 145, 100, 150, 90, 140];

function measure(...rows: readonly [readonly (number | null)[], RowTraits][]) {
  const all = rows.map(([totals, traits]) => ({ samples: samplesWith(totals, traits), traits }));
  const samples = all.flatMap((row) => row.samples);
  const measured = all.map((row) => rowOf(row.samples, row.traits));
  const verdict = judgeBaseline(measured, samples, baseline);
  return { rows: measured, samples, baseline: verdict };
}

function find(bench: ReturnType<typeof measure>) {
  return describeBaseline(bench.baseline, baseline.release);
}

function codes(bench: ReturnType<typeof measure>) {
  const { code, severity } = find(bench);
  return [code, severity];
}

describe('judgeBaseline', () => {
  it('passes what lies below the accepted ratio as a whole, judging the best candidate', () => {
    const bench = measure(
      [totalsAround(300), { variantId: 'worse' }],
      [totalsAround(105), { variantId: 'best' }],
      [totalsAround(100), { variantId: 'old@R' }],
    );
    expect(bench.baseline).toMatchObject({
      verdict: 'pass',
      candidate: { variantId: 'best' },
      mostRatio: 1.1,
    });
    expect(bench.baseline?.total.ratio).toBeCloseTo(1.05, 9);
    expect(codes(bench)).toEqual(['bench-baseline-passed', 'info']);
  });

  it('fails what lies above it as a whole', () => {
    const bench = measure(
      [totalsAround(115), { variantId: 'new' }],
      [totalsAround(100), { variantId: 'old@R' }],
    );
    expect(bench.baseline?.verdict).toBe('fail');
    expect(codes(bench)).toEqual(['bench-slower-than-baseline', 'error']);
  });

  it('cannot judge an interval that reaches to both sides, nor fewer than six samples however clear', () => {
    const wide = measure([noisy, { variantId: 'new' }], [totalsAround(110), { variantId: 'old@R' }]);
    expect(wide.baseline?.verdict).toBe('inconclusive');
    expect(codes(wide)).toEqual(['bench-baseline-inconclusive', 'warning']);
    const few = measure(
      [[200, 200, 200, 200, 200], { variantId: 'new' }],
      [totalsAround(100), { variantId: 'old@R' }],
    );
    expect(few.baseline?.verdict).toBe('inconclusive');
    expect(find(wide).what).toContain('The interval reaches to both sides');
    expect(find(few).facts).toMatchObject({ samples: 5, neededSamples: 6, mostRatio: 1.1 });
    expect(find(few).what).not.toContain('interval');
    expect(find(few).remedy).toContain('--runs 6');
  });

  it('takes no candidate that has a failed sample, also in another state, since it cannot be picked', () => {
    const failed = measure(
      [[...totalsAround(100), null], { variantId: 'failing' }],
      [totalsAround(101), { variantId: 'strayed' }],
      [[null], { variantId: 'strayed', cache: 'warm' }],
      [totalsAround(150), { variantId: 'whole' }],
      [totalsAround(100), { variantId: 'old@R' }],
    );
    expect(failed.baseline).toMatchObject({ verdict: 'fail', candidate: { variantId: 'whole' } });
  });

  it('looks at no row of a few stray samples, neither of a candidate nor of the release', () => {
    const strays = measure(
      [totalsAround(100), { variantId: 'new' }],
      [[100], { variantId: 'new', cache: 'warm' }],
      [totalsAround(100), { variantId: 'old@R' }],
      [[50], { variantId: 'old@R', cache: 'warm' }],
    );
    expect(strays.baseline?.verdict).toBe('pass');
    const lucky = measure(
      [totalsAround(200), { variantId: 'other', cache: 'warm' }],
      [[20], { variantId: 'other' }],
      [totalsAround(100), { variantId: 'new' }],
      [totalsAround(100), { variantId: 'old@R' }],
      [[10], { variantId: 'old@R', cache: 'warm' }],
    );
    expect(lucky.baseline).toMatchObject({ verdict: 'pass', candidate: { variantId: 'new' } });
  });

  it('takes the worst of several memory settings', () => {
    const bench = measure(
      [totalsAround(100), { variantId: 'new', memoryMiB: 2048 }],
      [totalsAround(100), { variantId: 'old@R', memoryMiB: 2048 }],
      [totalsAround(150), { variantId: 'new', memoryMiB: 4096 }],
      [totalsAround(100), { variantId: 'old@R', memoryMiB: 4096 }],
    );
    expect(bench.baseline).toMatchObject({ verdict: 'fail', candidate: { memoryMiB: 4096 } });
  });

  it('counts a stated environment on its own side', () => {
    const environment = { ms: 900, source: 'logs' };
    const bench = measure(
      [totalsAround(100), { variantId: 'new', delivery: 'layer', environment }],
      [totalsAround(500), { variantId: 'old@R' }],
    );
    expect(bench.baseline?.total.ratio).toBeCloseTo(2, 6);
  });

  it('says that nothing could be compared when the release failed, or nothing else was measured in its state', () => {
    const failed = measure([totalsAround(100), { variantId: 'new' }], [[null, null], { variantId: 'old@R' }]);
    const elsewhere = measure(
      [totalsAround(100), { variantId: 'new', cache: 'warm' }],
      [totalsAround(100), { variantId: 'old@R' }],
    );
    for (const bench of [failed, elsewhere]) {
      expect(bench.baseline).toBeNull();
      expect(codes(bench)).toEqual(['bench-baseline-not-comparable', 'warning']);
    }
  });
});

describe('listStatisticsFindings', () => {
  it('says nothing when there is nothing to say', () => {
    const bench = measure([totalsAround(100), {}]);
    expect(listStatisticsFindings(bench, { targetWidth: 0.05 })).toEqual([]);
  });

  it('sums flagged samples up in one finding that names the worst row and its rounds', () => {
    const bench = measure(
      [totalsAround(100), { variantId: 'a', outliers: [3] }],
      [totalsAround(100), { variantId: 'b', outliers: [0, 7] }],
      [totalsAround(100), { variantId: 'c' }],
    );
    const [finding] = listStatisticsFindings(bench, { targetWidth: null });
    expect(finding).toMatchObject({
      code: 'bench-outliers-flagged',
      facts: { variantId: 'b', outliers: 3, samples: 30, rows: 2, runs: [0, 7] },
    });
    expect(finding?.what).toContain('round 1, 8');
  });

  it('names the widest of the rows that did not become narrow', () => {
    const bench = measure(
      [totalsAround(100), { variantId: 'narrow' }],
      [noisy, { variantId: 'wide' }],
      [noisy.slice(0, 5), { variantId: 'few' }],
    );
    const [finding] = listStatisticsFindings(bench, { targetWidth: 0.05 });
    expect(finding).toMatchObject({
      code: 'bench-width-not-reached',
      facts: { variantId: 'few', width: null, targetWidth: 0.05, wideRows: 2, rows: 3, runs: 10 },
    });
    const alone = listStatisticsFindings(measure([noisy, {}]), { targetWidth: 0.05 });
    expect(alone[0]?.what).toContain('50 % of the median wide');
  });
});
