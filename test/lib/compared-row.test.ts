import { describe, expect, it } from 'vitest';
import type { CacheState } from '../../src/lib/cache-state.js';
import { findComparedRow } from '../../src/lib/compared-row.js';

type Row = {
  variantId: string;
  delivery: string;
  memoryMiB: number | null;
  cache: CacheState;
  runs: number;
  failures: number;
};

function row(cache: CacheState, runs: number, over: Partial<Row> = {}): Row {
  return { variantId: 'v', delivery: 'layer', memoryMiB: 2048, cache, runs, failures: 0, ...over };
}

const find = (rows: readonly Row[], state: CacheState = 'evicted') =>
  findComparedRow({ rows, cache: { state } }, 'v', 'layer');

describe('findComparedRow', () => {
  it('takes the first memory profile, and of it the usual state of the benchmark', () => {
    const [stray, usual] = [row('warm', 1), row('evicted', 6)];
    const found = find([
      row('evicted', 7, { variantId: 'w' }),
      stray,
      usual,
      row('evicted', 7, { memoryMiB: 4096 }),
    ]);
    expect(found).toEqual({ row: usual, failures: 0, notComparable: null });
    expect(find([row('evicted', 7, { delivery: 'lazy' })])).toBeUndefined();
  });

  it('compares nothing of what is in another state as a whole, and says which and what to do', () => {
    const found = find([row('memory', 7)]);
    expect(found?.row.cache).toBe('memory');
    expect(found?.notComparable).toContain('7 of 7 samples are of "process start, files cached (memory)"');
    expect(found?.notComparable).toContain('most of this benchmark of "cold start, files evicted"');
    expect(found?.notComparable).toContain('TMPDIR on a disk');
    expect(find([row('warm', 7)])?.notComparable).toContain('--cache warm');
    expect(find([row('unknown', 7)])?.notComparable).toContain('optimise-model doctor');
    expect(find([row('evicted', 7)], 'warm')?.notComparable).toContain('--cache warm');
  });

  it('compares nothing of a few stray samples, but of half of them', () => {
    const [stray, most] = [row('evicted', 3), row('warm', 4)];
    expect(find([stray, most])).toMatchObject({
      row: most,
      notComparable: expect.stringContaining('4 of 7'),
    });
    expect(find([row('evicted', 3), row('warm', 3)])).toMatchObject({
      row: { cache: 'evicted' },
      notComparable: null,
    });
  });

  it('counts failures over all states of that memory', () => {
    const failed = row('warm', 1, { failures: 1 });
    const elsewhere = row('evicted', 7, { memoryMiB: 4096, failures: 7 });
    expect(find([row('evicted', 6), failed, elsewhere])).toMatchObject({ failures: 1, notComparable: null });
  });
});
