import { describe, expect, it } from 'vitest';
import { shareLoad } from '../../src/loader/share-load.js';

describe('shareLoad', () => {
  it('does the work once for callers that come together and for those that come later', async () => {
    let count = 0;
    const shared = shareLoad(async () => {
      count += 1;
      return count;
    });
    expect(shared.peek()).toBeUndefined();
    expect(await Promise.all([shared.get(), shared.get()])).toEqual([1, 1]);
    expect(await shared.get()).toBe(1);
  });

  it('tells every waiting caller of a failure, then lets the next one try again', async () => {
    let count = 0;
    const shared = shareLoad(async () => {
      count += 1;
      if (count === 1) throw new Error('first');
      return count;
    });
    const results = await Promise.allSettled([shared.get(), shared.get()]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
    expect(shared.peek()).toBeUndefined();
    expect(await shared.get()).toBe(2);
  });
});
