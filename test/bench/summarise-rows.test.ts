import { describe, expect, it } from 'vitest';
import type { BenchSample } from '../../src/bench/bench-result.js';
import { comparedMedians, comparedSpreads } from '../../src/bench/compared-medians.js';
import type { PlannedRow } from '../../src/bench/plan-rows.js';
import { summariseRows } from '../../src/bench/summarise-rows.js';
import type { Delivery } from '../../src/lib/delivery.js';
import { benchTarget } from '../fixtures/bench-options.js';

function planned(delivery: Delivery): PlannedRow {
  return { target: benchTarget(), delivery, memoryMiB: null };
}

function sample(
  delivery: Delivery,
  run: number,
  phasesMs: readonly number[],
  steadyMs: number[] = [],
): BenchSample {
  const [startMs = 0, runtimeMs = 0, downloadMs = 0, sessionMs = 0, firstInferenceMs = 0] = phasesMs;
  const phases = { startMs, runtimeMs, downloadMs, sessionMs, firstInferenceMs };
  return {
    ...{ variantId: 'v', delivery, memoryMiB: null, stealMs: null },
    run,
    phases,
    steadyMs,
    peakRssBytes: 100 + run,
    cache: 'warm',
    error: null,
  };
}

function failed(delivery: Delivery): BenchSample {
  const error = { code: 'bench-sample-died', what: 'it died' };
  return {
    ...{ variantId: 'v', delivery, memoryMiB: null, stealMs: null },
    run: 9,
    phases: null,
    steadyMs: [],
    peakRssBytes: null,
    cache: 'warm',
    error,
  };
}

const unstated = { environment: {}, limitOf: () => null };

describe('summariseRows', () => {
  it('never mixes states of the page cache: each is a row of its own', () => {
    const found = [sample('layer', 0, [5]), { ...sample('layer', 1, [1]), cache: 'evicted' as const }];
    const rows = summariseRows([planned('layer')], found, unstated);
    expect(rows.map((row) => [row.cache, row.runs, row.phases.startMs?.median])).toEqual([
      ['evicted', 1, 1],
      ['warm', 1, 5],
    ]);
  });

  it('sets the load against its limit, and flags what lies far off without leaving it out', () => {
    const totalsMs = [100, 101, 99, 100, 102, 500];
    const found = totalsMs.map((each, run) => sample('s3-copy', run, [0, 0, each - 20, 20, 0]));
    const limitOf = () => ({ linkBytes: 9, linkMs: 70, sessionMs: 10 });
    const [row] = summariseRows([planned('s3-copy')], found, { ...unstated, limitOf });
    expect(row?.limit).toEqual({
      linkBytes: 9,
      linkMs: 70,
      sessionMs: 10,
      loadMs: 80,
      efficiency: 80 / 100.5,
    });
    expect(row?.outliers).toEqual([5]);
    expect(row?.phases.totalMs).toMatchObject({ max: 500, count: 6 });
  });

  it('forms sums per sample before it takes their median, since medians do not add', () => {
    const samples = [
      sample('s3-copy', 0, [1, 0, 10, 0, 0]),
      sample('s3-copy', 1, [10, 0, 1, 0, 0]),
      sample('s3-copy', 2, [1, 0, 1, 0, 0]),
    ];
    const [row] = summariseRows([planned('s3-copy')], samples, unstated);
    expect([row?.phases.startMs?.median, row?.phases.downloadMs?.median]).toEqual([1, 1]);
    expect(row?.phases.totalMs?.median).toBe(11);
  });

  it('counts failed samples and lets them into no figure', () => {
    const [row] = summariseRows(
      [planned('lazy')],
      [failed('lazy'), sample('lazy', 0, [1, 2, 3, 4, 5], [7, 9])],
      unstated,
    );
    expect(row).toMatchObject({ runs: 2, failures: 1, peakRssBytes: 100 });
    expect(row?.phases.totalMs).toEqual({ median: 15, min: 15, max: 15, p95: null, count: 1 });
    expect(row?.phases.readyMs?.median).toBe(1);
    expect(row?.phases.steadyMs?.median).toBe(8);
  });

  it('has no figure, not a zero, when every sample failed', () => {
    const [row] = summariseRows([planned('layer')], [failed('layer')], unstated);
    expect(new Set(Object.values(row?.phases ?? {}))).toEqual(new Set([null]));
    expect(row?.peakRssBytes).toBeNull();
  });

  it('keeps rows of the same variant apart by delivery, in the order of the plan', () => {
    const rows = [planned('lazy'), planned('layer')];
    const summed = summariseRows(rows, [sample('layer', 0, [5]), sample('lazy', 0, [3])], unstated);
    expect(summed.map((row) => [row.delivery, row.phases.startMs?.median])).toEqual([
      ['lazy', 3],
      ['layer', 5],
    ]);
  });
});

describe('comparedMedians', () => {
  const samples = [sample('layer', 0, [1, 2, 0, 4, 5], [6]), sample('s3-copy', 0, [1, 2, 3, 4, 5], [6])];

  it('gives nothing on total and ready for a layer whose environment is not stated, but its steady', () => {
    const [row] = summariseRows([planned('layer')], samples, unstated);
    if (row === undefined) throw new Error('no row');
    expect(comparedMedians(row)).toEqual({ totalMs: null, readyMs: null, steadyMs: 6 });
  });

  it('adds a stated environment to the sums that it is part of', () => {
    const [row] = summariseRows([planned('layer')], samples, {
      ...unstated,
      environment: { layer: { ms: 900, source: 'logs' } },
    });
    if (row === undefined) throw new Error('no row');
    expect(comparedMedians(row)).toEqual({ totalMs: 912, readyMs: 907, steadyMs: 6 });
  });

  it('takes the other deliveries as they were measured', () => {
    const [row] = summariseRows([planned('s3-copy')], samples, unstated);
    if (row === undefined) throw new Error('no row');
    expect(comparedMedians(row)).toEqual({ totalMs: 15, readyMs: 10, steadyMs: 6 });
  });
});

describe('comparedSpreads', () => {
  it('adds a stated environment to the sums and not to the steady state, and keeps null as null', () => {
    const samples = [sample('layer', 0, [1, 2, 0, 4, 5], [6]), sample('layer', 1, [1, 2, 0, 4, 9], [8])];
    const environment = { layer: { ms: 900, source: 'logs' } };
    const [row] = summariseRows([planned('layer')], samples, { ...unstated, environment });
    if (row === undefined) throw new Error('no row');
    const { totalMs, readyMs, steadyMs } = comparedSpreads(row);
    expect(totalMs).toEqual({ median: 914, min: 912, max: 916, p95: null, count: 2 });
    expect(readyMs).toMatchObject({ median: 907, min: 907, max: 907 });
    expect(steadyMs).toEqual({ median: 7, min: 6, max: 8, p95: null, count: 2 });
    const unmeasured = { ...row, phases: { ...row.phases, totalMs: null } };
    expect(comparedSpreads(unmeasured).totalMs).toBeNull();
  });
});
