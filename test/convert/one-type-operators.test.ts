import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, value } from '../fixtures/build-model.js';
import { useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { noise } from '../fixtures/run-onnx.js';

const convertInCode = useConversions();

/** An operator of opset 23 one of whose inputs is beyond FP16, so that its type variable is. */
function beyond(opType: string, dims: readonly (readonly number[])[], at: number): onnx.IModelProto {
  const names = dims.map((_dims, index) => `r${index}`);
  const main = graph({
    inputs: dims.map((shape, index) => value(`x${index}`, shape)),
    outputs: [value('y', dims[0])],
    nodes: [
      ...names.map((name, index) =>
        index === at ? node('Mul', [`x${index}`, 'k'], [name]) : node('Abs', [`x${index}`], [name]),
      ),
      node(opType, names, ['z']),
      node('Neg', ['z'], ['y']),
    ],
    initializers: [floats('k', [], [1e5])],
  });
  return model(main, { opset: 23 });
}

const picture = [1, 2, 4, 8] as const;
const attention = [picture, picture, picture, [4, 4]] as const;

describe('operators that onnxruntime expands to nodes of one type', () => {
  it.each([
    ...attention.map((_dims, at) => ['Attention', attention, at] as const),
    ...[0, 1].map((at) => ['RMSNormalization', [[2, 4], [4]], at] as const),
  ])('stay FP32 as a whole: %s with %j, input %i beyond FP16', async (opType, dims, at) => {
    const converted = await convertInCode(beyond(opType, dims, at));
    await expectClose(converted, Object.fromEntries(dims.map((shape, index) => [`x${index}`, noise(shape)])));
    expect(converted.result.nodes.keptFp32).toContainEqual(
      expect.objectContaining({ reason: 'beyond-fp16', examples: expect.arrayContaining([opType]) }),
    );
  });

  it('stay FP32 where the expansion fails: an AffineGrid of one picture', async () => {
    const main = graph({
      inputs: [value('t', [1, 2, 3])],
      outputs: [value('y', [1, 2, 2, 2])],
      nodes: [node('Abs', ['t'], ['a']), node('AffineGrid', ['a', 'size'], ['y'])],
      initializers: [longs('size', [4], [1, 1, 2, 2])],
    });
    const converted = await convertInCode(model(main, { opset: 20 }));
    await expectClose(converted, { t: noise([1, 2, 3]) });
    expect(converted.result.nodes.fp16).toBe(1);
  });
});

describe('outputs whose type follows an input', () => {
  it('passes FP16 through an OptionalGetElement of a tensor', async () => {
    const nodes = [
      node('Relu', ['x'], ['a']),
      node('OptionalGetElement', ['a'], ['b']),
      node('Exp', ['b'], ['y']),
    ];
    const main = graph({ inputs: [value('x')], outputs: [value('y')], nodes });
    const converted = await convertInCode(model(main, { opset: 18 }));
    await expectClose(converted, { x: noise([2]) });
    expect(converted.result.nodes.fp16).toBe(3);
  });

  it.each([{}, { output_dtype: 0 }])(
    'knows what a DequantizeLinear of opset 23 gives: %j',
    async (attributes) => {
      const main = graph({
        inputs: [value('x')],
        outputs: [value('y')],
        nodes: [
          node('QuantizeLinear', ['x', 'scale'], ['q']),
          node('DequantizeLinear', ['q', 'scale'], ['d'], attributes),
          node('Exp', ['d'], ['y']),
        ],
        initializers: [floats('scale', [], [0.01])],
      });
      const converted = await convertInCode(model(main, { opset: 23 }));
      await expectClose(converted, { x: noise([2]) });
      expect(converted.result.nodes.fp16).toBe(1);
      const free = await convertInCode(model(main, { opset: 23 }), { withoutRules: ['quantisation'] });
      await expectClose(free, { x: noise([2]) });
    },
  );
});

it('keeps a sum of squares in one node in FP32, up to what is bounded again', async () => {
  const nodes = [
    node('ReduceSumSquare', ['x'], ['s'], { axes: [1] }),
    node('Sqrt', ['s'], ['r']),
    node('Div', ['x', 'r'], ['d']),
    node('Neg', ['d'], ['y']),
  ];
  const main = graph({ inputs: [value('x', [1, 4])], outputs: [value('y', [1, 4])], nodes });
  const { result } = await convertInCode(model(main));
  expect(result.nodes.fp16).toBe(1);
  expect(result.nodes.keptFp32.map(({ reason, count }) => [reason, count])).toEqual([['growing-sums', 3]]);
});
