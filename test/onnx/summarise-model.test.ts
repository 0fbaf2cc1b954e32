import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModel } from '../../src/onnx/read-model.js';
import { summariseModel } from '../../src/onnx/summarise-model.js';
import { modelInputs, modelOutputs } from '../../src/onnx/value-specs.js';
import { encode, floats, graph, longs, model, node, ramp, value } from '../fixtures/build-model.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();

const body = graph({
  nodes: [node('Constant', [], ['k'], { value: ramp('', [300]) }), node('Add', ['x', 'k'], ['t'])],
  outputs: [value('t', [300])],
});
const content = model(
  graph({
    inputs: [value('x', ['batch', 300]), value('c', [], 9), value('w', [300])],
    outputs: [value('y', ['batch', 300]), { name: 's', type: { sequenceType: {} } }],
    nodes: [
      node('Mul', ['x', 'w'], ['m']),
      node('Mul', ['m', 'w'], ['n']),
      node('If', ['c'], ['y'], { then_branch: body, else_branch: body }),
    ],
    initializers: [ramp('w', [300]), floats('small', [2], [1, 2]), longs('i', [1], [3])],
  }),
);

describe('summariseModel', () => {
  it('counts operators and weights in all scopes', async () => {
    const path = join(await tempFolder(), 'm.onnx');
    await writeFile(path, encode(content));
    const summary = await summariseModel(path);
    expect(summary).toMatchObject({
      irVersion: 8,
      producer: 'test',
      opsets: [{ domain: '', version: 17 }],
      nodeCount: 7,
      scopes: [
        { kind: 'graph', count: 1, nodeCount: 3 },
        { kind: 'body', count: 2, nodeCount: 4 },
      ],
      functions: [],
      weights: [
        { type: 'float', tensorCount: 4, parameters: 902, sizeBytes: 3608 },
        { type: 'int64', tensorCount: 1, parameters: 1, sizeBytes: 8 },
      ],
      externalFiles: [],
      passedFields: [],
    });
    expect(summary.operators).toContainEqual({ type: 'Constant', domain: '', count: 2 });
    expect(summary.largestTensors[0]).toMatchObject({ name: 'w', scope: 'graph', sizeBytes: 1200 });
    expect(summary.estimates).toEqual({
      fp32Bytes: summary.sizeBytes,
      // Three weights of 1200 bytes, and a Cast for each that repeats its name.
      fp16WeightsBytes: summary.sizeBytes - 1800 + 3 * (34 + 2),
      fp16Bytes: summary.sizeBytes - 1804,
    });
  });

  it('asks for no input that has a value already, and knows symbolic axes and what is no tensor', async () => {
    const path = join(await tempFolder(), 'm.onnx');
    await writeFile(path, encode(content));
    const read = await readModel(path);
    expect(modelInputs(read)).toEqual([
      { name: 'x', isTensor: true, type: 'float32', dims: ['batch', 300] },
      { name: 'c', isTensor: true, type: 'bool', dims: [] },
    ]);
    expect(modelOutputs(read)[1]).toEqual({ name: 's', isTensor: false, dims: [] });
  });

  it('tells functions, training graphs and fields that are not decoded', async () => {
    const path = join(await tempFolder(), 'm.onnx');
    const gelu = {
      domain: 'local',
      name: 'Gelu',
      input: ['a'],
      output: ['b'],
      node: [node('If', ['a'], ['b'], { then_branch: body })],
    };
    const training = { initialization: graph({ nodes: [node('RandomNormal', [], ['r'])] }) };
    const whole = { ...content, functions: [gelu], trainingInfo: [training] };
    // ModelProto.configuration, and twice a field that is not of ONNX.
    const passed = [0xd2, 0x01, 0x00, 0x9a, 0x06, 0x00, 0x9a, 0x06, 0x00];
    await writeFile(path, [encode(whole), Uint8Array.from(passed)]);
    expect(await summariseModel(path)).toMatchObject({
      nodeCount: 11,
      scopes: [
        { kind: 'graph', count: 1, nodeCount: 3 },
        { kind: 'body', count: 3, nodeCount: 6 },
        { kind: 'training', count: 1, nodeCount: 1 },
        { kind: 'function', count: 1, nodeCount: 1 },
      ],
      functions: [{ domain: 'local', name: 'Gelu', nodeCount: 1 }],
      passedFields: [
        { message: 'ModelProto', field: 26, name: 'configuration', count: 1 },
        { message: 'ModelProto', field: 99, name: null, count: 2 },
      ],
    });
  });

  it('counts bytes that tensors share once where it says what would be saved', async () => {
    const folder = await tempFolder();
    const share = (name: string) => ({
      ...{ name, dims: [1024], dataType: 1, dataLocation: 1 },
      externalData: Object.entries({ location: 'w.bin', offset: '0', length: '4096' }).map(([key, text]) => ({
        key,
        value: text,
      })),
    });
    await writeFile(join(folder, 'w.bin'), new Uint8Array(4096));
    const tied = model(graph({ nodes: [], initializers: [share('a'), share('b')] }));
    const path = join(folder, 'm.onnx');
    await writeFile(path, encode(tied));
    const { estimates, sizeBytes, weights } = await summariseModel(path);
    expect(weights).toMatchObject([{ tensorCount: 2, sizeBytes: 8192 }]);
    expect(estimates.fp32Bytes).toBe(sizeBytes + 4096);
    expect(estimates.fp16Bytes).toBe(sizeBytes + 2048);
  });
});
