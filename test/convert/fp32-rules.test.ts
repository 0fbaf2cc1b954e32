import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { type Fp32Rule, fp32Rules } from '../../src/convert/convert-options.js';
import { floats, graph, longs, model, node, value } from '../fixtures/build-model.js';
import { type Converted, printNodes, useConversions } from '../fixtures/convert-in-code.js';
import { expectClose } from '../fixtures/expect-close.js';
import { type Feeds, feed, long, noise, runOnnx } from '../fixtures/run-onnx.js';

const convert = useConversions();

/** A model in which a rule keeps an operator in FP32. */
type Case = {
  readonly name: string;
  readonly rule: Fp32Rule;
  /** Other rules that would keep it as well. */
  readonly also?: readonly Fp32Rule[];
  readonly opType: string;
  readonly content: onnx.IModelProto;
  readonly feeds: Feeds;
  /** Whether onnxruntime 1.30 opens it without the rule. */
  readonly opens: boolean;
};

type Parts = Parameters<typeof graph>[0] & { readonly opset?: number };

function build({ opset = 17, ...parts }: Parts): onnx.IModelProto {
  return model(graph({ inputs: [value('x', [4])], outputs: [value('y', [4])], ...parts }), { opset });
}

const ramp = feed([4], [0.5, 1, 1.5, 2]);
const typed = (opType: string, inputs: string[], attribute: string, opset?: number): onnx.IModelProto =>
  build({
    nodes: [node(opType, inputs, ['r'], { [attribute]: 1 }), node('Add', ['x', 'r'], ['y'])],
    initializers: [longs('count', [], [4])],
    ...(opset === undefined ? {} : { opset }),
  });

const cases: readonly Case[] = [
  {
    ...{ name: 'a factor of what becomes an index', rule: 'integer-values', opType: 'Mul', opens: true },
    content: build({
      nodes: [node('Mul', ['x', 'two'], ['m']), node('Cast', ['m'], ['y'], { to: 7 })],
      outputs: [value('y', [4], 7)],
      initializers: [floats('two', [], [2])],
    }),
    feeds: { x: ramp },
  },
  {
    ...{ name: 'integers that may be large', rule: 'integer-values', opType: 'Add', opens: true },
    content: build({
      inputs: [value('i', [4], 7)],
      nodes: [node('Cast', ['i'], ['f'], { to: 1 }), node('Add', ['f', 'f'], ['y'])],
    }),
    feeds: { i: long([4], [1, 2, 3, 4]) },
  },
  {
    ...{ name: 'a range', rule: 'ranges', also: ['integer-values'], opType: 'Range', opens: false },
    content: build({
      nodes: [node('Range', ['from', 'to', 'step'], ['r']), node('Add', ['x', 'r'], ['y'])],
      initializers: [floats('from', [], [0]), floats('to', [], [4]), floats('step', [], [1])],
      opset: 27,
    }),
    feeds: {},
  },
  {
    ...{ name: 'a mask of -FLT_MAX', rule: 'beyond-fp16', opType: 'Add', opens: true },
    content: build({
      nodes: [node('Add', ['x', 'mask'], ['m']), node('Softmax', ['m'], ['y'])],
      initializers: [floats('mask', [4], [0, -3.4028234663852886e38, 0, 0])],
    }),
    feeds: { x: ramp },
  },
  {
    ...{ name: 'an epsilon', rule: 'small-numbers', opType: 'Add', opens: true },
    content: build({
      nodes: [node('Add', ['x', 'e'], ['m']), node('Sqrt', ['m'], ['y'])],
      initializers: [floats('e', [], [1e-12])],
    }),
    feeds: { x: ramp },
  },
  {
    ...{ name: 'a mean of squares', rule: 'growing-sums', opType: 'ReduceMean', opens: true },
    content: build({
      nodes: [
        node('Mul', ['x', 'x'], ['m']),
        node('ReduceMean', ['m'], ['r'], { axes: [0], keepdims: 1 }),
        node('Sub', ['x', 'r'], ['y']),
      ],
    }),
    feeds: { x: ramp },
  },
  {
    ...{ name: 'a sum of exponentials', rule: 'growing-sums', opType: 'Exp', opens: true },
    content: build({
      nodes: [node('Exp', ['x'], ['m']), node('ReduceSum', ['m'], ['r']), node('Div', ['x', 'r'], ['y'])],
    }),
    feeds: { x: ramp },
  },
  {
    ...{ name: 'scales of quantised numbers', rule: 'quantisation', opType: 'DequantizeLinear', opens: true },
    content: build({
      nodes: [
        node('QuantizeLinear', ['x', 's', 'z'], ['q']),
        node('DequantizeLinear', ['q', 's', 'z'], ['d']),
        node('Mul', ['d', 'x'], ['y']),
      ],
      initializers: [
        floats('s', [], [0.02]),
        { name: 'z', dims: [], dataType: 2, rawData: Uint8Array.of(3) },
      ],
      opset: 19,
    }),
    feeds: { x: ramp },
  },
  {
    ...{ name: 'random numbers', rule: 'generators', opType: 'RandomUniformLike', opens: false },
    content: typed('RandomUniformLike', ['x'], 'dtype'),
    feeds: {},
  },
  {
    ...{ name: 'random numbers of a shape', rule: 'generators', opType: 'RandomNormal', opens: false },
    content: build({
      nodes: [node('RandomNormal', [], ['r'], { shape: [4] }), node('Add', ['x', 'r'], ['y'])],
    }),
    feeds: {},
  },
  {
    ...{ name: 'a window', rule: 'generators', opType: 'HannWindow', opens: false },
    content: typed('HannWindow', ['count'], 'output_datatype'),
    feeds: {},
  },
  {
    ...{ name: 'a normalisation', rule: 'missing-kernels', opens: false },
    opType: 'MeanVarianceNormalization',
    content: build({
      inputs: [value('x', [1, 1, 2, 2])],
      nodes: [node('MeanVarianceNormalization', ['x'], ['m']), node('Relu', ['m'], ['y'])],
      outputs: [value('y', [1, 1, 2, 2])],
    }),
    feeds: { x: noise([1, 1, 2, 2]) },
  },
  {
    ...{ name: 'a scattered sum', rule: 'missing-kernels', opType: 'ScatterElements', opens: false },
    content: build({
      nodes: [
        node('ScatterElements', ['x', 'n', 'u'], ['s'], { reduction: 'add' }),
        node('Neg', ['s'], ['y']),
      ],
      initializers: [longs('n', [1], [2]), floats('u', [1], [3])],
      opset: 18,
    }),
    feeds: { x: ramp },
  },
];

