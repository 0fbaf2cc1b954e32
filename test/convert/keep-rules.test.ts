import { readFile } from 'node:fs/promises';
import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import type { KeepRule } from '../../src/convert/convert-options.js';
import { floats, graph, longs, model, node, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { findBodies, findTensor, printNodes, useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { bool, bools, feed, long, runOnnx } from '../fixtures/run-onnx.js';

const convert = useConversions();

function keep(...texts: readonly string[]): KeepRule[] {
  return texts.map((text) => {
    const [kind = '', name = ''] = text.split(':');
    return { kind: kind as KeepRule['kind'], name };
  });
}

function named(name: string, made: onnx.INodeProto): onnx.INodeProto {
  return { ...made, name };
}

/** Three operators in a row, a Loop with an If in it, and what else a model is made of. */
function everything(): onnx.IModelProto {
  const branch = (from: string, to: string) =>
    graph({ nodes: [named(`add ${to}`, node('Add', [from, 'k'], [to]))], outputs: [value(to)] });
  const bodies = { then_branch: branch('acc', 't'), else_branch: branch('b', 'e') };
  const body = graph({
    inputs: [value('i', [], 7), value('go', [], 9), value('acc')],
    nodes: [
      node('Identity', ['go'], ['on']),
      node('Constant', [], ['k'], { value: floats('', [2], [1, 2]) }),
      named('choose', node('If', ['go'], ['next'], bodies)),
    ],
    outputs: [value('on', [], 9), value('next')],
  });
  return model(
    graph({
      inputs: [value('x'), value('n', [], 7), value('c', [], 9), value('whole', [2], 7)],
      outputs: [value('y')],
      nodes: [
        named('first', node('Mul', ['x', 'w'], ['a'])),
        named('second', node('Mul', ['a', 'v'], ['b'])),
        named('rounds', node('Loop', ['n', 'c', 'b'], ['d'], { body })),
        named('cast', node('Cast', ['whole'], ['f'], { to: 1 })),
        named('fill', node('ConstantOfShape', ['two'], ['zeros'])),
        named('last', node('Sum', ['d', 'f', 'zeros', 'u'], ['y'])),
      ],
      initializers: [
        ...[floats('w', [2], [1, 2]), floats('v', [2], [3, 4]), floats('u', [], [0.5])],
        longs('two', [1], [2]),
      ],
    }),
  );
}

const feeds = { x: feed([2], [1, 2]), n: long([], [2]), c: bool(true), whole: long([2], [1, 2]) };

describe('keepFp32', () => {
  it('keeps an operator, wherever it is', async () => {
    const converted = await convert(everything(), { keepFp32: keep('op:Add') });
    const [loop = {}] = findBodies(converted.graph, 'Loop');
    const branches = findBodies(loop, 'If').map(printNodes);
    expect(branches[0]).toContain('Add acc,k -> t');
    expect(converted.result.nodes.keptFp32).toContainEqual({
      ...{ reason: 'kept-by-user', count: 2 },
      examples: [
        "Add 'add t' in graph/Loop[2].body/If[2].then_branch",
        "Add 'add e' in graph/Loop[2].body/If[2].else_branch",
      ],
    });
    await expectClose(converted, feeds);
  });

  it('keeps a node by its name, or by that of what it gives, in bodies too', async () => {
    for (const rule of ['node:second', 'output:b']) {
      const converted = await convert(everything(), { keepFp32: keep(rule) });
      expect(printNodes(converted.graph)).toContain('Mul a_fp32,v -> b');
      expect(printNodes(converted.graph)).toContain('Mul x_fp16,w -> a');
      expect(findTensor(converted.graph, 'w').dataType).toBe(10);
      expect(findTensor(converted.graph, 'v').dataType).toBe(1);
      await expectClose(converted, feeds);
    }
    const inner = await convert(everything(), { keepFp32: keep('output:t') });
    expect(inner.result.nodes.keptFp32).toContainEqual(
      expect.objectContaining({
        reason: 'kept-by-user',
        count: 1,
        examples: [expect.stringContaining("'add t'")],
      }),
    );
    await expectClose(inner, feeds);
  });

  it('keeps a Loop with all that is in it', async () => {
    const converted = await convert(everything(), { keepFp32: keep('node:rounds') });
    const [loop = {}] = findBodies(converted.graph, 'Loop');
    const [before = {}] = findBodies(everything().graph ?? {}, 'Loop');
    expect(printNodes(loop)).toEqual(printNodes(before));
    expect(findBodies(loop, 'If').map(printNodes)).toEqual([['Add acc,k -> t'], ['Add b_fp32,k -> e']]);
    expect(printNodes(converted.graph)).toContain('Loop n,c,b_fp32 -> d');
    expect(converted.result.nodes.keptFp32[0]).toMatchObject({ reason: 'kept-by-user', count: 4 });
    await expectClose(converted, feeds);
  });

  it('keeps a tensor by its name, in a model of FP16 weights', async () => {
    const options = { precision: 'fp16-weights', keepFp32: keep('output:v', 'op:Sum') } as const;
    const { result } = await convert(everything(), options);
    expect(result.weights.keptFp32.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'v: kept by the user',
      'u: kept by the user',
    ]);
    expect(result.weights.storedAsFp16).toBe(2);
  });

  it('keeps a tensor by its name where only FP16 nodes read it', async () => {
    const main = graph({
      inputs: [value('x')],
      outputs: [value('y')],
      nodes: [node('Mul', ['x', 'w'], ['y'])],
      initializers: [floats('w', [2], [1.1, 2])],
    });
    const { result, graph: converted } = await convert(model(main), {
      precision: 'fp16',
      keepFp32: keep('output:w'),
    });
    expect(result.weights.keptFp32).toMatchObject([{ name: 'w', reason: 'kept by the user' }]);
    expect(converted.initializer?.map(({ name, dataType }) => `${name} ${dataType}`)).toEqual(['w 1']);
  });

  it.each(['fp16', 'fp16-weights'] as const)('changes no byte when all is kept: %s', async (precision) => {
    const all = keep('op:Mul', 'node:rounds', 'node:cast', 'op:ConstantOfShape', 'output:y');
    const { source, target, result } = await convert(everything(), { precision, keepFp32: all });
    expect((await readFile(target)).equals(await readFile(source))).toBe(true);
    expect(result).toMatchObject({ castsAdded: 0, nodes: { fp16: 0 }, weights: { storedAsFp16: 0 } });
  });

  it('does not let numbers beyond FP16 out of the node that it keeps', async () => {
    const main = graph({
      inputs: [value('x', [1, 3]), value('keep', [1, 3], 9)],
      outputs: [value('y', [1, 3])],
      nodes: [
        node('Where', ['keep', 'x', 'low'], ['masked']),
        node('Softmax', ['masked'], ['s'], { axis: -1 }),
        node('Relu', ['s'], ['y']),
      ],
      initializers: [floats('low', [], [-3.4028234663852886e38])],
    });
    const { target, graph: converted } = await convert(model(main), { keepFp32: keep('op:Where') });
    expect(printNodes(converted)).toContain('Softmax masked -> s');
    const none = bools([1, 3], [false, false, false]);
    const { y } = await runOnnx(target, { x: feed([1, 3], [1, 2, 3]), keep: none });
    expect(y?.map((number) => number.toFixed(3))).toEqual(['0.333', '0.333', '0.333']);
  });

  it('refuses wishes that name nothing, all at once, with what was probably meant', async () => {
    const content = { ...everything() };
    const texts = ['op:Mull', 'node:secnd', 'output:zz', 'op:Mul', 'node:Mul', 'node:', 'output:x'];
    for (const precision of ['fp16', 'fp16-weights', 'fp32'] as const) {
      const error = await catchError(() => convert(content, { precision, keepFp32: keep(...texts) }));
      expect(error).toMatchObject({ code: 'keep-rule-unmatched', exitCode: 2 });
      expect(error.facts.rules).toEqual([
        'op:Mull (did you mean op:Mul?)',
        'node:secnd (did you mean node:second?)',
        expect.stringMatching(/^output:zz/),
        expect.stringMatching(/^node:Mul/),
        expect.stringMatching(/^node:/),
        expect.stringMatching(/^output:x/),
      ]);
    }
  });

  it('asks nothing of the size of what it keeps', async () => {
    const main = graph({
      inputs: [value('x', [300])],
      outputs: [value('y', [300])],
      nodes: [node('Mul', ['x', 'w'], ['m']), node('Add', ['m', 'w'], ['y'])],
      initializers: [ramp('w', [300])],
    });
    const { graph: converted, result } = await convert(model(main), { keepFp32: keep('op:Mul') });
    expect(findTensor(converted, 'w').dataType).toBe(1);
    expect(result.weights.keptFp32).toMatchObject([{ name: 'w', reason: 'kept by the user' }]);
    expect(printNodes(converted)).toContain('Cast w -> w_fp16');
  });
});
