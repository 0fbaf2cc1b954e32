import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, ramp, value } from '../fixtures/build-model.js';
import {
  findBodies,
  findTensor,
  printNodes,
  printTypes,
  rawBytes,
  useConversions,
} from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { bool, feed, noise, runOnnx } from '../fixtures/run-onnx.js';

const convert = useConversions();
const inputs = [value('x'), value('c', [], 9)];
const weights = [floats('w1', [2], [1, 2]), floats('w2', [2], [3, 4])];

/** A branch of one node. */
function branch(made: onnx.INodeProto, initializers: onnx.ITensorProto[] = []): onnx.IGraphProto {
  return graph({ nodes: [made], outputs: [value(made.output?.[0] ?? '')], initializers });
}

function choose(then: onnx.IGraphProto, other: onnx.IGraphProto, output = 'y'): onnx.INodeProto {
  return node('If', ['c'], [output], { then_branch: then, else_branch: other });
}

describe('an If whose branches use names from outside', () => {
  it('computes in FP16, with the weights that the branches capture', async () => {
    const either = choose(branch(node('Add', ['x', 'w1'], ['t'])), branch(node('Add', ['x', 'w2'], ['e'])));
    const main = graph({ inputs, outputs: [value('y')], nodes: [either], initializers: weights });
    const { graph: converted, target, result } = await convert(model(main));
    expect(printNodes(converted)).toEqual(['Cast x -> x_fp16', 'If c -> y_fp16', 'Cast y_fp16 -> y']);
    const bodies = findBodies(converted, 'If');
    expect(bodies.map(printNodes)).toEqual([['Add x_fp16,w1 -> t'], ['Add x_fp16,w2 -> e']]);
    expect(bodies.map(({ output }) => printTypes(output))).toEqual(['t:10', 'e:10']);
    expect(rawBytes(findTensor(converted, 'w1'))).toEqual([0, 0x3c, 0, 0x40]);
    expect(result).toMatchObject({ castsAdded: 2, nodes: { total: 3, fp16: 3, keptFp32: [] } });
    expect(await runOnnx(target, { x: feed([2], [0, 0]), c: bool(true) })).toEqual({ y: [1, 2] });
    expect(await runOnnx(target, { x: feed([2], [0, 0]), c: bool(false) })).toEqual({ y: [3, 4] });
  });

  it('takes a weight of one branch as well', async () => {
    const [w1 = {}, w2 = {}] = weights;
    const then = branch(node('Add', ['x', 'w1'], ['t']), [w1]);
    const either = choose(then, branch(node('Add', ['x', 'w2'], ['e'])));
    const main = graph({ inputs, outputs: [value('y')], nodes: [either], initializers: [w2] });
    const { graph: converted, target } = await convert(model(main));
    const [body = {}] = findBodies(converted, 'If');
    expect(findTensor(body, 'w1').dataType).toBe(10);
    expect(await runOnnx(target, { x: feed([2], [0, 0]), c: bool(true) })).toEqual({ y: [1, 2] });
    expect(await runOnnx(target, { x: feed([2], [0, 0]), c: bool(false) })).toEqual({ y: [3, 4] });
  });

  it('takes one weight of the same name from each branch', async () => {
    const bodies = ([1, 2] as const).map((number) =>
      branch(node('Add', ['x', 'w'], [`o${number}`]), [floats('w', [2], [number, number])]),
    );
    const main = graph({
      inputs,
      outputs: [value('y')],
      nodes: [choose(bodies[0] ?? {}, bodies[1] ?? {})],
    });
    for (const precision of ['fp16', 'fp16-weights'] as const) {
      const { target, result } = await convert(model(main), { precision });
      expect(result.weights.storedAsFp16).toBe(2);
      expect(await runOnnx(target, { x: feed([2], [0, 0]), c: bool(true) })).toEqual({ y: [1, 1] });
      expect(await runOnnx(target, { x: feed([2], [0, 0]), c: bool(false) })).toEqual({ y: [2, 2] });
    }
  });

  it('comes after what it captures, in whatever order the nodes were listed', async () => {
    const either = choose(branch(node('Add', ['x', 'w1'], ['t'])), branch(node('Add', ['x2', 'w2'], ['e'])));
    const relu = node('Relu', ['x'], ['x2']);
    for (const nodes of [
      [either, relu],
      [relu, either],
    ]) {
      const main = graph({ inputs, outputs: [value('y')], nodes, initializers: weights });
      for (const precision of ['fp16', 'fp16-weights'] as const) {
        const { graph: converted, target } = await convert(model(main), { precision });
        const types = converted.node?.map(({ opType }) => opType).filter((type) => type !== 'Cast');
        expect(types).toEqual(['Relu', 'If']);
        const { y } = await runOnnx(target, { x: feed([2], [-1, 5]), c: bool(false) });
        expect(y).toEqual([3, 9]);
      }
    }
  });

  it('shares one Cast of what it captures with the graph around it', async () => {
    const inner = (name: string) => branch(node('Strange', ['h', 'h'], [name], {}, 'com.example'));
    const main = graph({
      inputs,
      outputs: [value('y'), value('z')],
      nodes: [
        node('Neg', ['x'], ['h']),
        node('Strange', ['h'], ['z'], {}, 'com.example'),
        choose(inner('t'), inner('e')),
      ],
    });
    const { graph: converted } = await convert(model(main, { domains: { 'com.example': 1 } }));
    expect(printNodes(converted)).toEqual([
      'Cast x -> x_fp16',
      'Neg x_fp16 -> h',
      'Cast h -> h_fp32',
      'Strange h_fp32 -> z',
      'If c -> y',
    ]);
    expect(findBodies(converted, 'If').map(printNodes)).toEqual([
      ['Strange h_fp32,h_fp32 -> t'],
      ['Strange h_fp32,h_fp32 -> e'],
    ]);
  });
});