function countOf({ result }: Converted, rule: Fp32Rule): number {
  return result.nodes.keptFp32.find(({ reason }) => reason === rule)?.count ?? 0;
}

/** Whether what an operator gives is FP32 and made FP16 behind it. */
function isCastToHalf({ graph: converted }: Converted, opType: string): boolean {
  const made = converted.node?.find((entry) => entry.opType === opType)?.output?.[0];
  const cast = converted.node?.find((entry) => entry.opType === 'Cast' && entry.input?.[0] === made);
  return Number(cast?.attribute?.[0]?.i ?? 0) === 10;
}

describe('rules that keep FP32', () => {
  it('are all tried here', () => {
    expect(new Set(cases.map(({ rule }) => rule))).toEqual(new Set(fp32Rules));
  });

  it.each(cases)('keep $name, and let it go when they are switched off: $rule', async (tried) => {
    const { content, rule, also = [], opType, feeds, opens } = tried;
    const kept = await convert(content);
    expect(countOf(kept, rule)).toBeGreaterThan(0);
    const examples = kept.result.nodes.keptFp32.flatMap((entry) =>
      entry.reason === rule ? entry.examples : [],
    );
    expect(examples).toContain(opType);
    if (Object.keys(feeds).length > 0) await expectClose(kept, feeds);
    const free = await convert(content, { withoutRules: [rule, ...also] });
    expect(countOf(free, rule)).toBe(0);
    expect(free.result.nodes.fp16).toBeGreaterThan(kept.result.nodes.fp16);
    expect(isCastToHalf(free, opType)).toBe(false);
    if (opens) await runOnnx(free.target, { ...(Object.keys(feeds).length > 0 ? feeds : { x: ramp }) });
  });

  it('are not needed where there is nothing to keep', async () => {
    const content = build({ nodes: [node('Relu', ['x'], ['m']), node('Mul', ['m', 'x'], ['y'])] });
    const [one, other] = [await convert(content), await convert(content, { withoutRules: fp32Rules })];
    expect(printNodes(other.graph)).toEqual(printNodes(one.graph));
    expect(one.result.nodes.keptFp32).toEqual([]);
  });

  it('say for weights as well that they are off', async () => {
    const content = build({
      nodes: [
        node('QuantizeLinear', ['x', 's', 'z'], ['q']),
        node('DequantizeLinear', ['q', 's', 'z'], ['d']),
        node('Add', ['d', 'e'], ['y']),
      ],
      initializers: [
        ...[floats('s', [], [0.5]), floats('e', [], [1e-12])],
        { name: 'z', dims: [], dataType: 2, rawData: Uint8Array.of(3) },
      ],
    });
    const kept = await convert(content, { precision: 'fp16-weights' });
    expect(kept.result.weights.keptFp32.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      's: quantisation scale',
      'e: would become 0 in FP16',
    ]);
    const free = await convert(content, {
      ...{ precision: 'fp16-weights', maxWeightError: 1 },
      withoutRules: ['quantisation', 'small-numbers'],
    });
    expect(free.result.weights.keptFp32).toEqual([]);
    expect(free.result.weights).toMatchObject({ storedAsFp16: 2, vanishedValues: 1, losslessTensors: 1 });
    await expectClose(free, { x: ramp });
  });
});

describe('a scattered write', () => {
  it('computes in FP16 when its reduction is none, which every runtime has', async () => {
    const content = build({
      nodes: [
        node('ScatterElements', ['x', 'n', 'u'], ['s'], { reduction: 'none' }),
        node('Neg', ['s'], ['y']),
      ],
      initializers: [longs('n', [1], [2]), floats('u', [1], [3])],
      opset: 18,
    });
    const converted = await convert(content);
    expect(converted.result.nodes).toMatchObject({ fp16: 2, keptFp32: [] });
    await expectClose(converted, { x: ramp });
  });
});
