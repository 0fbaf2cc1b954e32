import { describe, expect, it } from 'vitest';
import type { Tensor, ValueSpec } from '../../src/lib/tensor.js';
import { findFeedProblems } from '../../src/runtimes/check-feeds.js';

const x: ValueSpec = { name: 'x', isTensor: true, type: 'float32', dims: ['N', 3] };
const pair: Tensor = { type: 'float32', dims: [2, 3], data: new Float32Array(6) };

describe('findFeedProblems', () => {
  it('finds nothing when everything fits, with any size on a symbolic axis', () => {
    expect(findFeedProblems([x], { x: pair })).toEqual([]);
  });

  it.each([
    ['a missing input', {}, 'x', 'is missing'],
    ['an unknown feed', { x: pair, z: pair }, 'z', 'is no input; the model has `x`'],
    ['another type', { x: { ...pair, type: 'float64' } }, 'x', 'is float64, the model takes float32'],
    ['another rank', { x: { ...pair, dims: [6] } }, 'x', 'has shape [6], the model takes [N, 3]'],
    ['another fixed size', { x: { ...pair, dims: [3, 2] } }, 'x', 'has shape [3, 2], the model takes [N, 3]'],
    ['a wrong count', { x: { ...pair, dims: [3, 3] } }, 'x', 'has 6 elements, its shape [3, 3] needs 9'],
    [
      'a size that is none',
      { x: { ...pair, dims: [-2, 3] } },
      'x',
      'has shape [-2, 3], the model takes [N, 3]',
    ],
  ] as const)('finds %s', (_title, feeds, input, problem) => {
    expect(findFeedProblems([x], feeds as Record<string, Tensor>)).toEqual([{ input, problem }]);
  });

  it.each([
    ['bare elements', new Float32Array(6), 'is a Float32Array; give { type, dims, data }'],
    ['a list', [1, 2, 3], 'is an Array; give { type, dims, data }'],
    ['a number', 7, 'is a number; give { type, dims, data }'],
    ['null', null, 'is null; give { type, dims, data }'],
    [
      'a tensor without dims',
      { type: 'float32', data: new Float32Array(6) },
      'is an Object; give { type, dims, data }',
    ],
    ['data that is none', { ...pair, data: 'abc' }, 'is an Object; give { type, dims, data }'],
  ])('says of %s what it is, and what a tensor looks like', (_title, given, problem) => {
    const feeds = { x: given } as unknown as Record<string, Tensor>;
    expect(findFeedProblems([x], feeds)).toEqual([{ input: 'x', problem }]);
  });

  it.each([
    ['a Float32Array', new Float32Array(6)],
    ['undefined', undefined],
  ])('says once that %s is no set of feeds', (kind, given) => {
    const problem = `is missing; ${kind} was given instead of { NAME: { type, dims, data } }`;
    expect(findFeedProblems([x], given as unknown as Record<string, Tensor>)).toEqual([
      { input: 'x', problem },
    ]);
  });

  it('finds all problems at once', () => {
    expect(findFeedProblems([x, { ...x, name: 'y' }], { z: pair }).map(({ input }) => input)).toEqual([
      'x',
      'y',
      'z',
    ]);
  });

  it('refuses an input that is no tensor', () => {
    const problems = findFeedProblems([{ name: 's', isTensor: false, dims: [] }], { s: pair });
    expect(problems).toEqual([
      { input: 's', problem: 'is no tensor in the model, and only tensors can be fed' },
    ]);
  });

  it('does not take a name from the prototype for a feed', () => {
    expect(findFeedProblems([{ ...x, name: 'constructor' }], {})).toEqual([
      { input: 'constructor', problem: 'is missing' },
    ]);
  });
});
