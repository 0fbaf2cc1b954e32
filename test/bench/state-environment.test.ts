import { describe, expect, it } from 'vitest';
import type { BenchResult } from '../../src/bench/bench-result.js';
import { stateEnvironment } from '../../src/bench/state-environment.js';
import { type RowTraits, rowOf, samplesWith, totalsAround } from './statistics/sampled-row.js';

const baseline = { release: 'R', variantId: 'old@R', delivery: 'lazy', mostRatio: 1.1 } as const;

function measure(...rows: readonly [readonly number[], RowTraits][]): BenchResult {
  const sampled = rows.map(([totals, traits]) => ({ samples: samplesWith(totals, traits), traits }));
  return {
    rows: sampled.map(({ samples, traits }) => rowOf(samples, traits)),
    samples: sampled.flatMap(({ samples }) => samples),
    comparisons: [],
    baseline: null,
    findings: [],
  } as unknown as BenchResult;
}

const measured = measure(
  [totalsAround(100), { variantId: 'new', delivery: 's3-copy' }],
  [totalsAround(90), { variantId: 'new', delivery: 'layer' }],
  [totalsAround(100), { variantId: 'old@R', delivery: 'lazy' }],
);
const codesOf = ({ findings }: BenchResult) => findings.map(({ code }) => code);
const layer = { ms: 900, source: 'logs' };

describe('stateEnvironment', () => {
  it('compares and judges anew by what is stated now', () => {
    const plain = stateEnvironment(measured, { environment: {}, baseline });
    expect(plain.baseline).toMatchObject({ verdict: 'pass', candidate: { delivery: 's3-copy' } });
    expect(plain.comparisons.map(({ row }) => row.delivery)).toEqual(['lazy']);
    expect(codesOf(plain)).toEqual(['bench-baseline-passed', 'bench-environment-not-stated']);

    const stated = stateEnvironment(plain, { environment: { layer, 's3-copy': layer }, baseline });
    expect(stated.baseline).toMatchObject({ verdict: 'fail', candidate: { delivery: 'layer' } });
    expect(stated.baseline?.total.ratio).toBeCloseTo(9.9, 6);
    expect(stated.comparisons.map(({ row, against }) => [row.delivery, against.delivery])).toEqual([
      ['s3-copy', 'lazy'],
      ['layer', 'lazy'],
    ]);
    expect(codesOf(stated)).toEqual(['bench-slower-than-baseline', 'bench-environment-partial']);
    expect(stateEnvironment(stated, { environment: {}, baseline })).toEqual(plain);
  });

  it('leaves alone what rests on no statement', () => {
    const found = { ...measured, findings: [{ code: 'bench-link-simulated' }] } as unknown as BenchResult;
    const stated = stateEnvironment(found, { environment: { layer }, baseline: null });
    expect(codesOf(stated)).toEqual(['bench-link-simulated', 'bench-environment-partial']);
    expect(stated.baseline).toBeNull();
    expect(stated.samples).toBe(found.samples);
  });
});
