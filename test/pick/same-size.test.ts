import { describe, expect, it } from 'vitest';
import { candidate, measures, pick, sampled } from './candidates.js';

const same = measures({ total: sampled([99, 100, 101]) });
const tied = (over: Parameters<typeof candidate>[0]) => candidate({ measures: same, ...over });

describe('of what is not told apart and hardly differs in size', () => {
  it('the simpler ships, not the one that is a trifle smaller', () => {
    const simple = tied({ variantId: 'z', deployedBytes: 83_001_710 });
    const smaller = tied({ variantId: 'a', layout: 'external', deployedBytes: 83_000_000 });
    const { winner, losers } = pick([smaller, simple], {}, () => 'same');
    expect(winner?.variantId).toBe('z');
    expect(losers[0]?.reason).toBe(
      'equal total; of the same size within 1 %, so the simpler layout, single, wins',
    );
  });

  it('the smaller ships where it is more than 1 % smaller', () => {
    const simple = tied({ variantId: 'z', deployedBytes: 1011 });
    const smaller = tied({ variantId: 'a', layout: 'external', deployedBytes: 1000 });
    expect(pick([smaller, simple], {}, () => 'same').winner?.variantId).toBe('a');
  });

  it('all are held against the smallest, in whatever order they are listed', () => {
    const rows = [
      tied({ variantId: 'small', engine: 'openvino', deployedBytes: 1000 }),
      tied({ variantId: 'middle', layout: 'external', deployedBytes: 1009 }),
      tied({ variantId: 'large', deployedBytes: 1018 }),
    ];
    for (const listed of [rows, rows.toReversed()]) {
      const { winner, losers } = pick(listed, {}, () => 'same');
      expect(winner?.variantId).toBe('middle');
      expect(losers.find(({ variantId }) => variantId === 'large')?.reason).toContain('9 B smaller');
    }
  });
});
