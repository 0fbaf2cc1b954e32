import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import { precisions } from '../../src/lib/variant.js';
import { encode, floats, graph, model, node, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { findTensor, printNodes, rawBytes, useConversions } from '../fixtures/convert-in-code.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { layouts } from '../fixtures/onnx-layouts.js';
import { feed, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const convert = useConversions();
const choices = precisions.flatMap((precision) => layouts.map((layout) => [precision, layout] as const));

function build(
  nodes: onnx.INodeProto[],
  tensors: onnx.ITensorProto[],
  size = 2,
  opset = 17,
): onnx.IModelProto {
  const main = graph({
    inputs: [value('x', [size])],
    outputs: [value('y', [size])],
    nodes,
    initializers: tensors,
  });
  return model(main, { opset });
}

const toFloat = (from: string) => node('Cast', [from], ['f'], { to: 1 });
const multiply = node('Mul', ['x', 'f'], ['y']);

describe.each(choices)('a tensor that is not FP32, %s.%s', (precision, layout) => {
  const how = { precision, layout };

  it('of halves in int32_data is read and passed through', async () => {
    const tensor = { name: 'w', dims: [2], dataType: 10, int32Data: [15_872, 49_152] };
    const { graph: converted, target } = await convert(build([toFloat('w'), multiply], [tensor]), how);
    expect(findTensor(converted, 'w')).toMatchObject({ dataType: 10, int32Data: [15_872, 49_152] });
    expect((await runOnnx(target, { x: feed([2], [1, 1]) })).y).toEqual([1.5, -2]);
  });

  it('of BFLOAT16 keeps its bytes, raw or one number each', async () => {
    const raw = { name: 'w', dims: [2], dataType: 16, rawData: Uint8Array.of(0x80, 0x3e, 0, 0x40) };
    const typed = { name: 'w', dims: [2], dataType: 16, int32Data: [16_000, 16_384] };
    for (const tensor of [raw, typed]) {
      const { graph: converted, target } = await convert(build([toFloat('w'), multiply], [tensor]), how);
      const kept = findTensor(converted, 'w');
      expect(kept.dataType).toBe(16);
      if (tensor === raw) expect(rawBytes(kept)).toEqual([0x80, 0x3e, 0, 0x40]);
      else expect(kept.int32Data).toEqual([16_000, 16_384]);
      expect((await runOnnx(target, { x: feed([2], [4, 4]) })).y).toEqual([1, 8]);
    }
  });

  it('of INT4 keeps its bytes, two numbers in each', async () => {
    const tensor = { name: 'w', dims: [3], dataType: 22, rawData: Uint8Array.of(0x21, 0x03) };
    const nodes = [node('DequantizeLinear', ['w', 's'], ['f']), node('Add', ['x', 'f'], ['y'])];
    const content = build(nodes, [tensor, floats('s', [], [0.5])], 3, 21);
    const { graph: converted, target } = await convert({ ...content, irVersion: 10 }, how);
    expect(rawBytes(findTensor(converted, 'w'))).toEqual([0x21, 0x03]);
    expect((await runOnnx(target, { x: feed([3], [0, 0, 0]) })).y).toEqual([0.5, 1, 1.5]);
  });
});

describe('an FP32 tensor', () => {
  const added = [node('Add', ['x', 'w'], ['y'])];

  it.each(['fp16', 'fp16-weights'] as const)('in float_data becomes raw halves: %s', async (precision) => {
    const tensor = { name: 'w', dims: [2], dataType: 1, floatData: [1.5, -2] };
    const { graph: converted, target } = await convert(build(added, [tensor]), { precision });
    const half = findTensor(converted, precision === 'fp16' ? 'w' : 'w_fp16');
    expect(half).toMatchObject({ dataType: 10, floatData: [], int32Data: [] });
    expect(rawBytes(half)).toEqual([0, 0x3e, 0, 0xc0]);
    expect((await runOnnx(target, { x: feed([2], [0, 0]) })).y).toEqual([1.5, -2]);
  });

  it.each(layouts)('in a long float_data as well: %s', async (layout) => {
    const numbers = Array.from({ length: 3000 }, (_unused, at) => (at % 7) / 8);
    const tensor = { name: 'w', dims: [3000], dataType: 1, floatData: numbers };
    const { result, target } = await convert(build(added, [tensor], 3000), { layout });
    expect(result.weights).toMatchObject({ storedAsFp16: 1, losslessTensors: 1 });
    const { y } = await runOnnx(target, { x: feed([3000], new Float32Array(3000)) });
    expect(y).toEqual(numbers);
  });

  it('of no numbers, and one of no dims, are tensors like all others', async () => {
    const nodes = [node('Concat', ['x', 'none'], ['c'], { axis: 0 }), node('Mul', ['c', 'one'], ['y'])];
    const tensors = [{ name: 'none', dims: [0], dataType: 1 }, floats('one', [], [2])];
    for (const precision of precisions) {
      const { graph: converted, target } = await convert(build(nodes, tensors), { precision });
      const names = converted.initializer?.map((tensor) => `${tensor.name} ${(tensor.dims ?? []).join()}`);
      expect(names?.map((name) => name.replace('_fp16', ''))).toEqual(['none 0', 'one ']);
      expect((await runOnnx(target, { x: feed([2], [1, 2]) })).y).toEqual([2, 4]);
    }
  });

  it('keeps infinities, NaN and the sign of 0, and rounds to the nearest', async () => {
    const numbers = [
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NaN,
      -0,
      65_519,
      2 ** -24,
      1 + 2 ** -11,
    ];
    const { graph: converted } = await convert(
      build([node('Add', ['x', 'w'], ['y'])], [floats('w', [7], numbers)], 7),
      { precision: 'fp16-weights' },
    );
    const halves = new Uint16Array(Uint8Array.from(rawBytes(findTensor(converted, 'w_fp16'))).buffer);
    expect([...halves]).toEqual([0xfc00, 0x7c00, 0x7e00, 0x8000, 0x7bff, 1, 0x3c00]);
    expect(printNodes(converted)).toEqual(['Cast w_fp16 -> w', 'Add x,w -> y']);
  });
});

describe('a tensor whose bytes are not those of its shape', () => {
  it.each([
    ['too few', { dims: [4], rawData: new Uint8Array(8) }, 'its shape needs 16 bytes, 8 bytes are there'],
    ['none', { dims: [4] }, 'its shape needs 16 bytes, 0 bytes are there'],
    [
      'twice as many, in two fields',
      { dims: [4], rawData: new Uint8Array(16), floatData: [1, 2, 3, 4] },
      'it is stored twice, in raw_data (16 bytes) and in a typed field (4 entries)',
    ],
    [
      'too many of a large one',
      { dims: [2999], rawData: ramp('', [3000]).rawData ?? null },
      'its shape needs 11996',
    ],
  ])('is refused, and nothing is left: %s', async (_name, parts, reason) => {
    const folder = await tempFolder();
    const source = join(folder, 'source.onnx');
    const tensor = { name: 'w', dataType: 1, ...parts };
    await writeFile(source, encode(build([node('Add', ['x', 'w'], ['y'])], [tensor], 4)));
    for (const [precision, layout] of choices) {
      for (const name of ['artifact', 'bare.onnx']) {
        const out = join(folder, name);
        const error = await catchError(() =>
          convertModel(completeOptions({ model: source, out, precision, layout })),
        );
        expect(error).toMatchObject({ code: 'tensor-wrong', exitCode: 2, facts: { tensor: 'w' } });
        expect(String(error.facts.reason)).toContain(reason);
        expect(await readdir(folder)).toEqual(['source.onnx']);
      }
    }
  });
});
