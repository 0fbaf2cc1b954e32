import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, ramp, value } from '../fixtures/build-model.js';
import { type Converted, findTensor, printNodes, useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { feed, noise, runOnnx } from '../fixtures/run-onnx.js';

const convertInCode = useConversions();

function convert(main: onnx.IGraphProto, opset = 17, minWeightBytes = 1024): Promise<Converted> {
  return convertInCode(model(main, { opset }), { minWeightBytes });
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
    expect(converted.result).toMatchObject({
      castsAdded: 2,
      nodes: { total: 3, allowed: 3, fp16: 3, keptFp32: [] },
    });
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
        const { dataType, dims, rawData } = findTensor(converted.graph, tensor.name ?? '');
        expect([dataType, dims?.map(Number)]).toEqual([tensor.dataType, tensor.dims]);
        expect([...(rawData ?? [])]).toEqual([...(tensor.rawData ?? [])]);
      }
      const { y } = await runOnnx(converted.target, { x: feed([1, 1, 2, 2], [1, 2, 3, 4]) });
      expect(y).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
    },
  );

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
