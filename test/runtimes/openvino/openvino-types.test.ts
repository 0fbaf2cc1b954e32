import { beforeEach, describe, expect, it } from 'vitest';
import type { Tensor } from '../../../src/lib/tensor.js';
import { encode, graph, model, node, value } from '../../fixtures/build-model.js';
import { floats, useOpenvino } from '../../fixtures/openvino-session.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const open = useOpenvino();

beforeEach(async (context) => {
  await requireOpenvino(context);
});

/** `y` is what `x` is, of an element type by ONNX's number. */
function identity(type: number): Uint8Array {
  const nodes = [node('Identity', ['x'], ['y'])];
  const ends = { inputs: [value('x', [3], type)], outputs: [value('y', [3], type)] };
  return encode(model(graph({ nodes, ...ends }), { opset: 21 }));
}

const dims = [3];

describe('an element type', () => {
  it.each<[number, Tensor]>([
    [1, { type: 'float32', dims, data: Float32Array.of(-0, 1e38, Number.NaN) }],
    [10, { type: 'float16', dims, data: Uint16Array.of(0x3c01, 0x7bff, 0x8001) }],
    [11, { type: 'float64', dims, data: Float64Array.of(-0, 1.1e200, 2 ** -1060) }],
    [16, { type: 'bfloat16', dims, data: Uint16Array.of(0x3f81, 0x7f7f, 0x8001) }],
    [3, { type: 'int8', dims, data: Int8Array.of(-128, 0, 127) }],
    [5, { type: 'int16', dims, data: Int16Array.of(-32768, 0, 32767) }],
    [6, { type: 'int32', dims, data: Int32Array.of(-(2 ** 31), 0, 2 ** 31 - 1) }],
    // Beyond 32 bits the CPU device has none: it computes them in int32.
    [7, { type: 'int64', dims, data: BigInt64Array.of(-(2n ** 31n), 0n, 2n ** 31n - 1n) }],
    [2, { type: 'uint8', dims, data: Uint8Array.of(0, 127, 255) }],
    [4, { type: 'uint16', dims, data: Uint16Array.of(0, 32768, 65535) }],
    [12, { type: 'uint32', dims, data: Uint32Array.of(0, 1, 2 ** 31 - 1) }],
    [13, { type: 'uint64', dims, data: BigUint64Array.of(0n, 1n, 2n ** 31n - 1n) }],
    [9, { type: 'bool', dims, data: Uint8Array.of(1, 0, 1) }],
  ])('with number %i of ONNX comes back as it was fed', async (number, x) => {
    const session = await open(identity(number));
    expect(session.inputs).toEqual([{ name: 'x', isTensor: true, type: x.type, dims }]);
    expect(session.outputs).toEqual([{ name: 'y', isTensor: true, type: x.type, dims }]);
    expect(await session.run({ x })).toEqual({ y: x });
  });

  it.each([
    ['string', 8],
    ['i4', 22],
    ['f8e4m3', 17],
  ])('that cannot be passed, %s, is refused by name when a model is opened', async (name, number) => {
    await expect(open(identity(number))).rejects.toMatchObject({
      code: 'runtime-refused-model',
      facts: { engine: 'openvino', reason: `its input \`x\` is of type ${name}, which cannot be passed` },
    });
  });

  it('is refused for elements of another', async () => {
    const session = await open(identity(1));
    for (const data of [new Float64Array(3), [1, 2, 3] as unknown as Float32Array]) {
      const failure = session.run({ x: { type: 'float32', dims, data } });
      await expect(failure).rejects.toMatchObject({
        code: 'runtime-run-failed',
        facts: { reason: 'input `x` is float32, whose elements are a Float32Array' },
      });
    }
  });
});

describe('a shape', () => {
  const negate = (axes: (number | string)[]) =>
    encode(
      model(
        graph({
          nodes: [node('Neg', ['x'], ['y'])],
          inputs: [value('x', axes)],
          outputs: [value('y', axes)],
        }),
      ),
    );

  it('may be that of a scalar', async () => {
    const session = await open(negate([]));
    expect(session.inputs[0]?.dims).toEqual([]);
    expect(await session.run({ x: floats([], [5]) })).toEqual({ y: floats([], [-5]) });
  });

  it('may be without elements', async () => {
    const session = await open(negate(['n', 2]));
    expect(await session.run({ x: floats([0, 2], []) })).toEqual({ y: floats([0, 2], []) });
  });

  it('may be another each time where the model leaves it open', async () => {
    const session = await open(negate(['n', 2]));
    expect(session.inputs[0]?.dims).toEqual(['?', 2]);
    for (const count of [3, 1, 5, 1]) {
      const x = Float32Array.from({ length: count * 2 }, (_none, index) => index + count);
      const { y } = await session.run({ x: floats([count, 2], x) });
      expect(y).toEqual(
        floats(
          [count, 2],
          x.map((each) => -each),
        ),
      );
    }
  });

  it('of an output may hang on what is fed', async () => {
    const nodes = [node('NonZero', ['x'], ['at'])];
    const ends = { inputs: [value('x', ['a', 'b'])], outputs: [value('at', [2, 'k'], 7)] };
    const session = await open(encode(model(graph({ nodes, ...ends }))));
    const { at } = await session.run({ x: floats([2, 2], [0, 1, 2, 0]) });
    expect(at).toEqual({ type: 'int64', dims: [2, 2], data: BigInt64Array.of(0n, 1n, 1n, 0n) });
    const none = await session.run({ x: floats([1, 2], [0, 0]) });
    expect(none.at).toEqual({ type: 'int64', dims: [2, 0], data: new BigInt64Array() });
  });

  it('that does not fit is refused before OpenVINO sees it', async () => {
    const session = await open(negate(['n', 2]));
    await expect(session.run({ x: floats([1, 3], [1, 2, 3]) })).rejects.toMatchObject({ code: 'feed-wrong' });
    await expect(session.run({})).rejects.toMatchObject({ code: 'feed-wrong' });
  });
});
