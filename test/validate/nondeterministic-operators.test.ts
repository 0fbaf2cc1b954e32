import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { readModel } from '../../src/onnx/read-model.js';
import { listNondeterministicOperators } from '../../src/validate/nondeterministic-operators.js';
import {
  encodeModel,
  floatAttribute,
  graphAttribute,
  intAttribute,
  node,
  value,
} from '../fixtures/tiny-onnx.js';

async function list(graph: onnx.IGraphProto, more: onnx.IModelProto = {}): Promise<string[]> {
  const path = join(await mkdtemp(join(tmpdir(), 'random-')), 'm.onnx');
  await writeFile(
    path,
    encodeModel(
      { input: [value('x', 'float32', [2])], output: [value('y', 'float32', [2])], ...graph },
      more,
    ),
  );
  return listNondeterministicOperators(await readModel(path));
}

const training: onnx.ITensorProto = { name: 't', dataType: 9, dims: [], int32Data: [1] };
const testing: onnx.ITensorProto = { name: 't', dataType: 9, dims: [], int32Data: [0] };
const dropout = node('Dropout', ['x', '', 't'], ['y']);

describe('listNondeterministicOperators', () => {
  it.each(['RandomNormalLike', 'RandomUniformLike', 'Multinomial', 'Bernoulli'])(
    'finds %s without a seed',
    async (opType) => {
      expect(await list({ node: [node(opType, ['x'], ['y'])] })).toEqual([opType]);
      expect(await list({ node: [node(opType, ['x'], ['y'], [floatAttribute('seed', 1)])] })).toEqual([]);
    },
  );

  it('finds each type once, sorted, and nothing in an ordinary model', async () => {
    const nodes = [
      node('RandomUniformLike', ['x'], ['a']),
      node('RandomUniformLike', ['x'], ['b']),
      node('Bernoulli', ['x'], ['c']),
      node('Add', ['a', 'b'], ['y']),
    ];
    expect(await list({ node: nodes })).toEqual(['Bernoulli', 'RandomUniformLike']);
    expect(await list({ node: [node('Abs', ['x'], ['y'])] })).toEqual([]);
  });

  it('looks into the branch of an If that is never taken', async () => {
    const branch = (name: string, opType: string) => ({
      name,
      output: [value(name, 'float32', [2])],
      node: [node(opType, ['x'], [name])],
    });
    const choice = node(
      'If',
      ['c'],
      ['y'],
      [
        graphAttribute('then_branch', branch('p', 'Identity')),
        graphAttribute('else_branch', branch('q', 'RandomUniformLike')),
      ],
    );
    const go = { name: 'c', dataType: 9, dims: [], int32Data: [1] };
    expect(await list({ node: [choice], initializer: [go] })).toEqual(['RandomUniformLike']);
  });

  it('looks into functions', async () => {
    const fn = {
      name: 'Noise',
      domain: 'local',
      input: ['a'],
      output: ['b'],
      node: [node('RandomNormalLike', ['a'], ['b'])],
      opsetImport: [{ domain: '', version: 17 }],
    };
    const call = node('Noise', ['x'], ['y'], [], 'local');
    expect(await list({ node: [call] }, { functions: [fn] })).toEqual(['RandomNormalLike']);
  });

  it('takes Dropout for random only where it trains or may train', async () => {
    expect(await list({ node: [dropout], initializer: [training] })).toEqual(['Dropout']);
    expect(await list({ node: [dropout], initializer: [testing] })).toEqual([]);
    expect(await list({ node: [node('Dropout', ['x'], ['y'])] })).toEqual([]);
    const constant = node(
      'Constant',
      [],
      ['t'],
      [{ name: 'value', type: 4, t: { dataType: 9, dims: [], int32Data: [0] } }],
    );
    expect(await list({ node: [constant, dropout] })).toEqual([]);
    const fed = [value('x', 'float32', [2]), value('t', 'bool', [])];
    expect(await list({ input: fed, node: [dropout] })).toEqual(['Dropout']);
    expect(await list({ input: fed, node: [dropout], initializer: [testing] })).toEqual(['Dropout']);
  });

  it('goes by the opset: an attribute decides for the oldest Dropout, and the next one never trains', async () => {
    const old = (version: number, ...attributes: onnx.IAttributeProto[]) =>
      list({ node: [node('Dropout', ['x'], ['y'], attributes)] }, { opsetImport: [{ domain: '', version }] });
    expect(await old(6)).toEqual(['Dropout']);
    expect(await old(6, intAttribute('is_test', 1))).toEqual([]);
    expect(await old(10)).toEqual([]);
  });

  it('leaves operators of other domains alone', async () => {
    expect(await list({ node: [node('Bernoulli', ['x'], ['y'], [], 'my.domain')] })).toEqual([]);
  });
});
