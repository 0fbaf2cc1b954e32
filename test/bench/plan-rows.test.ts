import { describe, expect, it } from 'vitest';
import { planFloors } from '../../src/bench/floor-rows.js';
import { planRows } from '../../src/bench/plan-rows.js';
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
});
