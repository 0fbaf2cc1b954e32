import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BudgetLine, describeBudgetLine, drawBudgetLine } from '../../src/check/budget-line.js';

const mebibyte = 1024 ** 2;
const limitBytes = 262_144_000;

function unzipped(...sizes: readonly number[]): BudgetLine {
  return drawBudgetLine({
    budget: 'unzipped',
    counted: sizes.map((sizeBytes, index) => ({ what: `item ${index}`, sizeBytes })),
    limitBytes,
    rule: 'smaller than',
    whenOver: 'fail',
  });
}

describe('a budget line', () => {
  test('adds function and layers up: 20 + 120 + 111 MiB are over by 1 MiB', () => {
    const line = unzipped(20 * mebibyte, 120 * mebibyte, 111 * mebibyte);
    expect(line).toMatchObject({ usedBytes: 263_192_576, leftBytes: -1_048_576, verdict: 'fail' });
    expect(describeBudgetLine(line)).toBe('unzipped 251.0 MiB, over the limit of 250.0 MiB by 1.0 MiB');
  });

  test('passes one byte below the limit and says so in exact bytes', () => {
    const line = unzipped(limitBytes - 1);
    expect(line).toMatchObject({ leftBytes: 1, verdict: 'pass' });
    expect(describeBudgetLine(line)).toBe('unzipped 262,143,999 B of 262,144,000 B (1 B left)');
  });

  test('fails exactly at a limit that must not be reached, and says "at limit"', () => {
    const line = unzipped(limitBytes);
    expect(line).toMatchObject({ leftBytes: 0, percent: 100, verdict: 'fail' });
    expect(describeBudgetLine(line)).toContain('at limit: must be smaller than 262,144,000 B');
  });

  test('passes exactly at a limit that may be reached', () => {
    const line = drawBudgetLine({
      budget: 'ephemeral',
      counted: [{ what: 'artifact', sizeBytes: 536_870_912 }],
      limitBytes: 536_870_912,
      rule: 'at most',
      whenOver: 'fail',
    });
    expect(line.verdict).toBe('pass');
    expect(describeBudgetLine(line)).toBe('ephemeral 536,870,912 B of 536,870,912 B (0 B left)');
  });

  test('shows exact bytes when rounding would hide that it is over', () => {
    expect(describeBudgetLine(unzipped(limitBytes + 1))).toBe(
      'unzipped 262,144,001 B, over the limit of 262,144,000 B by 1 B',
    );
  });

  test('never loses a byte, and fails exactly from the limit on', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2 ** 28), { maxLength: 8 }), (sizes) => {
        const line = unzipped(...sizes);
        expect(line.usedBytes + line.leftBytes).toBe(line.limitBytes);
        expect(line.verdict === 'fail').toBe(line.usedBytes >= limitBytes);
      }),
    );
  });
});
