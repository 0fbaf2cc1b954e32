import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, value } from '../fixtures/build-model.js';
import { type Converted, printNodes, useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { bools, feed, long, noise, runOnnx } from '../fixtures/run-onnx.js';

const convertInCode = useConversions();

function convert(main: onnx.IGraphProto, opset = 17, minWeightBytes = 1024): Promise<Converted> {
  return convertInCode(model(main, { opset }), { minWeightBytes });
}

describe('what FP16 cannot carry', () => {
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
    expect(converted.result.nodes).toMatchObject({ total: 8, allowed: 8, fp16: 3 });
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
    expect(converted.result.nodes.fp16).toBe(1);
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
    expect(converted.result.nodes.fp16).toBe(1);
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

  it('leaves what only tells its shape, and a CastLike that is kept, what they read', async () => {
    const pair = [node('Cast', ['x'], ['h'], { to: 10 }), node('Cast', ['h'], ['r'], { to: 1 })];
    const main = graph({
      inputs: [value('x', [4])],
      outputs: [value('y', [4]), value('z', [4])],
      nodes: [
        ...pair,
        node('Shape', ['r'], ['shape']),
        node('Cast', ['shape'], ['f'], { to: 1 }),
        node('Cast', ['f'], ['whole'], { to: 7 }),
        node('Reshape', ['r', 'whole'], ['y']),
        node('CastLike', ['x', 'r'], ['like']),
        node('Neg', ['like'], ['z']),
      ],
    });
    const { graph: converted } = await convert(main);
    expect(printNodes(converted)).toContain('Reshape r,whole -> y_fp16');
    expect(printNodes(converted)).toContain('Shape r -> shape');
    const keepFp32 = [{ kind: 'op', name: 'CastLike' }] as const;
    const kept = await convertInCode(model(main), { keepFp32 });
    expect(printNodes(kept.graph)).toContain('CastLike x,r -> like');
    await expectClose(kept, { x: noise([4]) });
  });
});
