import type { onnx } from 'onnx-proto';
import { beforeEach, describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, value } from '../fixtures/build-model.js';
import { convertInCode, printNodes } from '../fixtures/convert-in-code.js';
import { feed, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
beforeEach(async () => {
  folder = await tempFolder();
});

const row = [value('x', [1, 4])];
const mean = (from: string, to: string) => node('ReduceMean', [from], [to], { axes: [-1], keepdims: 1 });

/** A layer normalisation written out, whose epsilon is the value `e`. */
function normalise(makeEpsilon: onnx.INodeProto[], initializers: onnx.ITensorProto[]): onnx.IModelProto {
  const nodes = [
    ...makeEpsilon,
    mean('x', 'mn'),
    node('Sub', ['x', 'mn'], ['c']),
    node('Pow', ['c', 'two'], ['sq']),
    mean('sq', 'v'),
    node('Add', ['v', 'e'], ['ve']),
    node('Sqrt', ['ve'], ['sd']),
    node('Div', ['c', 'sd'], ['y']),
  ];
  const outputs = [value('y', [1, 4])];
  return model(
    graph({ inputs: row, outputs, nodes, initializers: [floats('two', [], [2]), ...initializers] }),
  );
}

const tiny = floats('', [1], [1e-12]);
const epsilons: Readonly<Record<string, onnx.IModelProto>> = {
  'a scalar': normalise([], [floats('e', [], [1e-12])]),
  'one number per element': normalise([], [floats('e', [4], [1e-12, 1e-12, 1e-12, 1e-12])]),
  'a tensor of a Constant': normalise([node('Constant', [], ['e'], { value: floats('', [], [1e-12]) })], []),
  'a number of a Constant': normalise([node('Constant', [], ['e'], { value_float: 1e-12 })], []),
  'numbers of a Constant': normalise(
    [node('Constant', [], ['e'], { value_floats: { type: 6, floats: [1e-12, 1e-12, 1e-12, 1e-12] } })],
    [],
  ),
  'a ConstantOfShape': normalise(
    [node('ConstantOfShape', ['n'], ['e'], { value: tiny })],
    [longs('n', [1], [4])],
  ),
};

describe('an epsilon that FP16 takes for zero', () => {
  for (const [name, content] of Object.entries(epsilons)) {
    it.each(['fp16-weights', 'fp16'] as const)(
      `keeps a constant row from being 0/0: ${name}, %s`,
      async (precision) => {
        const { target } = await convertInCode(folder, content, { precision, minWeightBytes: 0 });
        const { y } = await runOnnx(target, { x: feed([1, 4], [3, 3, 3, 3]) });
        expect(y).toEqual([0, 0, 0, 0]);
      },
    );
  }
});

describe('an epsilon that FP16 holds with a few of its digits', () => {
  it('stays FP32 with what it is added to, now and when the result is converted again', async () => {
    const content = normalise([], [floats('e', [], [1e-5])]);
    const { graph: converted, result } = await convertInCode(folder, content);
    expect(converted.initializer?.map(({ name, dataType }) => `${name}:${dataType}`)).toContain('e:1');
    expect(printNodes(converted)).toContain('Add v,e -> ve');
    expect(result.weights.keptFp32).toContainEqual(
      expect.objectContaining({ name: 'e', reason: 'would lose its digits in FP16' }),
    );
    const weights = await convertInCode(folder, content, { precision: 'fp16-weights' });
    expect(weights.result.weights.storedAsFp16).toBe(2);
  });
});

describe('a model of an opset whose Cast runtimes do not read', () => {
  it.each(['fp16-weights', 'fp16'] as const)('stays FP32, opens, and says why: %s', async (precision) => {
    const main = graph({
      inputs: row,
      outputs: [value('y', [1, 4])],
      nodes: [node('MatMul', ['x', 'w'], ['y'])],
      initializers: [floats('w', [4, 4], Array(16).fill(0.1))],
    });
    const converted = await convertInCode(folder, model(main, { opset: 5 }), { precision });
    expect(printNodes(converted.graph)).toEqual(['MatMul x,w -> y']);
    const feeds = { x: feed([1, 4], [1, 2, 3, 4]) };
    expect(await runOnnx(converted.target, feeds)).toEqual(await runOnnx(converted.source, feeds));
    expect(converted.result.weights.keptFp32).toMatchObject([{ name: 'w', reason: 'opset below 6' }]);
    expect(converted.result.findings).toMatchObject([
      { code: 'opset-without-cast', severity: 'warning', facts: { scopes: ['graph'] } },
    ]);
    const newer = await convertInCode(folder, model(main, { opset: 6 }), { precision });
    expect(newer.result.weights.storedAsFp16).toBe(1);
    expect((await runOnnx(newer.target, feeds)).y).toHaveLength(4);
  });
});
