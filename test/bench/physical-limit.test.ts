import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CacheState } from '../../src/bench/cache/cache-state.js';
import { noLink } from '../../src/bench/link/describe-link.js';
import { computeWay, limitOf } from '../../src/bench/physical-limit.js';
import type { Delivery } from '../../src/lib/delivery.js';
import {
  mappedSession,
  type SessionOptions,
  usualSession,
  usualSessions,
} from '../../src/lib/session-options.js';
import { benchTarget } from '../fixtures/bench-options.js';

const asItIs = { bytesPerSecond: null, enforcement: 'none', label: 'disk as it is' } as const;
const ways = {
  link: { ...noLink, bytesPerSecond: 90e6 },
  hubLink: { ...noLink, bytesPerSecond: 45e6 },
  disk: asItIs,
};

type Row = Parameters<typeof computeWay>[0];

function way(
  delivery: Delivery,
  changed: Partial<typeof ways | { disk: object }> = {},
  cache: CacheState = 'evicted',
  row: Partial<Row> = {},
) {
  const target = benchTarget({ sizeBytes: 180_000_000 });
  const planned: Row = { target, delivery, memoryMiB: null, layout: 'single', isDiskHeld: true, ...row };
  return computeWay(planned, cache, { ...ways, ...changed } as typeof ways);
}

describe('computeWay', () => {
  it('divides the bytes of what is downloaded by the rate of its own link', () => {
    for (const delivery of ['s3-copy', 'lazy', 'stream'] as const)
      expect(way(delivery)).toEqual({ linkBytes: 180_000_000, linkMs: 2000 });
    expect(way('url')).toEqual({ linkBytes: 180_000_000, linkMs: 4000 });
  });

  it('knows no limit for a link that is not shaped, nor for what is behind a mount', () => {
    expect(way('s3-copy', { link: noLink as never })).toBeNull();
    expect(way('mount')).toBeNull();
  });

  it('lets nothing of a layer pass a link, but its bytes a disk that is held to a rate', () => {
    expect(way('layer')).toEqual({ linkBytes: 0, linkMs: 0 });
    const disk = { ...asItIs, bytesPerSecond: 125e6 };
    expect(way('layer', { disk })).toEqual({ linkBytes: 180_000_000, linkMs: 1440 });
    expect(way('layer', { disk }, 'dropped')?.linkMs).toBe(1440);
  });

  it('lets no bytes of a layer pass a disk that was not read, and knows nothing where that is unknown', () => {
    const disk = { ...asItIs, bytesPerSecond: 125e6 };
    for (const cache of ['warm', 'memory'] as const)
      expect(way('layer', { disk }, cache)).toEqual({ linkBytes: 0, linkMs: 0 });
    expect(way('layer', { disk }, 'unknown')).toBeNull();
    expect(way('layer', {}, 'unknown')).toEqual({ linkBytes: 0, linkMs: 0 });
    expect(way('layer', { disk }, 'evicted', { isDiskHeld: false })).toEqual({ linkBytes: 0, linkMs: 0 });
  });

  it('counts the bytes of a layer only when its session reads all of them', () => {
    const disk = { ...asItIs, bytesPerSecond: 125e6 };
    const of = (layout: Row['layout'], own: SessionOptions) => {
      const target = benchTarget({ sizeBytes: 180_000_000, sessions: { ...usualSessions, own } });
      return way('layer', { disk }, 'evicted', { target, layout })?.linkMs;
    };
    expect(of('external', mappedSession)).toBe(0);
    expect(of('single', mappedSession)).toBe(1440);
    expect(of('external', usualSession)).toBe(1440);
  });
});

describe('limitOf', () => {
  it('adds the shortest session to the way, and sets the load against it', () => {
    const parts = { linkBytes: 1, linkMs: 1900, sessionMs: 100 };
    expect(limitOf(parts, { loadMs: 2500, sessionMs: 400 })).toEqual({
      ...parts,
      loadMs: 2000,
      efficiency: 0.8,
    });
    expect(limitOf(parts, { loadMs: null, sessionMs: null }).efficiency).toBeNull();
  });

  it('takes a session of the row that is shorter than the floor as the floor', () => {
    const parts = { linkBytes: 0, linkMs: 0, sessionMs: 100 };
    expect(limitOf(parts, { loadMs: 80, sessionMs: 80 })).toMatchObject({ sessionMs: 80, efficiency: 1 });
  });

  it('never finds a load beyond its limit', () => {
    const ms = fc.double({ min: 0.001, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(ms, ms, ms, ms, (linkMs, floorMs, loadMs, sessionMs) => {
        const { efficiency } = limitOf({ linkBytes: 1, linkMs, sessionMs: floorMs }, { loadMs, sessionMs });
        expect(efficiency).toBeLessThanOrEqual(1);
      }),
    );
  });
});
