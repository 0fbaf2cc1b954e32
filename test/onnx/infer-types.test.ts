import { describe, expect, it } from 'vitest';
import { inferModelTypes } from '../../src/onnx/infer-types.js';
import { codecs } from '../../src/onnx/proto.js';
import { encode, floats, graph, longs, model, node, value } from '../fixtures/build-model.js';

function typesOf(content: Parameters<typeof encode>[0], ...names: readonly string[]): Record<string, string> {
  const types = inferModelTypes(codecs.ModelProto.decode(encode(content)));
  return Object.fromEntries(names.map((name) => [name, types.main.get(name)]));
}

describe('inferModelTypes', () => {
  it('follows type variables, fixed types and attributes', () => {
    const main = graph({
      inputs: [value('x', [2, 3])],
      initializers: [longs('k', [1], [1])],
      nodes: [
        node('TopK', ['x', 'k'], ['top', 'where']),
        node('Shape', ['x'], ['shape']),
        node('Cast', ['top'], ['half'], { to: 10 }),
        node('Relu', ['half'], ['r']),
        node('Greater', ['x', 'top'], ['more']),
        node('ConstantOfShape', ['shape'], ['zeros']),
        node('ConstantOfShape', ['shape'], ['ones'], { value: longs('', [1], [1]) }),
        node('Constant', [], ['c'], { value_floats: { type: 6, floats: [1] } }),
        node('RandomNormalLike', ['half'], ['noise']),
        node('EyeLike', ['x'], ['eye'], { dtype: 7 }),
      ],
    });
    const names = ['top', 'where', 'shape', 'half', 'r', 'more', 'zeros', 'ones', 'c', 'noise', 'eye'];
    expect(typesOf(model(main), ...names)).toEqual({
      ...{ top: 'float32', where: 'int64', shape: 'int64', half: 'float16', r: 'float16', more: 'bool' },
      ...{ zeros: 'float32', ones: 'int64', c: 'float32', noise: 'float16', eye: 'int64' },
    });
  });

  it('takes no word of value_info for it', () => {
    const main = graph({
      inputs: [value('x')],
      nodes: [node('Relu', ['x'], ['y'])],
      valueInfo: [value('y', [2], 10)],
    });
    expect(typesOf(model(main), 'y')).toEqual({ y: 'float32' });
  });

  it('does not know what comes out of an unknown operator, but what comes out of the next', () => {
    const main = graph({
      inputs: [value('x')],
      nodes: [
        node('Strange', ['x'], ['s'], {}, 'com.example'),
        node('Relu', ['s'], ['r']),
        node('Add', ['s', 'x'], ['a']),
      ],
      valueInfo: [value('s', [2], 10)],
    });
    expect(typesOf(model(main), 's', 'r', 'a')).toEqual({ s: 'unknown', r: 'unknown', a: 'float32' });
  });

  it('goes through bodies, captures and functions', () => {
    const then = graph({ nodes: [node('Add', ['x', 'w'], ['t'])], outputs: [value('t')] });
    const body = graph({
      inputs: [value('i', [], 7), value('go', [], 9), { name: 'state' }],
      nodes: [
        node('Identity', ['go'], ['on']),
        node('Relu', ['state'], ['next']),
        node('Shape', ['x'], ['each']),
      ],
      outputs: [value('on', [], 9), value('next'), value('each', [1], 7)],
    });
    const main = graph({
      inputs: [value('x'), value('c', [], 9), value('n', [], 7)],
      initializers: [floats('w', [2], [1, 2])],
      nodes: [
        node('If', ['c'], ['i'], { then_branch: then, else_branch: then }),
        node('Loop', ['n', 'c', 'i'], ['last', 'all'], { body }),
        node('twice', ['i'], ['f'], {}, 'local'),
      ],
    });
    const fn = {
      ...{ name: 'twice', domain: 'local', input: ['a'], output: ['b'] },
      node: [node('Shape', ['a'], ['b'])],
      opsetImport: [{ domain: '', version: 17 }],
    };
    expect(typesOf(model(main, { domains: { local: 1 }, functions: [fn] }), 'i', 'last', 'all', 'f')).toEqual(
      {
        ...{ i: 'float32', last: 'float32', all: 'int64', f: 'int64' },
      },
    );
  });

  it('types functions that call each other many times over as quickly as once', () => {
    const opsetImport = ['', 'local'].map((domain) => ({ domain, version: 17 }));
    const functions = Array.from({ length: 14 }, (_unused, level) => ({
      ...{ name: `f${level}`, domain: 'local', input: ['a'], output: ['b0'], opsetImport },
      node: Array.from({ length: 8 }, (_also, call) =>
        level === 13
          ? node('Shape', ['a'], [`b${call}`])
          : node(`f${level + 1}`, ['a'], [`b${call}`], {}, 'local'),
      ),
    }));
    const main = graph({ inputs: [value('x')], nodes: [node('f0', ['x'], ['y'], {}, 'local')] });
    expect(typesOf(model(main, { domains: { local: 1 }, functions }), 'y')).toEqual({ y: 'int64' });
  });

  it('knows the slots of the opset that the model imports', () => {
    const main = graph({ inputs: [value('x')], nodes: [node('Dropout', ['x'], ['y', 'mask'])] });
    expect(typesOf(model(main, { opset: 7 }), 'mask')).toEqual({ mask: 'float32' });
    expect(typesOf(model(main, { opset: 13 }), 'mask')).toEqual({ mask: 'bool' });
  });
});
