import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortNodes } from '../../src/onnx/sort-nodes.js';
import { graph, node, value } from '../fixtures/build-model.js';

/** A chain with side inputs: node i reads the two values before it. */
const chain = Array.from({ length: 30 }, (_unused, index) =>
  node('Add', [`v${index - 1}`, `v${Math.max(-1, index - 3)}`], [`v${index}`]),
);

describe('sortNodes', () => {
  it('leaves nodes that are in order where they are', () => {
    expect(sortNodes(chain)).toEqual(chain);
  });

  it('puts any shuffle into an order in which all inputs come first', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(chain, { minLength: chain.length }), (shuffled) => {
        expect(sortNodes(shuffled)).toEqual(chain);
      }),
    );
  });

  it('counts what a body takes from outside', () => {
    const body = graph({ nodes: [node('Add', ['late', 'w'], ['t'])], outputs: [value('t')] });
    const host = node('If', ['c'], ['y'], { then_branch: body, else_branch: body });
    const late = node('Relu', ['x'], ['late']);
    expect(sortNodes([host, late])).toEqual([late, host]);
  });

  it('keeps all nodes of a cycle, and does not overflow on a long chain', () => {
    const cycle = [node('Relu', ['b'], ['a']), node('Relu', ['a'], ['b'])];
    expect(sortNodes(cycle)).toHaveLength(2);
    const long = Array.from({ length: 50_000 }, (_unused, index) =>
      node('Relu', [`v${index}`], [`v${index + 1}`]),
    );
    expect(sortNodes(long.toReversed())).toEqual(long);
  });

  it('puts a node behind all of the many whose values it reads', () => {
    const many = Array.from({ length: 150_000 }, (_unused, index) => node('Relu', ['x'], [`v${index}`]));
    const last = node(
      'Sum',
      many.map(({ output }) => output?.[0] ?? ''),
      ['y'],
    );
    expect(sortNodes([last, ...many]).at(-1)).toBe(last);
  });
});
