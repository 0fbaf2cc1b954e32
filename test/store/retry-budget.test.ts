import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RetryBudget } from '../../src/store/retry-budget.js';

const mebibyteBytes = 1024 ** 2;

describe('the budget of tries of a download', () => {
  it('allows 20, and one more for every 8 MiB received', () => {
    const receipts = fc.array(fc.nat(20 * mebibyteBytes), { maxLength: 20 });
    fc.assert(
      fc.property(receipts, (sizes) => {
        const budget = new RetryBudget();
        for (const size of sizes) budget.earn(size);
        const total = sizes.reduce((sum, size) => sum + size, 0);
        let taken = 0;
        while (budget.take()) taken += 1;
        expect(taken).toBe(20 + Math.floor(total / (8 * mebibyteBytes)));
        budget.earn(8 * mebibyteBytes);
        expect([budget.take(), budget.take()]).toEqual([true, false]);
      }),
    );
  });
});
