import { describe, expect, it } from 'vitest';
import { noLink } from '../../src/bench/link/describe-link.js';
import { computeWay, limitOf } from '../../src/bench/physical-limit.js';
import type { Delivery } from '../../src/lib/delivery.js';
import { benchTarget } from '../fixtures/bench-options.js';

const asItIs = { bytesPerSecond: null, enforcement: 'none', label: 'disk as it is' } as const;
const ways = {
  link: { ...noLink, bytesPerSecond: 90e6 },
  hubLink: { ...noLink, bytesPerSecond: 45e6 },
  disk: asItIs,
};

function way(delivery: Delivery, changed: Partial<typeof ways | { disk: object }> = {}) {
  const target = benchTarget({ sizeBytes: 180_000_000 });
  return computeWay({ target, delivery, memoryMiB: null }, { ...ways, ...changed } as typeof ways);
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
  });
});

describe('limitOf', () => {
  it('adds the shortest session to the way, and sets the load against it', () => {
    const parts = { linkBytes: 1, linkMs: 1900, sessionMs: 100 };
    expect(limitOf(parts, 2500)).toEqual({ ...parts, loadMs: 2000, efficiency: 0.8 });
    expect(limitOf(parts, null).efficiency).toBeNull();
  });
});
