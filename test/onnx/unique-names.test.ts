import { describe, expect, it } from 'vitest';
import { listScopes } from '../../src/onnx/graph-walk.js';
import { codecs } from '../../src/onnx/proto.js';
import { reserveNames } from '../../src/onnx/unique-names.js';
import { encode, floats, graph, model, node, value } from '../fixtures/build-model.js';

describe('reserveNames', () => {
  it('gives out no name of any scope, and none twice', () => {
    const body = graph({ nodes: [node('Relu', ['w'], ['w_fp16'])], outputs: [value('w_fp16')] });
    const main = graph({
      inputs: [value('x')],
      nodes: [node('If', ['c'], ['y'], { then_branch: body, else_branch: body })],
      initializers: [floats('w', [1], [1])],
      valueInfo: [value('w_fp16_1')],
    });
    const fn = { name: 'f', domain: 'd', input: ['w_fp16_2'], output: ['b'], node: [] };
    const decoded = codecs.ModelProto.decode(encode(model(main, { functions: [fn] })));
    const names = reserveNames(listScopes(decoded));
    expect([names.reserve('w_fp16'), names.reserve('w_fp16'), names.reserve('free')]).toEqual([
      'w_fp16_3',
      'w_fp16_4',
      'free',
    ]);
  });
});