describe('an If whose branches cannot both give FP16', () => {
  it('gives FP32 from both when one ends in an operator that takes no FP16', async () => {
    const sum = node('CumSum', ['s', 'axis'], ['t']);
    const then = graph({ nodes: [node('Mul', ['x', 'w1'], ['s']), sum], outputs: [value('t')] });
    const either = choose(then, branch(node('Mul', ['x', 'w2'], ['e'])), 'i');
    const main = graph({
      inputs,
      outputs: [value('y')],
      nodes: [either, node('Neg', ['i'], ['y'])],
      initializers: [...weights, longs('axis', [], [0])],
    });
    const converted = await convert(model(main, { opset: 13 }));
    expect(printNodes(converted.graph)).toEqual([
      'Cast x -> x_fp16',
      'If c -> i',
      'Cast i -> i_fp16',
      'Neg i_fp16 -> y_fp16',
      'Cast y_fp16 -> y',
    ]);
    const bodies = findBodies(converted.graph, 'If');
    expect(bodies.map(printNodes)).toEqual([
      ['Mul x_fp16,w1 -> s', 'Cast s -> s_fp32', 'CumSum s_fp32,axis -> t'],
      ['Mul x_fp16,w2 -> e_fp16', 'Cast e_fp16 -> e'],
    ]);
    expect(bodies.map(({ output }) => printTypes(output))).toEqual(['t:1', 'e:1']);
    for (const c of [true, false]) await expectClose(converted, { x: feed([2], [1, 5]), c: bool(c) });
    expect(converted.result.nodes.keptFp32).toEqual([
      { reason: 'fp32-only-slot', count: 1, examples: ['CumSum in graph/If[0].then_branch'] },
      { reason: 'shared-value', count: 1, examples: ['If'] },
    ]);
  });

  it('gives FP32 where a branch gives out what lives outside of it', async () => {
    const outside = graph({ nodes: [], outputs: [value('h')] });
    const main = graph({
      inputs,
      outputs: [value('y'), value('z')],
      nodes: [
        node('Neg', ['x'], ['h']),
        choose(outside, branch(node('Mul', ['x', 'w2'], ['e']))),
        node('Relu', ['h'], ['z']),
      ],
      initializers: weights,
    });
    for (const io of ['fp32', 'fp16'] as const) {
      const { graph: converted } = await convert(model(main), { io });
      const [then = {}, other = {}] = findBodies(converted, 'If');
      expect([printTypes(then.output), printTypes(other.output)]).toEqual(['h:1', 'e:1']);
      expect(printNodes(converted)).toContain(
        'Neg x_fp16 -> h_fp16'.replace('x_fp16', io === 'fp16' ? 'x' : 'x_fp16'),
      );
      expect(printNodes(converted)).toContain('Cast h_fp16 -> h');
    }
  });

  it('gives out an input of the graph, FP16 or not, through both', async () => {
    const outside = graph({ nodes: [], outputs: [value('x')] });
    const main = graph({
      inputs,
      outputs: [value('y'), value('x')],
      nodes: [choose(outside, branch(node('Mul', ['x', 'w2'], ['e'])))],
      initializers: weights,
    });
    for (const io of ['fp32', 'fp16'] as const) {
      const { graph: converted } = await convert(model(main), { io });
      expect(printTypes(converted.input)).toBe(io === 'fp16' ? 'x:10 c:9' : 'x:1 c:9');
    }
  });
});

describe('an If in a model of FP16 weights', () => {
  it('keeps its branches as they are, but for the weights', async () => {
    const then = branch(node('Add', ['x', 'k'], ['t']), [ramp('k', [300])]);
    const other = branch(node('Add', ['x', 'w'], ['e']));
    const sized = [value('x', [300]), value('c', [], 9)];
    const main = graph({
      inputs: sized,
      outputs: [value('y', [300])],
      nodes: [choose(then, other)],
      initializers: [ramp('w', [300])],
    });
    const converted = await convert(model(main), { precision: 'fp16-weights' });
    expect(printNodes(converted.graph)).toEqual(['Cast w_fp16 -> w', 'If c -> y']);
    expect(findBodies(converted.graph, 'If').map(printNodes)).toEqual([
      ['Cast k_fp16 -> k', 'Add x,k -> t'],
      ['Add x,w -> e'],
    ]);
    for (const c of [true, false]) await expectClose(converted, { x: noise([300]), c: bool(c) });
  });
});
