import type { onnx } from 'onnx-proto';
import * as ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { ConvertOptions } from '../../src/convert/convert-options.js';
import { floats, graph, model, node, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { findTensor, printNodes, printTypes, rawBytes, useConversions } from '../fixtures/convert-in-code.js';
import { feed, long, runOnnx } from '../fixtures/run-onnx.js';

const convert = useConversions();
const precisions = ['fp16', 'fp16-weights'] as const;
const w = floats('w', [2], [1.1, 2]);
const exact = [0xcd, 0xcc, 0x8c, 0x3f, 0, 0, 0, 0x40];
const halves = [0x66, 0x3c, 0, 0x40];

/** Adds the initializer `w` to `x`, and gives out the values of these names, FLOAT all. */
function adding(outputs: readonly string[], inputs: readonly string[] = ['x']): onnx.IModelProto {
  return model(
    graph({
      inputs: inputs.map((name) => value(name)),
      outputs: outputs.map((name) => value(name)),
      nodes: [node('Add', ['x', 'w'], ['y'])],
      initializers: [w],
    }),
  );
}

function half(values: readonly number[]): ort.Tensor {
  return new ort.Tensor('float16', Uint16Array.from(values), [values.length]);
}

describe.each(precisions)('what a graph gives out without making it, %s', (precision) => {
  it('is bit for bit what it was when it is an initializer', async () => {
    const { graph: converted, target } = await convert(adding(['y', 'w']), { precision });
    expect(printTypes(converted.output)).toBe('y:1 w:1');
    expect(rawBytes(findTensor(converted, 'w'))).toEqual(exact);
    const { y, w: given } = await runOnnx(target, { x: feed([2], [0, 0]) });
    expect(given).toEqual([Math.fround(1.1), 2]);
    // Half a unit in the last place of FP16 at 1.1.
    expect(Math.abs((y?.[0] ?? 0) - 1.1)).toBeLessThanOrEqual(2 ** -11);
  });

  it('is returned unchanged when it is an input', async () => {
    const { graph: converted, target } = await convert(adding(['x', 'y']), { precision });
    expect([printTypes(converted.input), printTypes(converted.output)]).toEqual(['x:1', 'x:1 y:1']);
    const third = Math.fround(1 / 3);
    expect((await runOnnx(target, { x: feed([2], [third, 70_000]) })).x).toEqual([third, 70_000]);
  });

  it('keeps its name as initializer, input and output with one type', async () => {
    const content = adding(['y', 'w'], ['x', 'w']);
    for (const io of ['fp32', 'fp16'] as const) {
      const { graph: converted } = await convert(content, { precision, io });
      const type = io === 'fp16' ? 10 : 1;
      expect(printTypes(converted.input)).toBe(`x:${type} w:${type}`);
      expect(printTypes(converted.output)).toBe(`y:${type} w:${type}`);
      expect(findTensor(converted, 'w').dataType).toBe(type);
      expect(rawBytes(findTensor(converted, 'w'))).toEqual(io === 'fp16' ? halves : exact);
    }
  });

  it('becomes FP16 in name and in store where FP16 is asked for', async () => {
    const { graph: converted, target } = await convert(adding(['y', 'w']), { precision, io: 'fp16' });
    expect(printTypes(converted.output)).toBe('y:10 w:10');
    expect(findTensor(converted, 'w').dataType).toBe(10);
    expect(rawBytes(findTensor(converted, 'w'))).toEqual(halves);
    const given = await runOnnx(target, { x: half([0, 0]) });
    expect(given.w).toEqual(given.y);
  });
});

describe('--io', () => {
  const content = model(
    graph({
      inputs: [value('a'), value('b'), value('i', [2], 7)],
      outputs: [value('p'), value('q'), value('j', [2], 7)],
      nodes: [node('Add', ['a', 'b'], ['p']), node('Neg', ['p'], ['q']), node('Abs', ['i'], ['j'])],
      valueInfo: [value('a'), value('q')],
    }),
  );

  function types(io: ConvertOptions['io'], precision: ConvertOptions['precision']) {
    return convert(content, { io, precision }).then(
      ({ graph: { input, output } }) => `${printTypes(input)} > ${printTypes(output)}`,
    );
  }

  it.each(precisions)('makes all of them FP16, none, or those that it names: %s', async (precision) => {
    expect(await types('fp32', precision)).toBe('a:1 b:1 i:7 > p:1 q:1 j:7');
    expect(await types('fp16', precision)).toBe('a:10 b:10 i:7 > p:10 q:10 j:7');
    expect(await types(['b', 'q'], precision)).toBe('a:1 b:10 i:7 > p:1 q:10 j:7');
    expect(await types([], precision)).toBe('a:1 b:1 i:7 > p:1 q:1 j:7');
  });

  it('needs no Cast where the graph is FP16 anyway, and one where it is not', async () => {
    const whole = await convert(content, { io: 'fp16' });
    expect(printNodes(whole.graph)).toEqual(['Add a,b -> p', 'Neg p -> q', 'Abs i -> j']);
    const weights = await convert(content, { io: ['a', 'p'], precision: 'fp16-weights' });
    expect(printNodes(weights.graph)).toEqual([
      'Cast a -> a_fp32',
      'Add a_fp32,b -> p_fp32',
      'Cast p_fp32 -> p',
      'Neg p_fp32 -> q',
      'Abs i -> j',
    ]);
    const feeds = { a: half([0x3c00, 0]), b: feed([2], [1, 2]), i: long([2], [-1, 2]) };
    expect((await runOnnx(weights.target, feeds)).q).toEqual([-2, -2]);
  });

  it('refuses names that are no FLOAT input or output, and says which are', async () => {
    for (const precision of precisions) {
      const error = await catchError(() => convert(content, { io: ['a', 'i', 'missing'], precision }));
      expect(error).toMatchObject({ code: 'io-name-unknown', exitCode: 2 });
      expect(error.facts).toMatchObject({ unknown: ['i', 'missing'], known: ['a', 'b', 'p', 'q'] });
    }
  });

  it('retypes what the graph says of its values', async () => {
    const { graph: converted } = await convert(content, { io: ['a'] });
    expect(printTypes(converted.valueInfo)).toBe('a:10 q:1');
  });
});
