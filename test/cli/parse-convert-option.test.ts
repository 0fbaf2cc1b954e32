import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { collectFp32Rule, collectIo, collectKeepRule } from '../../src/cli/parse-convert-option.js';
import { parseShare } from '../../src/cli/parse-option.js';
import { fp32Rules } from '../../src/lib/fp32-rules.js';

describe('--io', () => {
  it('is the type of all, or names, given with commas or one by one', () => {
    expect(collectIo('fp16', undefined)).toBe('fp16');
    expect(collectIo('fp32', 'fp32')).toBe('fp32');
    expect(collectIo('image, mask', undefined)).toEqual(['image', 'mask']);
    expect(collectIo('out', collectIo('image,out', undefined))).toEqual(['image', 'out']);
  });

  it.each([
    ['both types', () => collectIo('fp16', 'fp32')],
    ['a type after names', () => collectIo('fp16', ['image'])],
    ['names after a type', () => collectIo('image', 'fp16')],
    ['an empty name', () => collectIo('image,', undefined)],
    ['nothing', () => collectIo('', undefined)],
  ])('refuses %s', (_what, collect) => {
    expect(collect).toThrow(InvalidArgumentError);
  });
});

describe('--keep-fp32', () => {
  it('takes three forms, and names with any characters', () => {
    const rules = ['op:Softmax', 'node:/layer.0/Add', 'output:a,b:c'].reduce<
      ReturnType<typeof collectKeepRule> | undefined
    >((before, text) => collectKeepRule(text, before), undefined);
    expect(rules).toEqual([
      { kind: 'op', name: 'Softmax' },
      { kind: 'node', name: '/layer.0/Add' },
      { kind: 'output', name: 'a,b:c' },
    ]);
  });

  it.each(['Softmax', 'op:', 'type:Softmax', ''])('refuses %j and says the forms', (text) => {
    expect(() => collectKeepRule(text, undefined)).toThrow('It must be op:TYPE, node:NAME or output:NAME.');
  });
});

describe('--without-rule', () => {
  it('takes every rule, several at once, each once', () => {
    expect(collectFp32Rule(fp32Rules.join(','), ['ranges'])).toHaveLength(fp32Rules.length);
  });

  it('guesses what a mistyped rule was meant to be, and lists all', () => {
    expect(() => collectFp32Rule('small-number', undefined)).toThrow('Did you mean small-numbers? Allowed');
    expect(() => collectFp32Rule('everything', undefined)).toThrow(/^Allowed choices are integer-values, /);
  });
});

describe('--max-weight-error', () => {
  it('is a share', () => {
    expect(['0', '1', '1e-3'].map(parseShare)).toEqual([0, 1, 0.001]);
    for (const text of ['-1', '1.1', 'none', ''])
      expect(() => parseShare(text)).toThrow(InvalidArgumentError);
  });
});
