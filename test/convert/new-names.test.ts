import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, value } from '../fixtures/build-model.js';
import { findBodies, printNodes, useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { bool, feed, noise } from '../fixtures/run-onnx.js';

const convert = useConversions();
const axis = longs('axis', [], [0]);

/** Every name that a graph or one of its bodies gives to a value. */
function namesGiven(main: onnx.IGraphProto): string[] {
  const bodies = (main.node ?? []).flatMap(({ attribute }) =>
    (attribute ?? []).flatMap(({ g }) => (g ? [g] : [])),
  );
  return [
    ...(main.input ?? []).map(({ name }) => name ?? ''),
    ...(main.initializer ?? []).map(({ name }) => name ?? ''),
    ...(main.node ?? []).flatMap(({ output }) => output ?? []),
    ...bodies.flatMap(namesGiven),
  ];
}

/** A CumSum of opset 13 takes no FP16, so that both its input and its output need a Cast. */
function branch(made: string, inner: string): onnx.IGraphProto {
  return graph({
    nodes: [node('Mul', ['x', 'k'], [inner]), node('CumSum', [inner, 'axis'], [made])],
    outputs: [value(made)],
    initializers: [floats('k', [2], [1, 2])],
  });
}

describe('names of what a conversion adds', () => {
  it('are in no scope those of anything else, also where only a body or a declaration uses them', async () => {
    const bodies = { then_branch: branch('t', 'x_fp16'), else_branch: branch('e', 's') };
    const main = graph({
      inputs: [value('x'), value('c', [], 9)],
      outputs: [value('y')],
      nodes: [node('If', ['c'], ['i'], bodies), node('Mul', ['i', 'x'], ['y'])],
      initializers: [axis],
      valueInfo: [value('i_fp16'), value('i')],
    });
    for (const precision of ['fp16', 'fp16-weights'] as const) {
      const converted = await convert(model(main, { opset: 13 }), { precision });
      const names = namesGiven(converted.graph);
      // Branches are not in each other's scope: what was given in both before may be so still.
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual(
        precision === 'fp16' ? ['k'] : ['k'],
      );
      expect(names).not.toContain('i_fp16');
      for (const c of [true, false]) await expectClose(converted, { x: feed([2], [1, 5]), c: bool(c) });
    }
  });

  it('are the same each time, and leave all names of inputs, outputs and tensors where they were', async () => {
    const main = graph({
      inputs: [value('x', [4])],
      outputs: [value('y', [4]), value('m', [4])],
      nodes: [
        node('Mul', ['x', 'w'], ['m']),
        node('CumSum', ['m', 'axis'], ['s']),
        node('Add', ['s', 'w'], ['y']),
      ],
      initializers: [axis, floats('w', [4], [1, 2, 3, 4])],
    });
    const [first, second] = [
      await convert(model(main, { opset: 13 })),
      await convert(model(main, { opset: 13 })),
    ];
    expect(printNodes(second.graph)).toEqual(printNodes(first.graph));
    expect(printNodes(first.graph)).toEqual([
      'Cast x -> x_fp16',
      'Mul x_fp16,w -> m_fp16',
      'Cast m_fp16 -> m',
      'CumSum m,axis -> s',
      'Cast s -> s_fp16',
      'Add s_fp16,w -> y_fp16',
      'Cast y_fp16 -> y',
    ]);
    await expectClose(first, { x: noise([4]) });
  });

  it('do not depend on the names of nodes: none, or all the same', async () => {
    const nodes = [
      node('Neg', ['x'], ['a']),
      node('CumSum', ['a', 'axis'], ['b']),
      node('CumSum', ['a', 'axis'], ['d']),
      node('Mul', ['b', 'd'], ['y']),
    ];
    const lines: string[][] = [];
    for (const name of ['', 'same']) {
      const main = graph({
        inputs: [value('x', [4])],
        outputs: [value('y', [4])],
        nodes: nodes.map((entry) => ({ ...entry, name })),
        initializers: [axis],
      });
      const converted = await convert(model(main, { opset: 13 }));
      lines.push(printNodes(converted.graph));
      const named = converted.graph.node
        ?.filter(({ opType }) => opType !== 'Cast')
        .map((entry) => entry.name);
      expect(named).toEqual([name, name, name, name]);
      // onnxruntime takes no two nodes of one name; other runtimes do.
      if (name === '') await expectClose(converted, { x: noise([4]) });
    }
    expect(lines[1]).toEqual(lines[0]);
    expect(lines[0]).toEqual([
      'Cast x -> x_fp16',
      'Neg x_fp16 -> a',
      'Cast a -> a_fp32',
      'CumSum a_fp32,axis -> b',
      'Cast b -> b_fp16',
      'CumSum a_fp32,axis -> d',
      'Cast d -> d_fp16',
      'Mul b_fp16,d_fp16 -> y_fp16',
      'Cast y_fp16 -> y',
    ]);
  });
});

describe('a Cast', () => {
  it('comes right after its producer in the scope of that, once for all readers in all scopes', async () => {
    const reader = (made: string) =>
      graph({ nodes: [node('CumSum', ['h', 'axis'], [made])], outputs: [value(made)] });
    const body = graph({
      inputs: [value('i', [], 7), value('go', [], 9), value('acc')],
      nodes: [
        node('Identity', ['go'], ['on']),
        node('Mul', ['acc', 'acc'], ['sq']),
        node('CumSum', ['sq', 'axis'], ['s1']),
        node('CumSum', ['sq', 'axis'], ['s2']),
        node('If', ['go'], ['s3'], { then_branch: reader('t'), else_branch: reader('e') }),
        node('Sum', ['s1', 's2', 's3'], ['all']),
        node('Mul', ['all', 'all'], ['next']),
      ],
      outputs: [value('on', [], 9), value('next')],
    });
    const main = graph({
      inputs: [value('x'), value('n', [], 7), value('c', [], 9)],
      outputs: [value('y')],
      nodes: [
        node('Neg', ['x'], ['h']),
        node('CumSum', ['h', 'axis'], ['own']),
        node('Loop', ['n', 'c', 'h'], ['end'], { body }),
        node('Add', ['own', 'end'], ['y']),
      ],
      initializers: [axis],
    });
    const { graph: converted } = await convert(model(main, { opset: 13 }));
    expect(printNodes(converted).slice(0, 4)).toEqual([
      'Cast x -> x_fp16',
      'Neg x_fp16 -> h',
      'Cast h -> h_fp32',
      'CumSum h_fp32,axis -> own',
    ]);
    const [inner = {}] = findBodies(converted, 'Loop');
    expect(printNodes(inner).slice(1, 5)).toEqual([
      'Mul acc,acc -> sq',
      'Cast sq -> sq_fp32',
      'CumSum sq_fp32,axis -> s1',
      'Cast s1 -> s1_fp16',
    ]);
    expect(findBodies(inner, 'If').map(printNodes)).toEqual([
      ['CumSum h_fp32,axis -> t'],
      ['CumSum h_fp32,axis -> e'],
    ]);
    const casts = [...printNodes(converted), ...printNodes(inner)].filter((line) => line.startsWith('Cast'));
    expect(new Set(casts).size).toBe(casts.length);
  });

  it('is not needed for what is there as FP16 before the model casts it to FP32', async () => {
    const main = graph({
      inputs: [value('x', [2], 10)],
      outputs: [value('y'), value('s')],
      nodes: [
        node('Cast', ['x'], ['f'], { to: 1 }),
        node('Relu', ['f'], ['r']),
        node('CumSum', ['f', 'axis'], ['s']),
        node('Mul', ['r', 'f'], ['y']),
      ],
      initializers: [axis],
    });
    const converted = await convert(model(main, { opset: 13 }));
    expect(printNodes(converted.graph)).toEqual([
      'Cast x -> f',
      'Relu x -> r',
      'CumSum f,axis -> s',
      'Mul r,x -> y_fp16',
      'Cast y_fp16 -> y',
    ]);
  });
});
