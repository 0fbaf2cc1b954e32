import { describe, expect, it } from 'vitest';
import { wrapLine } from '../../src/cli/wrap-line.js';

describe('wrapping a line', () => {
  it('breaks at spaces, keeps what the line begins with and indents the rest', () => {
    expect(wrapLine('  one two three four', 11, '  ')).toBe('  one two\n  three\n  four');
    expect(wrapLine('error: one two', 10, '  ')).toBe('error: one\n  two');
  });

  it('takes lines one by one', () => {
    expect(wrapLine('a b\n  line 5: wrong', 40, '  ')).toBe('a b\n  line 5: wrong');
  });

  it('leaves long words whole, and everything as it is without a width', () => {
    expect(wrapLine('a-very-long-word', 5, '  ')).toBe('a-very-long-word');
    expect(wrapLine('one two', undefined, '  ')).toBe('one two');
  });
});
