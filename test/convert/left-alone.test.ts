import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { floats, graph, longs, model, node, ramp, value } from '../fixtures/build-model.js';
import { findTensor, printNodes, printTypes, rawBytes, useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { feed, noise } from '../fixtures/run-onnx.js';

const convert = useConversions();
const precisions = ['fp16', 'fp16-weights'] as const;
const inputs = [value('x', [4])];
const outputs = [value('y', [4])];

function sparse(name: string): onnx.ISparseTensorProto {
  return { values: floats(name, [2], [0.5, 2]), indices: longs('', [2], [1, 3]), dims: [4] };
}

function stored(converted: onnx.IGraphProto, node: string): onnx.IAttributeProto {
  const attribute = converted.node?.find(({ opType }) => opType === node)?.attribute?.[0];
  if (attribute == null) throw new Error(`no attribute of ${node}`);
  return attribute;
}

describe.each(precisions)('a sparse tensor, %s', (precision) => {
  it('of a Constant stays as it is, with a Cast behind it where FP16 is read', async () => {
    const constant = node('Constant', [], ['k'], { sparse_value: { type: 11, sparseTensor: sparse('') } });
    const main = graph({ inputs, outputs, nodes: [constant, node('Mul', ['x', 'k'], ['y'])] });
    const converted = await convert(model(main), { precision });
    expect(stored(converted.graph, 'Constant').sparseTensor?.values?.dataType).toBe(1);
    expect(printNodes(converted.graph)).toEqual(
      precision === 'fp16'
        ? [
            'Cast x -> x_fp16',
            'Constant  -> k',
            'Cast k -> k_fp16',
            'Mul x_fp16,k_fp16 -> y_fp16',
            'Cast y_fp16 -> y',
          ]
        : ['Constant  -> k', 'Mul x,k -> y'],
    );
    await expectClose(converted, { x: noise([4]) });
  });

  it('of the graph stays as it is, with a Cast behind it where FP16 is read', async () => {
    const main = {
      ...graph({ inputs, outputs, nodes: [node('Mul', ['x', 'k'], ['y'])] }),
      sparseInitializer: [sparse('k')],
    };
    const converted = await convert(model(main), { precision });
    expect(converted.graph.sparseInitializer?.[0]?.values?.dataType).toBe(1);
    expect(printNodes(converted.graph).slice(0, 2)).toEqual(
      precision === 'fp16' ? ['Cast x -> x_fp16', 'Cast k -> k_fp16'] : ['Mul x,k -> y'],
    );
    await expectClose(converted, { x: noise([4]) });
  });
});

describe.each(precisions)('a Constant that holds numbers in an attribute, %s', (precision) => {
  it.each([
    ['value_float', 0.5, [], [0, 0x38]],
    ['value_floats', { type: 6, floats: [0.5, 1, 2, -2] }, [4], [0, 0x38, 0, 0x3c, 0, 0x40, 0, 0xc0]],
  ] as const)(
    'of %s: FP16 where FP16 is read, and otherwise as it was',
    async (name, content, dims, halves) => {
      const constant = node('Constant', [], ['k'], { [name]: content });
      const main = graph({ inputs, outputs, nodes: [constant, node('Mul', ['x', 'k'], ['y'])] });
      const converted = await convert(model(main), { precision });
      const attribute = stored(converted.graph, 'Constant');
      if (precision === 'fp16') {
        expect(attribute).toMatchObject({ name: 'value', type: 4, t: { dataType: 10 } });
        expect(attribute.t?.dims?.map(Number)).toEqual([...dims]);
        expect(rawBytes(attribute.t ?? {})).toEqual([...halves]);
        expect(printNodes(converted.graph)[1]).toBe('Constant  -> k');
      } else expect(attribute.name).toBe(name);
      await expectClose(converted, { x: noise([4]) });
    },
  );
});

describe.each(precisions)('an initializer that is an input as well, %s', (precision) => {
  it('stays what a caller may feed instead of it, also in a model of IR 3', async () => {
    const main = graph({
      inputs: [...inputs, value('w', [4]), value('n', [1], 7)],
      outputs,
      nodes: [node('Mul', ['x', 'w'], ['m']), node('Reshape', ['m', 'n'], ['y'])],
      initializers: [floats('w', [4], [1, 2, 3, 4]), longs('n', [1], [4])],
    });
    const content = { ...model(main, { opset: 8 }), irVersion: 3 };
    const converted = await convert(content, { precision });
    expect(findTensor(converted.graph, 'w').dataType).toBe(1);
    expect(printTypes(converted.graph.input)).toBe('x:1 w:1 n:7');
    expect(Number(converted.model.irVersion)).toBe(3);
    if (precision === 'fp16') expect(printNodes(converted.graph)).toContain('Cast w -> w_fp16');
    expect(converted.result.weights.keptFp32).toMatchObject([{ name: 'w', reason: 'graph input' }]);
    await expectClose(converted, { x: noise([4]) });
    await expectClose(converted, { x: noise([4]), w: feed([4], [4, 3, 2, 1]) });
  });
});

describe.each(precisions)('what training reads, %s', (precision) => {
  it('keeps its name and its numbers, and so does the training graph itself', async () => {
    const main = graph({
      inputs,
      outputs,
      nodes: [node('Mul', ['x', 'w'], ['m']), node('Add', ['m', 'v'], ['y'])],
      initializers: [ramp('w', [4]), ramp('v', [4])],
    });
    const step = graph({
      nodes: [node('Sub', ['w', 'rate'], ['w_next'])],
      outputs: [value('w_next', [4])],
      initializers: [floats('rate', [], [0.1])],
    });
    const trainingInfo = [{ algorithm: step, updateBinding: [{ key: 'w', value: 'w_next' }] }];
    const {
      graph: converted,
      model: whole,
      result,
    } = await convert({ ...model(main), trainingInfo }, { precision });
    expect(findTensor(converted, 'w')).toMatchObject({ dataType: 1 });
    expect(findTensor(converted, precision === 'fp16' ? 'v' : 'v_fp16')).toMatchObject({ dataType: 10 });
    const [info] = whole.trainingInfo;
    expect(printNodes(info?.algorithm ?? {})).toEqual(['Sub w,rate -> w_next']);
    expect(info?.algorithm?.initializer?.[0]).toMatchObject({ name: 'rate', dataType: 1 });
    expect(info?.updateBinding).toMatchObject([{ key: 'w', value: 'w_next' }]);
    expect(result.weights.keptFp32).toMatchObject([{ name: 'w', reason: 'read by the training graph' }]);
  });
});

describe.each(precisions)('what quantised numbers are scaled by, %s', (precision) => {
  it('stays FP32, at whatever size', async () => {
    const scales = floats(
      's',
      [300],
      Array.from({ length: 300 }, (_unused, at) => 1e-6 * (at + 1)),
    );
    const quantised = { name: 'q', dims: [4, 300], dataType: 3, rawData: new Uint8Array(1200).fill(5) };
    const main = graph({
      inputs,
      outputs: [value('y', [300])],
      nodes: [node('DequantizeLinear', ['q', 's'], ['w'], { axis: 1 }), node('MatMul', ['x', 'w'], ['y'])],
      initializers: [scales, quantised],
    });
    for (const opset of [13, 19, 21]) {
      const converted = await convert(model(main, { opset }), { precision });
      expect(findTensor(converted.graph, 's')).toMatchObject({ dataType: 1 });
      expect(rawBytes(findTensor(converted.graph, 's'))).toEqual([...(scales.rawData ?? [])]);
      expect(converted.model.opsetImport.map(({ version }) => Number(version))).toEqual([opset]);
      expect(converted.result.weights.keptFp32).toMatchObject([{ name: 's' }]);
      await expectClose(converted, { x: noise([4]) });
    }
  });
});

describe('a scale that is computed', () => {
  it('is computed in FP32', async () => {
    const main = graph({
      inputs,
      outputs,
      nodes: [
        node('Mul', ['s', 'factor'], ['scale']),
        node('QuantizeLinear', ['x', 'scale'], ['q']),
        node('DequantizeLinear', ['q', 'scale'], ['d']),
        node('Neg', ['d'], ['y']),
      ],
      initializers: [floats('s', [], [0.01]), floats('factor', [], [1.3])],
    });
    const converted = await convert(model(main, { opset: 19 }));
    expect(printNodes(converted.graph).slice(0, 3)).toEqual([
      'Mul s,factor -> scale',
      'QuantizeLinear x,scale -> q',
      'DequantizeLinear q,scale -> d',
    ]);
    await expectClose(converted, { x: noise([4]) });
  });
});

describe.each(precisions)('a model that is FP16 already, %s', (precision) => {
  it('is copied', async () => {
    const main = graph({
      inputs: [value('x', [4], 10)],
      outputs: [value('y', [4], 10)],
      nodes: [node('Mul', ['x', 'w'], ['y'])],
      initializers: [{ name: 'w', dims: [4], dataType: 10, rawData: new Uint8Array(8) }],
    });
    const { result } = await convert(model(main), { precision });
    expect(result.sizeBytes).toBe(result.sourceSizeBytes);
    expect(result).toMatchObject({ castsAdded: 0, weights: { storedAsFp16: 0 } });
  });
});

it('says that a model which is FP16 already has nothing to compute in FP16', async () => {
  const main = graph({
    inputs: [value('x', [4], 10)],
    outputs: [value('y', [4], 10)],
    nodes: [node('Relu', ['x'], ['y'])],
  });
  const { result } = await convert(model(main), { precision: 'fp16' });
  expect(result.findings).toMatchObject([
    { code: 'no-weight-stored' },
    { code: 'graph-stays-fp32', facts: { nodesTotal: 1, nodesAllowed: 0 } },
  ]);
});
