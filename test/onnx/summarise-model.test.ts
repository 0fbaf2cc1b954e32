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
      scopeCount: 3,
      nodeCount: 7,
      weights: [
        { type: 'float', tensorCount: 4, parameters: 902, sizeBytes: 3608 },
        { type: 'int64', tensorCount: 1, parameters: 1, sizeBytes: 8 },
      ],
      externalFiles: [],
      unknownFields: [],
    });
    expect(summary.operators).toContainEqual({ type: 'Constant', domain: '', count: 2 });
    expect(summary.largestTensors[0]).toMatchObject({ name: 'w', scope: 'graph', sizeBytes: 1200 });
    expect(summary.estimates).toEqual({
      fp32Bytes: summary.sizeBytes,
      fp16WeightsBytes: summary.sizeBytes - 1800,
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
});
