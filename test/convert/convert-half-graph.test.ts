import type { onnx } from 'onnx-proto';
import { beforeEach, describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, ramp, value } from '../fixtures/build-model.js';
import {
  type Converted,
  convertInCode,
  findTensor,
  printNodes,
  rawBytes,
} from '../fixtures/convert-in-code.js';
import { bool, bools, type Feeds, feed, long, noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
beforeEach(async () => {
  folder = await tempFolder();
});

function convert(main: onnx.IGraphProto, opset = 17, minWeightBytes = 1024): Promise<Converted> {
  return convertInCode(folder, model(main, { opset }), { minWeightBytes });
}

async function expectClose({ source, target }: Converted, feeds: Feeds, digits = 2): Promise<void> {
  const [before, after] = [await runOnnx(source, feeds), await runOnnx(target, feeds)];
  expect(Object.keys(after)).toEqual(Object.keys(before));
  for (const [name, numbers] of Object.entries(before)) {
    numbers.forEach((number, index) => {
      expect(after[name]?.[index], `${name}[${index}]`).toBeCloseTo(number, digits);
    });
  }
}

describe('fp16', () => {
  it('computes in FP16 between one Cast per input and one per output', async () => {
    const converted = await convert(
      graph({
        inputs: [value('x', [2, 4])],
        outputs: [value('y', [2, 4])],
        nodes: [
          node('MatMul', ['x', 'w'], ['a']),
          node('Add', ['a', 'x'], ['b']),
          node('Relu', ['b'], ['y']),
        ],
        initializers: [ramp('w', [4, 4])],
        valueInfo: [value('a', [2, 4]), value('b', [2, 4])],
      }),
    );
    expect(printNodes(converted.graph)).toEqual([
      'Cast x -> x_fp16',
      'MatMul x_fp16,w -> a',
      'Add a,x_fp16 -> b',
      'Relu b -> y_fp16',
      'Cast y_fp16 -> y',
    ]);
    expect(findTensor(converted.graph, 'w').dataType).toBe(10);
    const types = converted.graph.valueInfo?.map((info) => info.type?.tensorType?.elemType);
    expect(types).toEqual([10, 10]);
    expect(converted.result).toMatchObject({ castsAdded: 2, nodesFp16: 3, nodesTotal: 3 });
    await expectClose(converted, { x: noise([2, 4]) });
  });

  it.each([
    ['scales of opset 13', 13, ['x', '', 's'], [floats('s', [4], [1, 1, 2, 2])]],
    ['scales of opset 10', 10, ['x', 's'], [floats('s', [4], [1, 1, 2, 2])]],
    ['sizes', 13, ['x', '', '', 'z'], [longs('z', [4], [1, 1, 4, 4])]],
    [
      'an empty roi',
      13,
      ['x', 'r', 's'],
      [{ name: 'r', dims: [0], dataType: 1 }, floats('s', [4], [1, 1, 2, 2])],
    ],
  ] as [string, number, string[], onnx.ITensorProto[]][])(
    'keeps what Resize reads beside its data: %s',
    async (_name, opset, inputs, initializers) => {
      const converted = await convert(
        graph({
          inputs: [value('x', [1, 1, 2, 2])],
          outputs: [value('y', ['a', 'b', 'c', 'd'])],
          nodes: [node('Resize', inputs, ['y'], { mode: 'nearest' })],
          initializers,
        }),
        opset,
      );
      const resize = converted.graph.node?.find(({ opType }) => opType === 'Resize');
      expect(resize?.input?.slice(1)).toEqual(inputs.slice(1));
      for (const tensor of initializers) {
        expect(findTensor(converted.graph, tensor.name ?? '').dataType).toBe(tensor.dataType);
      }
      const { y } = await runOnnx(converted.target, { x: feed([1, 1, 2, 2], [1, 2, 3, 4]) });
      expect(y).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
    },
  );

  it('keeps bodies FP32 with the outer names they use', async () => {
    const branch = (weight: string, out: string) =>
      graph({ nodes: [node('Add', ['h', weight], [out])], outputs: [value(out)] });
    const converted = await convert(
      graph({
        inputs: [value('x'), value('c', [], 9)],
        outputs: [value('y')],
        nodes: [
          node('If', ['c'], ['i'], { then_branch: branch('w1', 't'), else_branch: branch('w2', 'e') }),
          node('Mul', ['x', 'w1'], ['h']),
          node('Mul', ['i', 'w2'], ['y']),
        ],
        initializers: [floats('w1', [2], [1, 2]), floats('w2', [2], [3, 4])],
      }),
    );
    expect(printNodes(converted.graph)).toEqual([
      'Cast x -> x_fp16',
      'Cast w1 -> w1_fp16',
      'Cast w2 -> w2_fp16',
      'Mul x_fp16,w1_fp16 -> h_fp16',
      'Cast h_fp16 -> h',
      'If c -> i',
      'Cast i -> i_fp16',
      'Mul i_fp16,w2_fp16 -> y_fp16',
      'Cast y_fp16 -> y',
    ]);
    for (const c of [true, false]) await expectClose(converted, { x: feed([2], [1, 5]), c: bool(c) });
  });

  it('loops with FP32 states', async () => {
    const body = graph({
      inputs: [value('i', [], 7), value('go', [], 9), value('acc')],
      nodes: [node('Identity', ['go'], ['on']), node('Add', ['acc', 'k'], ['next'])],
      outputs: [value('on', [], 9), value('next')],
    });
    const converted = await convert(
      graph({
        inputs: [value('x'), value('n', [], 7), value('c', [], 9)],
        outputs: [value('y')],
        nodes: [
          node('Neg', ['x'], ['m']),
          node('Neg', ['m'], ['p']),
          node('Loop', ['n', 'c', 'p'], ['y'], { body }),
        ],
        initializers: [floats('k', [2], [1, 2])],
      }),
    );
    const { y } = await runOnnx(converted.target, { x: feed([2], [0, 0]), n: long([], [3]), c: bool(true) });
    expect(y).toEqual([3, 6]);
  });

  it('gives out an initializer bit for bit, and passes an input through', async () => {
    const converted = await convert(
      graph({
        inputs: [value('x')],
        outputs: [value('y'), value('w'), value('x')],
        nodes: [node('Add', ['x', 'w'], ['y'])],
        initializers: [floats('w', [2], [1.1, 2])],
      }),
      17,
      0,
    );
    expect(rawBytes(findTensor(converted.graph, 'w'))).toEqual([0xcd, 0xcc, 0x8c, 0x3f, 0, 0, 0, 0x40]);
    const outputs = await runOnnx(converted.target, { x: feed([2], [0, 0.1]) });
    expect(outputs.w).toEqual([Math.fround(1.1), 2]);
    expect(outputs.x).toEqual([0, Math.fround(0.1)]);
    expect(outputs.y?.[0]).toBeCloseTo(1.1, 2);
  });

  it('keeps FP32 behind an epsilon that FP16 takes for zero, up to the division', async () => {
    const reduce = { axes: [-1], keepdims: 1 };
    const converted = await convert(
      graph({
        inputs: [value('x', [1, 4])],
        outputs: [value('z', [1, 4])],
        nodes: [
          node('ReduceMean', ['x'], ['mn'], reduce),
          node('Sub', ['x', 'mn'], ['c']),
          node('Pow', ['c', 'two'], ['sq']),
          node('ReduceMean', ['sq'], ['v'], reduce),
          node('Add', ['v', 'e'], ['ve']),
          node('Sqrt', ['ve'], ['sd']),
          node('Div', ['c', 'sd'], ['y']),
          node('Relu', ['y'], ['z']),
        ],
        initializers: [floats('two', [], [2]), floats('e', [], [1e-12])],
      }),
    );
    expect((await runOnnx(converted.target, { x: feed([1, 4], [3, 3, 3, 3]) })).z).toEqual([0, 0, 0, 0]);
    expect(converted.result.nodesFp16).toBe(3);
    expect(printNodes(converted.graph)).toContain('Relu y_fp16 -> z_fp16');
    await expectClose(converted, { x: feed([1, 4], [1000, 2000, 3000, -500]) });
  });

  it('keeps lengths exact: what becomes an integer is not computed in FP16', async () => {
    const converted = await convert(
      graph({
        inputs: [value('x', [1, 'n'])],
        outputs: [value('y', [1], 7), value('z', [1, 'n'])],
        nodes: [
          node('Shape', ['x'], ['shape']),
          node('Gather', ['shape', 'one'], ['length']),
          node('Cast', ['length'], ['float'], { to: 1 }),
          node('Mul', ['float', 'scale'], ['scaled']),
          node('Floor', ['scaled'], ['whole']),
          node('Cast', ['whole'], ['y'], { to: 7 }),
          node('Mul', ['x', 'scale'], ['z']),
        ],
        initializers: [longs('one', [1], [1]), floats('scale', [1], [1])],
      }),
    );
    const { y } = await runOnnx(converted.target, { x: noise([1, 5003]) });
    expect(y).toEqual([5003]);
    expect(converted.result.nodesFp16).toBe(1);
  });

  it('does not round a factor, fed or stored, of what becomes an index', async () => {
    const converted = await convert(
      graph({
        inputs: [value('x', [2]), value('row', [1])],
        outputs: [value('y', [1], 7), value('z', [2])],
        nodes: [
          node('Mul', ['row', 'stride'], ['offset']),
          node('Cast', ['offset'], ['y'], { to: 7 }),
          node('Mul', ['x', 'stride'], ['z']),
        ],
        initializers: [floats('stride', [1], [4099])],
      }),
      17,
      0,
    );
    expect((await runOnnx(converted.target, { x: feed([2], [0, 1]), row: feed([1], [3]) })).y).toEqual([
      12_297,
    ]);
    expect(converted.result.nodesFp16).toBe(1);
  });

  it('casts truth values to FP16 directly, but no integers that may be large', async () => {
    const converted = await convert(
      graph({
        inputs: [value('x', [2]), value('b', [2], 9), value('i', [2], 7)],
        outputs: [value('y', [2]), value('z', [2])],
        nodes: [
          node('Cast', ['b'], ['bf'], { to: 1 }),
          node('Mul', ['x', 'bf'], ['y']),
          node('Cast', ['i'], ['if'], { to: 1 }),
          node('Add', ['if', 'if'], ['z']),
        ],
      }),
    );
    const cast = converted.graph.node?.find((entry) => entry.input?.[0] === 'b');
    expect(Number(cast?.attribute?.[0]?.i)).toBe(10);
    const feeds = { x: feed([2], [3, 4]), b: bools([2], [true, false]), i: long([2], [100_000, 1]) };
    expect(await runOnnx(converted.target, feeds)).toEqual({ y: [3, 0], z: [200_000, 2] });
  });

  it('keeps a mask beyond FP16 away from FP16 until it is bounded', async () => {
    const converted = await convert(
      graph({
        inputs: [value('x', [1, 3]), value('keep', [1, 3], 9)],
        outputs: [value('y', [1, 3])],
        nodes: [
          node('Where', ['keep', 'x', 'low'], ['masked']),
          node('Softmax', ['masked'], ['s'], { axis: -1 }),
          node('Relu', ['s'], ['y']),
        ],
        initializers: [floats('low', [], [-3.4028234663852886e38])],
      }),
    );
    const keep = bools([1, 3], [false, false, false]);
    const { y } = await runOnnx(converted.target, { x: feed([1, 3], [1, 2, 3]), keep });
    y?.forEach((number) => {
      expect(number).toBeCloseTo(1 / 3, 3);
    });
  });

  it('leaves operators that it does not know, generators and FP32 slots alone, with one Cast for all', async () => {
    const converted = await convert(
      graph({
        inputs: [value('x', [4])],
        outputs: [value('a', [4]), value('b', [4])],
        nodes: [
          node('Neg', ['x'], ['n']),
          node('CumSum', ['n', 'axis'], ['c']),
          node('CumSum', ['n', 'axis'], ['d']),
          node('Add', ['c', 'd'], ['a']),
          node('EyeLike', ['square'], ['eye']),
          node('MatMul', ['n', 'eye'], ['b']),
        ],
        initializers: [longs('axis', [], [0]), floats('square', [4, 4], new Array(16).fill(0))],
      }),
      13,
    );
    const cumulative = converted.graph.node?.filter(({ opType }) => opType === 'CumSum');
    expect(cumulative?.map((entry) => entry.input?.[0])).toEqual(['n_fp32', 'n_fp32']);
    expect(printNodes(converted.graph)).toContain('EyeLike square -> eye');
    expect(findTensor(converted.graph, 'square').dataType).toBe(1);
    expect(printNodes(converted.graph)).toContain('Cast eye -> eye_fp16');
    await expectClose(converted, { x: noise([4]) });
  });

  it('stores what bodies weigh as FP16 too', async () => {
    const body = (out: string) =>
      graph({
        nodes: [node('Constant', [], ['k'], { value: ramp('', [300]) }), node('Add', ['x', 'k'], [out])],
        outputs: [value(out, [300])],
      });
    const converted = await convert(
      graph({
        inputs: [value('x', [300]), value('c', [], 9)],
        outputs: [value('y', [300])],
        nodes: [node('If', ['c'], ['y'], { then_branch: body('t'), else_branch: body('e') })],
      }),
    );
    expect(converted.result).toMatchObject({ nodesFp16: 0, castsAdded: 2, weights: { storedAsFp16: 2 } });
    expect(converted.result.findings).toMatchObject([
      { code: 'graph-stays-fp32', severity: 'warning', facts: { nodesTotal: 5 } },
    ]);
    await expectClose(converted, { x: noise([300]), c: bool(false) });
  });

  it('takes no name that is in use', async () => {
    const converted = await convert(
      graph({
        inputs: [value('x'), value('x_fp16')],
        outputs: [value('y')],
        nodes: [node('Add', ['x', 'x_fp16'], ['y_fp16']), node('Neg', ['y_fp16'], ['y'])],
      }),
    );
    const names = converted.graph.node?.flatMap(({ output }) => output ?? []) ?? [];
    expect(new Set(names).size).toBe(names.length);
    await expectClose(converted, { x: feed([2], [1, 2]), x_fp16: feed([2], [3, 4]) });
  });
});
