import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, value } from '../fixtures/build-model.js';
import { findBodies, printNodes, printTypes, useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { bool, type Feeds, feed, long, runOnnx } from '../fixtures/run-onnx.js';

const convert = useConversions();
const outer = [value('x'), value('n', [], 7), value('c', [], 9)];
const counters = [value('i', [], 7), value('go', [], 9)];
const goOn = node('Identity', ['go'], ['on']);
const feeds: Feeds = { x: feed([2], [0, 0]), n: long([], [3]), c: bool(true) };

/** A Loop with one state `acc`, given back as `next`, and what else its body gives. */
function loop(
  nodes: onnx.INodeProto[],
  more: { outputs?: string[]; given?: string[]; initializers?: onnx.ITensorProto[] } = {},
): onnx.INodeProto {
  const names = ['next', ...(more.given ?? [])];
  const body = graph({
    inputs: [...counters, value('acc')],
    nodes: [goOn, ...nodes],
    outputs: [value('on', [], 9), ...names.map((name) => value(name))],
    initializers: more.initializers ?? [],
  });
  return node('Loop', ['n', 'c', 'x'], ['y', ...(more.outputs ?? [])], { body });
}

describe('a Loop', () => {
  it('carries its state in FP16', async () => {
    const main = graph({
      inputs: outer,
      outputs: [value('y')],
      nodes: [loop([node('Add', ['acc', 'k'], ['next'])])],
      initializers: [floats('k', [2], [1, 2])],
    });
    const { graph: converted, target, result } = await convert(model(main));
    expect(printNodes(converted)).toEqual([
      'Cast x -> x_fp16',
      'Loop n,c,x_fp16 -> y_fp16',
      'Cast y_fp16 -> y',
    ]);
    const [body = {}] = findBodies(converted, 'Loop');
    expect(printNodes(body)).toEqual(['Identity go -> on', 'Add acc,k -> next']);
    expect([printTypes(body.input), printTypes(body.output)]).toEqual(['i:7 go:9 acc:10', 'on:9 next:10']);
    expect(result.nodes).toMatchObject({ total: 3, allowed: 2, fp16: 2, keptFp32: [] });
    expect((await runOnnx(target, feeds)).y).toEqual([3, 6]);
  });

  it('carries a state in FP32 that an operator without FP16 makes, with Casts in the body', async () => {
    const nodes = [node('Mul', ['acc', 'k'], ['m']), node('CumSum', ['m', 'axis'], ['next'])];
    const main = graph({
      inputs: outer,
      outputs: [value('y')],
      nodes: [loop(nodes)],
      initializers: [floats('k', [2], [1, 2]), longs('axis', [], [0])],
    });
    const converted = await convert(model(main, { opset: 13 }));
    expect(printNodes(converted.graph)).toEqual(['Loop n,c,x -> y']);
    const [body = {}] = findBodies(converted.graph, 'Loop');
    expect(printNodes(body)).toEqual([
      'Cast acc -> acc_fp16',
      'Identity go -> on',
      'Mul acc_fp16,k -> m',
      'Cast m -> m_fp32',
      'CumSum m_fp32,axis -> next',
    ]);
    expect([printTypes(body.input), printTypes(body.output)]).toEqual(['i:7 go:9 acc:1', 'on:9 next:1']);
    await expectClose(converted, { ...feeds, x: feed([2], [1, 0.5]) });
  });

  it('carries a state in FP32 that begins beyond FP16 or ends as an index', async () => {
    const add = loop([node('Add', ['acc', 'k'], ['next'])]);
    const initializers = [floats('k', [2], [1, 2]), floats('x0', [2], [70_000, 0])];
    const large = { ...add, input: ['n', 'c', 'x0'] };
    const beyond = graph({ inputs: outer, outputs: [value('y')], nodes: [large], initializers });
    const first = await convert(model(beyond));
    expect((await runOnnx(first.target, feeds)).y).toEqual([70_003, 6]);
    const cast = node('Cast', ['y'], ['z'], { to: 7 });
    const index = graph({ inputs: outer, outputs: [value('z', [2], 7)], nodes: [add, cast], initializers });
    const second = await convert(model(index));
    expect((await runOnnx(second.target, { ...feeds, x: feed([2], [5000, 1]) })).z).toEqual([5003, 7]);
  });

  it('collects FP16 over its rounds, in the order of its outputs', async () => {
    const nodes = [node('Add', ['acc', 'k'], ['next']), node('Neg', ['next'], ['seen'])];
    const main = graph({
      inputs: outer,
      outputs: [value('y'), value('all', ['r', 2])],
      nodes: [loop(nodes, { given: ['seen'], outputs: ['all'] })],
      initializers: [floats('k', [2], [1, 2])],
    });
    const { graph: converted, target } = await convert(model(main));
    expect(printNodes(converted).slice(1)).toEqual([
      'Loop n,c,x_fp16 -> y_fp16,all_fp16',
      'Cast y_fp16 -> y',
      'Cast all_fp16 -> all',
    ]);
    expect(await runOnnx(target, feeds)).toEqual({ y: [3, 6], all: [-1, -2, -2, -4, -3, -6] });
  });

  it('gives its state straight back, and its initial value when it makes no round', async () => {
    const body = graph({
      inputs: [...counters, value('acc')],
      nodes: [goOn],
      outputs: [value('on', [], 9), value('acc')],
    });
    const main = graph({
      inputs: outer,
      outputs: [value('y')],
      nodes: [node('Neg', ['x'], ['m']), node('Loop', ['n', 'c', 'm'], ['y'], { body })],
    });
    const { graph: converted, target } = await convert(model(main));
    expect(printNodes(converted).slice(1, 3)).toEqual(['Neg x_fp16 -> m', 'Loop n,c,m -> y_fp16']);
    expect((await runOnnx(target, { ...feeds, x: feed([2], [1, 2]) })).y).toEqual([-1, -2]);
    expect((await runOnnx(target, { ...feeds, n: long([], [0]), x: feed([2], [1, 2]) })).y).toEqual([-1, -2]);
  });

  it('holds an If that captures from both graphs around it', async () => {
    const branch = (from: string, to: string) =>
      graph({ nodes: [node('Add', [from, 'k'], [to])], outputs: [value(to)] });
    const either = node('If', ['odd'], ['next'], {
      then_branch: branch('acc', 't'),
      else_branch: branch('x', 'e'),
    });
    const odd = [node('Mod', ['i', 'two'], ['rest']), node('Cast', ['rest'], ['odd'], { to: 9 })];
    const main = graph({
      inputs: outer,
      outputs: [value('y')],
      nodes: [loop([...odd, either])],
      initializers: [floats('k', [2], [1, 2]), longs('two', [], [2])],
    });
    const { graph: converted, target, result } = await convert(model(main));
    const [body = {}] = findBodies(converted, 'Loop');
    expect(findBodies(body, 'If').map(printNodes)).toEqual([['Add acc,k -> t'], ['Add x_fp16,k -> e']]);
    expect(result.castsAdded).toBe(2);
    expect((await runOnnx(target, { ...feeds, n: long([], [2]) })).y).toEqual([2, 4]);
  });

  it('keeps FP32 through all levels when the innermost branch needs it', async () => {
    const sum = graph({ nodes: [node('CumSum', ['acc', 'axis'], ['t'])], outputs: [value('t')] });
    const same = graph({ nodes: [node('Add', ['acc', 'k'], ['e'])], outputs: [value('e')] });
    const either = node('If', ['go'], ['next'], { then_branch: sum, else_branch: same });
    const main = graph({
      inputs: outer,
      outputs: [value('z')],
      nodes: [loop([either]), node('Neg', ['y'], ['z'])],
      initializers: [floats('k', [2], [1, 2]), longs('axis', [], [0])],
    });
    const converted = await convert(model(main, { opset: 13 }));
    const [body = {}] = findBodies(converted.graph, 'Loop');
    expect([printTypes(body.input), printTypes(body.output)]).toEqual(['i:7 go:9 acc:1', 'on:9 next:1']);
    await expectClose(converted, { ...feeds, x: feed([2], [1, 0.5]) });
  });
});
