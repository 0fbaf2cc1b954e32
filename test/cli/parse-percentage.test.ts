import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { parsePercentage } from '../../src/cli/parse-percentage.js';

describe('a percentage on the command line', () => {
  it.each([
    ['10%', 0.1],
    ['2.5 %', 0.025],
    ['.5%', 0.005],
    ['0%', 0],
    ['150%', 1.5],
    ['0.1', 0.1],
    ['1', 1],
    ['0', 0],
  ])('reads %s as %d', (text, share) => {
    expect(parsePercentage(text)).toBeCloseTo(share, 15);
  });

  it.each(['', ' ', '%', 'ten', '-5%', '1e-1', '0x10%', '10%%', 'Infinity', `${'9'.repeat(400)}%`])(
    'refuses %j',
    (text) => {
      expect(() => parsePercentage(text)).toThrow(InvalidArgumentError);
    },
  );

  it('refuses a bare 10, which may mean ten percent as well as ten times, and says what to write', () => {
    expect(() => parsePercentage('10')).toThrow(/10%/);
  });
});
