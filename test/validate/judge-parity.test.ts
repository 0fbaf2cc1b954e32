import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../src/lib/tensor.js';
import { compareOutput, skipOutput } from '../../src/validate/compare-output.js';
import { judgeParity } from '../../src/validate/judge-parity.js';

const bounds = { rtol: 0.01, atol: 0.001 };

function real(...data: number[]): Tensor {
  return { type: 'float32', dims: [data.length], data: Float32Array.from(data) };
}

const equal = compareOutput('a', real(1), real(1), bounds);
const within = compareOutput('b', real(1), real(1.0025), bounds);
const outside = compareOutput('c', real(1, 2), real(1.5, 2), bounds);
const shape = compareOutput('d', real(1), real(1, 2), bounds);
const nan = compareOutput('e', real(Number.NaN), real(Number.NaN), bounds);
const skipped = skipOutput('f', 'not a tensor');

describe('judgeParity', () => {
  it('passes and says which tolerance would have done', () => {
    const { verdict, reason } = judgeParity([equal, within], [], bounds);
    expect(verdict).toBe('pass');
    expect(reason).toBe('within rtol 0.01 atol 0.001: max |Δ| 0.0025, would pass with rtol 0.0016.');
    expect(judgeParity([equal], [], bounds).reason).toBe('1 output equal.');
  });

  it('fails and says which tolerance would do', () => {
    const { verdict, reason } = judgeParity([equal, outside, skipped], [], bounds);
    expect(verdict).toBe('fail');
    expect(reason).toContain('`c`: 1 of 2 elements are beyond the tolerance');
    expect(reason).toContain('it would need rtol 0.5 with atol 0.001 or atol 0.49 with rtol 0.01');
  });

  it('is partial when something was skipped or proves nothing, and inconclusive when all was', () => {
    expect(judgeParity([equal, skipped], [], bounds)).toMatchObject({ verdict: 'partial' });
    expect(judgeParity([within, nan], [], bounds)).toMatchObject({ verdict: 'partial' });
    expect(judgeParity([skipped], [], bounds)).toMatchObject({ verdict: 'inconclusive' });
    expect(judgeParity([nan, skipped], [], bounds)).toMatchObject({ verdict: 'inconclusive' });
    expect(judgeParity([], [], bounds)).toMatchObject({ verdict: 'inconclusive' });
  });

  it('says that atol alone suffices rather than that rtol 0 would do', () => {
    const near = compareOutput('k', real(0.5, 2), real(0.5002, 2), bounds);
    expect(judgeParity([near], [], bounds).reason).toContain('max |Δ| 2e-4, atol alone suffices.');
  });

  it('says how few elements lie above atol, where it is less than one in a hundred', () => {
    const faint = Array.from({ length: 999 }, () => 0.0001);
    const sparse = compareOutput('k', real(...faint, 1), real(...faint, 1.0025), bounds);
    expect(judgeParity([sparse], [], bounds).reason).toBe(
      'within rtol 0.01 atol 0.001: max |Δ| 0.0025, would pass with rtol 0.0016; 1 of 1000 elements above atol.',
    );
    expect(judgeParity([within, sparse], [], bounds).reason).toContain(
      '; 1 of 1000 elements of `k` above atol.',
    );
    const enough = compareOutput(
      'k',
      real(...faint.slice(900), 1),
      real(...faint.slice(900), 1.0025),
      bounds,
    );
    expect(judgeParity([enough], [], bounds).reason).not.toContain('above atol');
  });

  it('does not judge what zeros would pass as well, unless every element is equal', () => {
    const faint = compareOutput('k', real(0.0003, 0.0001), real(0.0001, 0.0003), bounds);
    const reason =
      '`k` (within the bounds, but so would zeros be: largest |reference| 3e-4, 100 % of the elements not above atol 0.001)';
    expect(judgeParity([faint], [], bounds)).toEqual({
      verdict: 'inconclusive',
      reason: `no output could be judged: ${reason}.`,
    });
    expect(judgeParity([equal, faint], [], bounds)).toEqual({
      verdict: 'partial',
      reason: `1 output equal. Not judged: ${reason}.`,
    });
    expect(judgeParity([faint, outside], [], bounds).verdict).toBe('fail');
    const same = compareOutput('k', real(0.0003, 0.0001), real(0.0003, 0.0001), bounds);
    expect(judgeParity([same], [], bounds).verdict).toBe('pass');
  });

  it('judges what is one number in the reference, as that number', () => {
    const zeros = compareOutput('k', real(0, 0), real(0, 0.0001), bounds);
    const threes = compareOutput('k', real(3, 3), real(3, 3.001), bounds);
    const faint = compareOutput('k', real(0.0003, 0.0003), real(0, 0.0003), bounds);
    expect(judgeParity([zeros], [], bounds).verdict).toBe('pass');
    expect(judgeParity([threes], [], bounds).verdict).toBe('pass');
    expect(judgeParity([faint], [], bounds).verdict).toBe('inconclusive');
  });

  it('does not judge the values of random operators, but still their shapes', () => {
    for (const output of [equal, outside]) {
      const { verdict, reason } = judgeParity([output], ['RandomUniformLike'], bounds);
      expect(verdict).toBe('inconclusive');
      expect(reason).toContain('nondeterministic operator RandomUniformLike');
    }
    expect(judgeParity([shape], ['RandomUniformLike'], bounds).verdict).toBe('fail');
  });

  it('takes float outputs without any finite number for unjudged, whatever cosine is asked for', () => {
    for (const asked of [bounds, { ...bounds, cosine: 0.9 }]) {
      const values = [Number.POSITIVE_INFINITY, Number.NaN];
      const infinite = compareOutput('h', real(...values), real(...values), asked);
      expect(infinite).toMatchObject({ status: 'equal', cosine: null });
      expect(infinite.reason).toBe('no number is finite on both sides, which proves nothing');
      expect(judgeParity([infinite], [], asked).verdict).toBe('inconclusive');
      expect(judgeParity([equal, infinite], [], asked)).toEqual({
        verdict: 'partial',
        reason: '1 output equal. Not judged: `h` (no number is finite on both sides, which proves nothing).',
      });
    }
  });

  it('takes equal strings and integers for compared, though they have no figures of real numbers', () => {
    const strings: Tensor = { type: 'string', dims: [1], data: ['a'] };
    const integers: Tensor = { type: 'int64', dims: [1], data: BigInt64Array.of(3n) };
    for (const tensor of [strings, integers]) {
      const output = compareOutput('i', tensor, tensor, { ...bounds, cosine: 0.9 });
      expect(judgeParity([output], [], bounds).verdict).toBe('pass');
    }
  });

  it('calls an output of no elements equal, which alone proves nothing', () => {
    const none = compareOutput('g', real(), real(), bounds);
    expect(none).toMatchObject({ status: 'equal', reason: '0 elements' });
    expect(judgeParity([equal, none], [], bounds)).toEqual({
      verdict: 'pass',
      reason: '1 output equal; `g` has 0 elements on both sides.',
    });
    expect(judgeParity([within, none], [], bounds)).toEqual({
      verdict: 'pass',
      reason:
        'within rtol 0.01 atol 0.001: max |Δ| 0.0025, would pass with rtol 0.0016; `g` has 0 elements on both sides.',
    });
    expect(judgeParity([none], [], bounds)).toEqual({
      verdict: 'inconclusive',
      reason: 'no output could be judged: `g` (0 elements).',
    });
    expect(judgeParity([none, nan, skipped], [], bounds).verdict).toBe('inconclusive');
  });
});
