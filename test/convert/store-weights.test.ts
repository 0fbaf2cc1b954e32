import type { onnx } from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import type { ConvertOptions } from '../../src/convert/convert-options.js';
import { floats, graph, longs, model, node, ramp, value } from '../fixtures/build-model.js';
import {
  type Converted,
  findTensor,
  printNodes,
  rawBytes,
  useConversions,
} from '../fixtures/convert-in-code.js';
import { bool, feed, noise, runOnnx } from '../fixtures/run-onnx.js';

const convertInCode = useConversions();

function convert(content: onnx.IModelProto, options: Partial<ConvertOptions> = {}): Promise<Converted> {
  return convertInCode(content, { precision: 'fp16-weights', ...options });
}

describe('fp16-weights', () => {
  it('stores an initializer as FP16 with a Cast that keeps its name, and changes nothing else', async () => {
    const main = graph({
      inputs: [value('x', [300])],
      outputs: [value('y', [300])],
      nodes: [node('Mul', ['x', 'w'], ['m']), node('Add', ['m', 'w'], ['y'])],
      initializers: [ramp('w', [300])],
    });
    const { graph: converted, result, source, target } = await convert(model(main));
    expect(printNodes(converted)).toEqual(['Cast w_fp16 -> w', 'Mul x,w -> m', 'Add m,w -> y']);
    expect(findTensor(converted, 'w_fp16')).toMatchObject({ dataType: 10 });
    expect(findTensor(converted, 'w_fp16').rawData).toHaveLength(600);
    expect(result).toMatchObject({ castsAdded: 1, nodes: { total: 2, allowed: 2, fp16: 0 }, record: null });
    const feeds = { x: noise([300]) };
    const [before, after] = [await runOnnx(source, feeds), await runOnnx(target, feeds)];
    before.y?.forEach((number, index) => {
      expect(after.y?.[index]).toBeCloseTo(number, 3);
    });
  });

  it('stores Constants of bodies and functions where they are, right before their Casts', async () => {
    const constant = (name: string) => node('Constant', [], [name], { value: ramp('', [300]) });
    const body = (name: string) =>
      graph({ nodes: [constant('k'), node('Add', ['x', 'k'], [name])], outputs: [value(name, [300])] });
    const fn = {
      ...{ name: 'shift', domain: 'local', input: ['a'], output: ['b'] },
      node: [constant('k'), node('Add', ['a', 'k'], ['b'])],
      opsetImport: [{ domain: '', version: 17 }],
    };
    const main = graph({
      inputs: [value('x', [300]), value('c', [], 9)],
      outputs: [value('y', [300])],
      nodes: [
        node('If', ['c'], ['i'], { then_branch: body('t'), else_branch: body('e') }),
        node('shift', ['i'], ['y'], {}, 'local'),
      ],
    });
    const converted = await convert(model(main, { domains: { local: 1 }, functions: [fn] }));
    const branches = converted.graph.node?.[0]?.attribute?.map((attribute) => printNodes(attribute.g ?? {}));
    expect(branches).toEqual([
      ['Constant  -> k_fp16', 'Cast k_fp16 -> k', 'Add x,k -> t'],
      ['Constant  -> k_fp16_1', 'Cast k_fp16_1 -> k', 'Add x,k -> e'],
    ]);
    expect(printNodes({ node: converted.model.functions?.[0]?.node ?? [] })[1]).toBe('Cast k_fp16_2 -> k');
    expect(converted.result.weights.storedAsFp16).toBe(3);
    expect((await runOnnx(converted.target, { x: noise([300]), c: bool(true) })).y).toHaveLength(300);
  });

  it('leaves what is small, given out, fed, scales something or decides a shape', async () => {
    const main = graph({
      inputs: [value('x', [1, 1, 2, 2]), value('fed', [4])],
      outputs: [value('y', ['a', 'b', 'c', 'd']), value('w', [2]), value('n', ['n'], 7)],
      nodes: [
        node('Resize', ['x', '', 's'], ['y'], { mode: 'nearest' }),
        node('Mul', ['length', 'factor'], ['product']),
        node('Cast', ['product'], ['n'], { to: 7 }),
      ],
      initializers: [
        ...[floats('s', [4], [1, 1, 2, 2]), floats('w', [2], [1.1, 2]), floats('fed', [4], [1, 2, 3, 4])],
        ...[floats('length', [1], [5003]), floats('factor', [1], [1])],
      ],
    });
    const { result, graph: converted, target } = await convert(model(main, { opset: 13 }));
    expect(result.weights.keptFp32.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      's: needs all its digits',
      'w: graph output',
      'fed: graph input',
      'length: needs all its digits',
      'factor: needs all its digits',
    ]);
    expect(rawBytes(findTensor(converted, 'w'))).toEqual([0xcd, 0xcc, 0x8c, 0x3f, 0, 0, 0, 0x40]);
    expect(result.findings.map(({ code }) => code)).toEqual(['no-weight-stored']);
    const outputs = await runOnnx(target, { x: feed([1, 1, 2, 2], [1, 2, 3, 4]) });
    expect(outputs.y).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
    expect(outputs.n).toEqual([5003]);
  });

  it('leaves weights below the threshold alone, by their size as FP32', async () => {
    const main = graph({
      inputs: [value('x', [256])],
      outputs: [value('y', [256])],
      nodes: [node('Mul', ['x', 'at'], ['m']), node('Add', ['m', 'below'], ['y'])],
      initializers: [ramp('at', [256]), ramp('below', [1])],
    });
    const { result } = await convert(model(main), { minWeightBytes: 1024 });
    expect(result.weights.storedAsFp16).toBe(1);
    expect(result.weights.keptFp32).toEqual([
      { name: 'below', scope: 'graph', reason: 'below the size threshold', sizeBytes: 4 },
    ]);
  });

  it('asks the size in an FP16 graph only of what FP32 nodes read, and says that', async () => {
    const main = graph({
      inputs: [value('x', [4])],
      outputs: [value('y', [4])],
      nodes: [
        node('Mul', ['x', 'half'], ['m']),
        node('Strange', ['m', 'whole'], ['s'], {}, 'com.example'),
        node('Add', ['m', 's'], ['y']),
      ],
      initializers: [ramp('half', [4]), ramp('whole', [4])],
    });
    const { result } = await convertInCode(model(main), { minWeightBytes: 1024 });
    expect(result.weights.storedAsFp16).toBe(1);
    expect(result.weights.keptFp32.map(({ name, reason }) => `${name}: ${reason}`)).toContain(
      'whole: read as FP32 and too small for a Cast',
    );
    expect(result.weights.keptFp32.map(({ reason }) => reason)).not.toContain('below the size threshold');
  });

  it('keeps a tensor that holds numbers beyond FP16, says so, and names what became zero', async () => {
    const main = graph({
      inputs: [value('x', [200])],
      outputs: [value('y', [200])],
      nodes: [
        node('Mul', ['x', 'big'], ['m']),
        node('Add', ['m', 'tiny'], ['n']),
        node('Add', ['n', 'inf'], ['y']),
      ],
      initializers: [
        floats('big', [1], [65520]),
        floats('tiny', [200], [1e-9, ...Array(199).fill(1)]),
        floats('inf', [1], [Number.NEGATIVE_INFINITY]),
      ],
    });
    const { result, graph: converted } = await convert(model(main));
    expect(findTensor(converted, 'big').dataType).toBe(1);
    expect(rawBytes(findTensor(converted, 'inf_fp16'))).toEqual([0, 0xfc]);
    expect(result.findings).toMatchObject([
      {
        code: 'weight-kept-fp32',
        severity: 'warning',
        facts: { tensor: 'big', overflowCount: 1, sizeBytes: 4 },
      },
      { code: 'weights-underflow', severity: 'info', facts: { valueCount: 1, examples: ['tiny'] } },
    ]);
  });

  it.each([
    ['warns where the others are small too', 2 ** -12, 'warning'],
    ['only says so where they cannot matter beside the others', 1, 'info'],
  ] as const)(
    'sees that a notable share of a tensor became zero, and %s',
    async (_name, others, severity) => {
      const main = graph({
        inputs: [value('x', [200])],
        outputs: [value('y', [200])],
        nodes: [node('Add', ['x', 'tiny'], ['y'])],
        initializers: [floats('tiny', [200], [1e-9, 1e-9, 1e-9, ...Array(197).fill(-others)])],
      });
      const { result } = await convert(model(main));
      const worst = { tensor: 'tiny', share: 0.015, largest: others };
      expect(result.findings).toMatchObject([{ code: 'weights-underflow', severity, facts: { worst } }]);
    },
  );

  it('keeps a small tensor whose epsilon would become zero, and rounds what does not', async () => {
    const names = ['scalar', 'few', 'below', 'above'];
    const main = graph({
      inputs: [value('x', [1, 4])],
      outputs: [value('y', [1, 4])],
      nodes: [node('Sum', ['x', ...names], ['y'])],
      initializers: [
        floats('scalar', [], [1e-12]),
        floats('few', [4], [1, 1e-9, 1, 1]),
        floats('below', [], [2.98e-8]),
        floats('above', [], [3e-8]),
      ],
    });
    const { result, graph: converted } = await convert(model(main), { maxWeightError: 1 });
    expect(result.weights.keptFp32.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'scalar: would become 0 in FP16',
      'few: would become 0 in FP16',
      'below: would become 0 in FP16',
    ]);
    expect(rawBytes(findTensor(converted, 'above_fp16'))).toEqual([1, 0]);
    expect(result.findings).toMatchObject([
      { code: 'weights-kept-small', severity: 'info', facts: { examples: ['scalar', 'few', 'below'] } },
    ]);
  });

  it('takes numbers from float_data as well, and leaves other types byte for byte', async () => {
    const bfloat = { name: 'b', dims: [2], dataType: 16, rawData: Uint8Array.of(0x80, 0x3e, 0, 0x40) };
    const main = graph({
      inputs: [value('x', [2])],
      outputs: [value('y', [2]), value('z', [2])],
      nodes: [
        node('Add', ['x', 'w'], ['y']),
        node('Cast', ['b'], ['bf'], { to: 1 }),
        node('Mul', ['x', 'bf'], ['z']),
      ],
      initializers: [
        { name: 'w', dims: [2], dataType: 1, floatData: [1.5, -2] },
        bfloat,
        longs('i', [1], [1]),
      ],
    });
    const { graph: converted, target } = await convert(model(main));
    expect(rawBytes(findTensor(converted, 'w_fp16'))).toEqual([0, 0x3e, 0, 0xc0]);
    expect(findTensor(converted, 'w_fp16').floatData).toEqual([]);
    expect(rawBytes(findTensor(converted, 'b'))).toEqual([...bfloat.rawData]);
    expect(await runOnnx(target, { x: feed([2], [4, 4]) })).toEqual({ y: [5.5, 2], z: [1, 8] });
  });

  it('makes Cast known to a model that imports only another domain', async () => {
    const main = graph({
      inputs: [value('x', [1, 2])],
      outputs: [value('y', [1, 2])],
      nodes: [node('Strange', ['x', 'w'], ['y'], {}, 'com.example')],
      initializers: [floats('w', [2], [1, 2])],
    });
    const content = model(main);
    const only = { ...content, opsetImport: [{ domain: 'com.example', version: 1 }] };
    const { model: converted } = await convert(only);
    expect(converted.opsetImport.map((entry) => `${entry.domain}:${entry.version}`)).toEqual([
      'com.example:1',
      ':13',
    ]);
  });

  it('makes Cast known in the version that the functions of the model import', async () => {
    const fn = {
      ...{ name: 'scale', domain: 'com.example', input: ['a', 'b'], output: ['c'] },
      ...{ node: [node('Mul', ['a', 'b'], ['c'])], opsetImport: [{ domain: '', version: 17 }] },
    };
    const strange = { name: 'strange', domain: 'com.example', input: ['a'], output: ['b'], opsetImport: [] };
    const main = graph({
      inputs: [value('x', [1, 2])],
      outputs: [value('y', [1, 2])],
      nodes: [node('scale', ['x', 'w'], ['y'], {}, 'com.example')],
      initializers: [floats('w', [2], [1, 2])],
    });
    const content = model(main, { functions: [strange, fn] });
    const only = { ...content, opsetImport: [{ domain: 'com.example', version: 1 }] };
    const { model: converted } = await convert(only);
    const added = converted.opsetImport.map((entry) => `${entry.domain}:${entry.version}`);
    expect(added).toEqual(['com.example:1', ':17']);
    expect(converted.functions[0]?.opsetImport).toEqual([]);
  });
});
