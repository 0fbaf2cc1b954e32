import { describe, expect, it } from 'vitest';
import type { BenchSample } from '../../src/bench/bench-result.js';
import { floorOf, planFloors } from '../../src/bench/floor-rows.js';
import { planRows } from '../../src/bench/plan-rows.js';
import { sessionOf } from '../../src/bench/session-of-row.js';
import { mappedSession, type SessionOptions, usualSession } from '../../src/lib/session-options.js';
import { benchTarget } from '../fixtures/bench-options.js';
import { catchError } from '../fixtures/catch-error.js';

const all = { memoryMiB: [], skip: [] };
const here = benchTarget({ variantId: 'a', artifactFolder: '/a' });
const release = benchTarget({ variantId: 'b@r', artifactFolder: null, deliveries: ['lazy'] });

function names(rows: ReturnType<typeof planRows>): string[] {
  return rows.map(({ target, delivery, memoryMiB }) => `${target.variantId} ${delivery} ${memoryMiB}`);
}

describe('planRows', () => {
  it('crosses targets, deliveries and memory, each once', () => {
    const rows = planRows({
      ...all,
      targets: [here],
      deliveries: ['lazy', 'stream', 'lazy'],
      memoryMiB: [2048, 4096, 2048],
    });
    expect(names(rows)).toEqual(['a lazy 2048', 'a lazy 4096', 'a stream 2048', 'a stream 4096']);
  });

  it('measures the artifact of a release by its own delivery only, asked for or not', () => {
    const rows = planRows({ ...all, targets: [here, release], deliveries: ['s3-copy', 'layer'] });
    expect(names(rows)).toEqual(['a s3-copy null', 'a layer null', 'b@r lazy null']);
  });

  it('leaves out a layer of what is only in a store, and refuses to measure nothing', async () => {
    const options = { ...all, targets: [{ ...release, deliveries: null }], deliveries: ['layer'] as const };
    const error = await catchError(async () => planRows(options));
    expect(error).toMatchObject({ code: 'bench-nothing-to-measure' });
  });
});

describe('planFloors', () => {
  it('expands each artifact of this machine once per profile, but where a row of stream does so', () => {
    const rows = planRows({
      ...all,
      targets: [here, benchTarget({ variantId: 'c', artifactFolder: '/c' }), release],
      deliveries: ['s3-copy', 'lazy'],
      memoryMiB: [2048, 4096],
    });
    const streamed = planRows({ ...all, targets: [here], deliveries: ['stream'], memoryMiB: [2048] });
    expect(names(planFloors([...streamed, ...rows]))).toEqual([
      'a stream 4096',
      'c stream 2048',
      'c stream 4096',
    ]);
  });

  it('reads them from the disk, whatever is between samples and the store', () => {
    const [floor] = planFloors(planRows({ ...all, targets: [here], deliveries: ['lazy'] }));
    expect(floor).toMatchObject({ source: '/a', s3: null, delivery: 'stream' });
  });

  it('opens them without prepacking, also where a row of stream is opened otherwise', () => {
    const packed = { ...here, sessions: { own: usualSession, stream: usualSession } };
    const rows = planRows({ ...all, targets: [packed], deliveries: ['stream'] });
    const floors = planFloors(rows);
    expect(names(floors)).toEqual(['a stream null']);
    expect(floors.map(sessionOf)).toEqual([mappedSession]);
    expect(rows.map(sessionOf)).toEqual([usualSession]);
  });
});

describe('floorOf', () => {
  const sample = (sessionMs: number): BenchSample => ({
    ...{ variantId: 'a', delivery: 'stream', memoryMiB: null, run: 0, cache: 'warm', steadyMs: [] },
    phases: { startMs: 1, runtimeMs: 1, downloadMs: 1, sessionMs, firstInferenceMs: 1 },
    ...{ peakRssBytes: null, stealMs: null, error: null },
  });
  const measured = { samples: [sample(500)], limitSamples: [sample(20)] };
  const floorWith = (stream: SessionOptions, limitSamples = measured.limitSamples) => {
    const target = { ...here, sessions: { own: usualSession, stream } };
    const row = { target, delivery: 'lazy', memoryMiB: null } as const;
    return floorOf(row, { samples: measured.samples, limitSamples });
  };

  it('takes rows of stream only when they are opened as floors are', () => {
    expect(floorWith(usualSession)).toBe(20);
    expect(floorWith({ ...mappedSession, optimisation: 'disabled' })).toBe(20);
    expect(floorWith(usualSession, [])).toBeNull();
    expect(floorWith(mappedSession, [])).toBe(500);
  });
});
