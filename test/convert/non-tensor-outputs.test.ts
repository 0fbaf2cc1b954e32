import * as ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { graph, model, node, value } from '../fixtures/build-model.js';
import { printNodes, printTypes, useConversions } from '../fixtures/convert-in-code.js';
import { feed } from '../fixtures/run-onnx.js';

const convert = useConversions();
const precisions = ['fp16', 'fp16-weights'] as const;

/** Runs a model for those of its outputs that are tensors. */
async function runFor(path: string, names: readonly string[]): Promise<ort.InferenceSession.ReturnType> {
  const session = await ort.InferenceSession.create(path);
  try {
    return await session.run({ x: feed([1, 2], [1, 2]) }, [...names]);
  } finally {
    await session.release();
  }
}

describe.each(precisions)('a model that gives something else than tensors, %s', (precision) => {
  it('keeps what ZipMap reads in FP32', async () => {
    const classes = { type: 7, ints: [0, 1] };
    const map = { mapType: { keyType: 7, valueType: { tensorType: { elemType: 1 } } } };
    const main = graph({
      inputs: [value('x', [1, 2])],
      outputs: [value('lab', [1], 7), { name: 'p', type: { sequenceType: { elemType: map } } }],
      nodes: [
        node('Softmax', ['x'], ['sm'], { axis: -1 }),
        node('ZipMap', ['sm'], ['p'], { classlabels_int64s: classes }, 'ai.onnx.ml'),
        node('ArgMax', ['x'], ['lab'], { axis: 1, keepdims: 0 }),
      ],
    });
    const converted = await convert(model(main, { domains: { 'ai.onnx.ml': 1 } }), { precision });
    expect(printNodes(converted.graph)).toEqual(
      precision === 'fp16'
        ? [
            'Cast x -> x_fp16',
            'Softmax x_fp16 -> sm',
            'Cast sm -> sm_fp32',
            'ZipMap sm_fp32 -> p',
            'ArgMax x_fp16 -> lab',
          ]
        : ['Softmax x -> sm', 'ZipMap sm -> p', 'ArgMax x -> lab'],
    );
    expect(converted.graph.output?.[1]?.type?.sequenceType?.elemType?.mapType?.keyType).toBe(7);
    const { lab } = await runFor(converted.target, ['lab']);
    expect(lab?.data).toEqual(BigInt64Array.of(1n));
  });

  it('leaves a sequence of FP32 what it is', async () => {
    const type = { sequenceType: { elemType: { tensorType: { elemType: 1 } } } };
    const main = graph({
      inputs: [value('x', [1, 2])],
      outputs: [{ name: 's', type }, value('y', [1, 2])],
      nodes: [
        node('Neg', ['x'], ['n']),
        node('SequenceConstruct', ['n', 'x'], ['s']),
        node('Constant', [], ['first'], { value_int: { type: 2, i: 0 } }),
        node('SequenceAt', ['s', 'first'], ['a']),
        node('Neg', ['a'], ['y']),
      ],
    });
    const converted = await convert(model(main, { opset: 13 }), { precision });
    expect(converted.graph.output?.[0]?.type?.sequenceType?.elemType?.tensorType?.elemType).toBe(1);
    expect(printTypes(converted.graph.output?.slice(1))).toBe('y:1');
    const { y } = await runFor(converted.target, ['y']);
    expect(y?.data).toEqual(Float32Array.of(1, 2));
  });
});
