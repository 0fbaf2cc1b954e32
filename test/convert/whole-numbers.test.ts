import { describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, value } from '../fixtures/build-model.js';
import { useConversions } from '../fixtures/convert-in-code.js';
import { bools, feed, runOnnx } from '../fixtures/run-onnx.js';

const convertInCode = useConversions();
const precisions = ['fp16-weights', 'fp16'] as const;

describe('whole numbers that FP16 would make others', () => {
  it.each(precisions)('stay FP32 where they are a few, and what reads them: %s', async (precision) => {
    const main = graph({
      inputs: [value('x', [2])],
      outputs: [value('y', [2], 9), value('z', [2], 9), value('w', [2])],
      nodes: [
        node('Constant', [], ['b'], { value_float: { type: 1, f: 4099 } }),
        node('Equal', ['x', 'a'], ['y']),
        node('Equal', ['x', 'b'], ['z']),
        node('Mul', ['x', 'c'], ['w']),
      ],
      initializers: [floats('a', [], [4099]), floats('c', [], [4096])],
    });
    const { target, result } = await convertInCode(model(main), { precision, minWeightBytes: 0 });
    const { y, z } = await runOnnx(target, { x: feed([2], [4098, 4099]) });
    expect([y, z]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(result.weights.keptFp32.map(({ name, reason }) => [name, reason])).toContainEqual([
      'a',
      'needs all its digits',
    ]);
    expect(result.weights.storedAsFp16).toBe(1);
  });

  it.each(precisions)('are rounded when the rule is off: %s', async (precision) => {
    const main = graph({
      inputs: [value('x')],
      outputs: [value('y')],
      nodes: [node('Mul', ['x', 'a'], ['y'])],
      initializers: [floats('a', [], [4099])],
    });
    const options = { precision, minWeightBytes: 0, withoutRules: ['integer-values'] } as const;
    const { result } = await convertInCode(model(main), options);
    expect(result.weights.storedAsFp16).toBe(1);
  });

  it('are counted up from a mask in FP32', async () => {
    const main = graph({
      inputs: [value('m', [1, 'n'], 9)],
      outputs: [value('y', [1, 'n'])],
      nodes: [
        node('Not', ['m'], ['kept']),
        node('Cast', ['kept'], ['f'], { to: 1 }),
        node('CumSum', ['f', 'one'], ['c']),
        node('Sin', ['c'], ['y']),
      ],
      initializers: [longs('one', [], [1])],
    });
    const { target, result } = await convertInCode(model(main));
    const count = 5001;
    const mask = bools(
      [1, count],
      Array.from({ length: count }, () => false),
    );
    const { y = [] } = await runOnnx(target, { m: mask });
    expect(y.at(-1)).toBeCloseTo(Math.sin(count), 3);
    expect(result.nodes.fp16).toBe(0);
  });
});
