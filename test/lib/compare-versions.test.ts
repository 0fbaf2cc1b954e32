import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../src/lib/compare-versions.js';

const rising = [
  '0.9.9',
  '1.9.0',
  '1.22.0-alpha',
  '1.22.0-alpha.1',
  '1.22.0-alpha.beta',
  '1.22.0-beta.2',
  '1.22.0-beta.11',
  '1.22.0-dev.20250501',
  '1.22.0',
  '1.22.1',
  '2.0.0',
];

describe('compareVersions', () => {
  it('orders versions as npm does, pre-releases before their release', () => {
    for (const [left, one] of rising.entries()) {
      for (const [right, other] of rising.entries()) {
        expect(Math.sign(compareVersions(one, other) ?? Number.NaN)).toBe(Math.sign(left - right));
      }
    }
  });

  it('takes a missing patch number for 0 and ignores build metadata', () => {
    expect(compareVersions('1.22', '1.22.0')).toBe(0);
    expect(compareVersions('v1.22.0+cpu', '1.22.0')).toBe(0);
  });

  it('is by number, not by digit', () => {
    const number = fc.nat(1e6);
    fc.assert(
      fc.property(number, number, (left, right) => {
        expect(compareVersions(`1.${left}.0`, `1.${right}.0`)).toBe(left - right);
      }),
    );
  });

  it.each(['', 'latest', '1', 'one.2.3'])('does not compare %j', (text) => {
    expect(compareVersions(text, '1.0.0')).toBeUndefined();
    expect(compareVersions('1.0.0', text)).toBeUndefined();
  });
});
