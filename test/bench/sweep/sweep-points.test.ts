import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBest } from '../../../src/bench/sweep/choose-best.js';
import { fitWindow } from '../../../src/bench/sweep/measure-window.js';
import { planCombinations } from '../../../src/bench/sweep/plan-combinations.js';
import { failedPoint, summarisePoint } from '../../../src/bench/sweep/summarise-point.js';
import type { SweepPoint } from '../../../src/bench/sweep/sweep-result.js';

const one = { workers: 1, threads: 1, isOversubscribed: false };

/** What one worker did whose inferences followed each other without a gap. */
function backToBack(...durationsMs: readonly number[]): Float64Array {
  let nowMs = 0;
  return Float64Array.from(
    durationsMs.flatMap((durationMs) => {
      const beganMs = nowMs;
      nowMs += durationMs;
      return [beganMs, nowMs];
    }),
  );
}

function point(workers: number, threads: number, more: Partial<SweepPoint>): SweepPoint {
  const isOversubscribed = false;
  const error = { code: 'none', what: 'none' };
  return { ...failedPoint({ workers, threads, isOversubscribed }, error), error: null, ...more };
}

describe('planCombinations', () => {
  const names = (cpus: number) =>
    planCombinations(cpus).map(
      (each) => `${each.workers}x${each.threads}${each.isOversubscribed ? '!' : ''}`,
    );

  it('goes to twice the processors and marks what is more than there are', () => {
    expect(names(2)).toEqual(['1x1', '1x2', '1x4!', '2x1', '2x2!', '4x1!']);
    expect(names(1)).toEqual(['1x1', '1x2!', '2x1!']);
  });

  it('has one worker with one thread for any part of a processor', () => {
    expect(names(0.2)).toEqual(['1x1']);
    expect(names(1.16)).toEqual(['1x1', '1x2!', '2x1!']);
  });

  it('has all processors as threads and as workers, also where they are no power of two', () => {
    expect(names(6)).toContain('1x6');
    expect(names(6)).toContain('6x1');
  });

  it('never has a combination twice or beyond the cap', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 96, noNaN: true }), (cpus) => {
        const all = planCombinations(cpus);
        expect(new Set(names(cpus)).size).toBe(all.length);
        for (const { workers, threads } of all)
          expect(workers * threads).toBeLessThanOrEqual(Math.max(1, cpus * 2));
      }),
    );
  });
});

describe('summarisePoint', () => {
  it('counts of the inference that reaches over the end what lies within', () => {
    const run = { windowMs: 100, workers: [backToBack(40, 40, 40)], peakRssBytes: [7] };
    expect(summarisePoint(one, [run])).toMatchObject({ inferences: 3, throughputPerSecond: 25 });
  });

  it('adds up workers, their peaks, and windows', () => {
    const run = {
      windowMs: 100,
      workers: [backToBack(50, 50), backToBack(25, 25, 50)],
      peakRssBytes: [3, 4],
    };
    const calm = { ...run, peakRssBytes: [1, 1] };
    expect(summarisePoint(one, [run, calm])).toMatchObject({
      inferences: 10,
      windowMs: 200,
      throughputPerSecond: 50,
      peakRssBytes: 7,
    });
  });

  it('bills every inference in whole milliseconds', () => {
    const run = { windowMs: 100, workers: [backToBack(1.2, 2.01, 96.79)], peakRssBytes: [1] };
    expect(summarisePoint(one, [run]).billedMs).toBe((2 + 3 + 97) / 3);
  });

  it('has a p95 from 20 inferences on and a p99 from 100 on: fewer say nothing about it', () => {
    const of = (count: number) => {
      const durations = Array.from({ length: count }, (_, index) => index + 1);
      const windowMs = durations.reduce((sum, each) => sum + each, 0);
      return summarisePoint(one, [{ windowMs, workers: [backToBack(...durations)], peakRssBytes: [1] }]);
    };
    expect(of(19)).toMatchObject({ p50Ms: 10, p95Ms: null, p99Ms: null });
    expect(of(99)).toMatchObject({ p50Ms: 50, p95Ms: 95, p99Ms: null });
    expect(of(100)).toMatchObject({ p50Ms: 50, p95Ms: 95, p99Ms: 99 });
  });

  it('has the throughput of back-to-back inferences whatever the window is', () => {
    const durations = fc.array(fc.double({ min: 0.5, max: 50, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(durations, fc.double({ min: 0.01, max: 1, noNaN: true }), (each, share) => {
        const times = backToBack(...each);
        const lastBeganMs = times.at(-2) ?? 0;
        const windowMs = lastBeganMs + share * ((times.at(-1) ?? 0) - lastBeganMs);
        const { throughputPerSecond } = summarisePoint(one, [
          { windowMs, workers: [times], peakRssBytes: [1] },
        ]);
        const made = ((throughputPerSecond ?? 0) * windowMs) / 1000;
        expect(made).toBeCloseTo(each.length - 1 + share, 6);
      }),
    );
  });

  it('has no figure, not a zero, where nothing was inferred', () => {
    const run = { windowMs: 100, workers: [new Float64Array()], peakRssBytes: [1] };
    const { p50Ms, billedMs, throughputPerSecond } = summarisePoint(one, [run]);
    expect([p50Ms, billedMs, throughputPerSecond]).toEqual([null, null, null]);
  });
});

describe('fitWindow', () => {
  const window = { durationMs: 1000, leastInferences: 100, mostMs: 60_000 };

  it('lasts until enough inferences of all workers fit, but not beyond its limit', () => {
    expect(fitWindow(window, 1, 1)).toBe(1000);
    expect(fitWindow(window, 200, 2)).toBe(10_000);
    expect(fitWindow(window, 2000, 1)).toBe(60_000);
  });
});

describe('chooseBest', () => {
  it('takes the lowest latency, the highest throughput and the lowest cost', () => {
    const points = [
      point(1, 1, { p50Ms: 200, throughputPerSecond: 5, costPer100kUsd: 2 }),
      point(1, 2, { p50Ms: 100, throughputPerSecond: 8, costPer100kUsd: 3 }),
      point(2, 1, { p50Ms: 210, throughputPerSecond: 9, costPer100kUsd: 1 }),
    ];
    expect(chooseBest(points)).toEqual({ latency: 1, throughput: 2, cost: 2 });
  });

  it('takes of those within 2 % the one with fewer threads in all, then fewer workers', () => {
    const points = [
      point(2, 2, { p50Ms: 100 }),
      point(2, 1, { p50Ms: 101 }),
      point(1, 2, { p50Ms: 101.9 }),
      point(1, 1, { p50Ms: 103 }),
    ];
    expect(chooseBest(points).latency).toBe(2);
  });

  it('never takes one that failed, and none where nothing is left', () => {
    const failed = { ...point(1, 1, { p50Ms: 1 }), error: { code: 'sweep-worker-died', what: 'it died' } };
    expect(chooseBest([failed, point(1, 2, { p50Ms: 9 })])).toEqual({
      latency: 1,
      throughput: null,
      cost: null,
    });
    expect(chooseBest([failed]).latency).toBeNull();
  });
});
