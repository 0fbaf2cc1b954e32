import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { usualSession } from '../../src/lib/session-options.js';
import type { Tensor } from '../../src/lib/tensor.js';
import { importRuntime } from '../../src/runtimes/import-runtime.js';
import { plainSettings, type Runtime } from '../../src/runtimes/runtime.js';
import { encodeModel, floatTensor, node, value } from '../fixtures/tiny-onnx.js';

const settings = { ...plainSettings, threads: 1, options: usualSession };
const pair: Tensor = { type: 'float32', dims: [2], data: Float32Array.of(10, 20) };

function inMemory(bytes: Uint8Array) {
  return { name: 'model.onnx', bytes, externalData: [] };
}

const addModel = encodeModel({
  input: [value('x', 'float32', ['n'])],
  output: [value('y', 'float32', ['n'])],
  initializer: [floatTensor('w', [2], [1, 2])],
  node: [node('Add', ['x', 'w'], ['y'])],
});

describe('the onnxruntime runtime', () => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await importRuntime('onnxruntime');
  });

  it('says its version', () => {
    expect(runtime.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('runs a model from bytes and tells its inputs and outputs', async () => {
    const session = await runtime.openSession(inMemory(addModel), settings);
    expect(session.inputs).toEqual([{ name: 'x', isTensor: true, type: 'float32', dims: ['n'] }]);
    expect(session.outputs).toEqual([{ name: 'y', isTensor: true, type: 'float32', dims: [2] }]);
    expect(await session.run({ x: pair })).toEqual({
      y: { type: 'float32', dims: [2], data: Float32Array.of(11, 22) },
    });
    await session.close();
  });

  it('runs a model from a path', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'runtime-')), 'm.onnx');
    await writeFile(path, addModel);
    const session = await runtime.openSession({ path }, settings);
    expect((await session.run({ x: pair })).y?.data).toEqual(Float32Array.of(11, 22));
    await session.close();
  });

  it('opens bytes with their external data', async () => {
    const bytes = encodeModel({
      input: [value('x', 'float32', [2])],
      output: [value('y', 'float32', [2])],
      initializer: [
        {
          name: 'w',
          dataType: 1,
          dims: [2],
          dataLocation: 1,
          externalData: [
            { key: 'location', value: 'm.data' },
            { key: 'offset', value: '0' },
            { key: 'length', value: '8' },
          ],
        },
      ],
      node: [node('Add', ['x', 'w'], ['y'])],
    });
    const data = new Uint8Array(Float32Array.of(5, 6).buffer);
    const source = { name: 'model.onnx', bytes, externalData: [{ path: 'm.data', data }] };
    const session = await runtime.openSession(source, settings);
    expect((await session.run({ x: pair })).y?.data).toEqual(Float32Array.of(15, 26));
    await session.close();
  });

  it.each([
    ['float16', Uint16Array.of(0x3e00, 0xc000)],
    ['float64', Float64Array.of(1.5, -2)],
    ['int8', Int8Array.of(-1, 2)],
    ['int32', Int32Array.of(-1, 2)],
    ['int64', BigInt64Array.of(-1n, 2n ** 60n)],
    ['uint8', Uint8Array.of(255, 2)],
    ['uint64', BigUint64Array.of(1n, 2n ** 63n)],
    ['bool', Uint8Array.of(1, 0)],
    ['string', ['ä', 'b']],
  ] as const)('hands %s through unchanged', async (type, data) => {
    const bytes = encodeModel({
      input: [value('x', type, [2])],
      output: [value('y', type, [2])],
      node: [node('Identity', ['x'], ['y'])],
    });
    const session = await runtime.openSession(inMemory(bytes), settings);
    expect(await session.run({ x: { type, dims: [2], data } })).toEqual({ y: { type, dims: [2], data } });
    await session.close();
  });

  it('refuses feeds that do not fit before the engine sees them', async () => {
    const session = await runtime.openSession(inMemory(addModel), settings);
    const feeds = { x: { ...pair, type: 'float64', data: Float64Array.of(1, 2) }, z: pair } as const;
    await expect(session.run(feeds)).rejects.toMatchObject({
      code: 'feed-wrong',
      exitCode: 2,
      facts: { model: 'model.onnx in memory', problems: [{ input: 'x' }, { input: 'z' }] },
    });
    await session.close();
  });

  it('asks only for tensors when a model has other outputs too', async () => {
    const bytes = encodeModel({
      input: [value('x', 'float32', [2])],
      output: [
        value('y', 'float32', [2]),
        { name: 's', type: { sequenceType: { elemType: { tensorType: { elemType: 1 } } } } },
      ],
      node: [node('Identity', ['x'], ['y']), node('SequenceConstruct', ['x', 'x'], ['s'])],
    });
    const session = await runtime.openSession(inMemory(bytes), settings);
    expect(session.outputs).toMatchObject([
      { name: 'y', isTensor: true },
      { name: 's', isTensor: false },
    ]);
    expect(Object.keys(await session.run({ x: pair }))).toEqual(['y']);
    await session.close();
  });

  it('names the outputs of a model that gives no tensor at all', async () => {
    const bytes = encodeModel({
      input: [value('x', 'float32', [2])],
      output: [{ name: 's', type: { sequenceType: { elemType: { tensorType: { elemType: 1 } } } } }],
      node: [node('SequenceConstruct', ['x', 'x'], ['s'])],
    });
    const session = await runtime.openSession(inMemory(bytes), settings);
    await expect(session.run({ x: pair })).rejects.toMatchObject({
      code: 'runtime-no-tensor-output',
      facts: { outputs: ['s'] },
    });
    await session.close();
  });

  it('says what it refused and why, with the engine in its own words', async () => {
    const bytes = encodeModel({
      input: [value('x', 'float32', [2])],
      output: [value('y', 'float32', [2])],
      node: [node('NoSuchOperator', ['x'], ['y'])],
    });
    const refusal = runtime.openSession(inMemory(bytes), settings);
    await expect(refusal).rejects.toMatchObject({ code: 'runtime-refused-model', exitCode: 2 });
    await expect(refusal).rejects.toThrow(/NoSuchOperator/);
    await expect(refusal.catch((error: Error) => error.cause)).resolves.toBeInstanceOf(Error);
  });

  it('tells a failed run from a refused model', async () => {
    const session = await runtime.openSession(inMemory(addModel), settings);
    const three: Tensor = { type: 'float32', dims: [3], data: new Float32Array(3) };
    await expect(session.run({ x: three })).rejects.toMatchObject({
      code: 'runtime-run-failed',
      exitCode: 2,
    });
    await session.close();
  });
});
