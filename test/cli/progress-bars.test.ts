import { describe, expect, it } from 'vitest';
import { fitFields } from '../../src/cli/progress-bars.js';

describe('the fields beside a progress bar', () => {
  const fields = ['1.0 MB of 2.0 MB', '12 s left', '90 MB/s'];

  it.each([
    [41, ' | 1.0 MB of 2.0 MB | 12 s left | 90 MB/s'],
    [40, ' | 1.0 MB of 2.0 MB | 12 s left'],
    [31, ' | 1.0 MB of 2.0 MB | 12 s left'],
    [30, ' | 1.0 MB of 2.0 MB'],
    [18, ''],
    [-5, ''],
  ])('in %d columns are whole, the speed the first to go', (columns, shown) => {
    expect(fitFields(fields, columns)).toBe(shown);
  });
});
