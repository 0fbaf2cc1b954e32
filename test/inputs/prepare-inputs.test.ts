import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { describe, expect, it } from 'vitest';
import { prepareInputs } from '../../src/inputs/prepare-inputs.js';
import type { ValueSpec } from '../../src/lib/tensor.js';
import { floatTensor } from '../fixtures/tiny-onnx.js';

const image: ValueSpec = { name: 'image', isTensor: true, type: 'float32', dims: ['N', 3, 'H', 'W'] };
const rate: ValueSpec = { name: 'sr', isTensor: true, type: 'int64', dims: [] };
const mask: ValueSpec = { name: 'mask', isTensor: true, type: 'bool', dims: ['N', 4] };

describe('prepareInputs', () => {
  it('makes the same bytes for the same seed and other bytes for another seed or name', async () => {
    const spec = { shape: [1, 3, 8, 8], seed: 7 };
    const first = await prepareInputs([image], { image: spec });
    const again = await prepareInputs([image], { image: spec });
    const otherSeed = await prepareInputs([image], { image: { ...spec, seed: 8 } });
    const otherName = await prepareInputs([{ ...image, name: 'x' }], { x: spec });
    expect(again.feeds.image?.data).toEqual(first.feeds.image?.data);
    expect(otherSeed.feeds.image?.data).not.toEqual(first.feeds.image?.data);
    expect(otherName.feeds.x?.data).not.toEqual(first.feeds.image?.data);
  });

  it('keeps to values that were once recorded, so that old runs can be repeated', async () => {
    const { feeds } = await prepareInputs([image], { image: { shape: [1, 3, 1, 1], seed: 7 } });
    expect(feeds.image?.data).toEqual(
      Float32Array.of(-0.215341717004776, 0.33756422996520996, -0.11967283487319946),
    );
  });

  it('draws normal numbers of mean 0 and deviation 1', async () => {
    const { feeds } = await prepareInputs([image], { image: { shape: [1, 3, 200, 200] } });
    const data = Array.from(feeds.image?.data as Float32Array);
    const mean = data.reduce((sum, value) => sum + value, 0) / data.length;
    const variance = data.reduce((sum, value) => sum + (value - mean) ** 2, 0) / data.length;
    expect(Math.abs(mean)).toBeLessThan(0.01);
    expect(Math.abs(variance - 1)).toBeLessThan(0.02);
    const beyondTwo = data.filter((value) => Math.abs(value) > 2).length / data.length;
    expect(Math.abs(beyondTwo - 0.0455)).toBeLessThan(0.003);
  });

  it('takes 1 for a symbolic first axis and says so', async () => {
    const { feeds, findings } = await prepareInputs([mask], {});
    expect(feeds.mask?.dims).toEqual([1, 4]);
    expect(findings.map(({ code, severity, facts }) => ({ code, severity, facts }))).toEqual([
      {
        code: 'input-batch-assumed',
        severity: 'warning',
        facts: { input: 'mask', axis: 'N', shape: [1, 4] },
      },
    ]);
  });

  it('takes the size of an axis from another input that has an axis of the same name', async () => {
    const { feeds, findings } = await prepareInputs([mask, image], { image: { shape: [2, 3, 8, 8] } });
    expect(feeds.mask?.dims).toEqual([2, 4]);
    expect(findings).toEqual([]);
  });

  it('lists every input whose shape is needed, with an example', async () => {
    const second: ValueSpec = { ...image, name: 'second', dims: [1, '?'] };
    await expect(prepareInputs([image, second, rate], {})).rejects.toMatchObject({
      code: 'input-shape-needed',
      exitCode: 2,
      facts: {
        inputs: [
          { name: 'image', dims: ['N', 3, 'H', 'W'], example: '1x3x320x320' },
          { name: 'second', dims: [1, '?'], example: '1x1' },
        ],
      },
    });
  });

  it('suggests shapes that fit together: 320 for sides of pictures, 1 for all else', async () => {
    const input = (name: string, dims: ValueSpec['dims']): ValueSpec => ({ ...image, name, dims });
    const inputs = [
      input('input', ['?', '?']),
      input('state', [2, '?', 128]),
      input('text', ['N', 'W']),
      input('rows', ['N', 'H', 'W', 3]),
      input('line', ['?', 3, 48, '?']),
      input('cache', ['N', 'heads', 'past', 64]),
    ];
    await expect(prepareInputs(inputs, {})).rejects.toMatchObject({
      facts: {
        inputs: [
          { name: 'input', example: '1x1' },
          { name: 'state', example: '2x1x128' },
          { name: 'text', example: '1x320' },
          { name: 'rows', example: '1x320x320x3' },
          { name: 'line', example: '1x3x48x320' },
          { name: 'cache', example: '1x1x1x64' },
        ],
      },
    });
  });

  it('refuses a name that the model does not have and offers the near one', async () => {
    await expect(prepareInputs([image, rate], { imgae: {}, other: {} })).rejects.toMatchObject({
      code: 'input-unknown',
      facts: {
        unknown: [
          { name: 'imgae', didYouMean: 'image' },
          { name: 'other', didYouMean: null },
        ],
        known: ['image', 'sr'],
      },
    });
  });

  it('reports everything that does not fit at once', async () => {
    const asked = {
      image: { shape: [1, 4, 8, 8] },
      sr: { fill: 'constant', value: 1.5 },
      mask: { min: 3, max: 2 },
    } as const;
    await expect(prepareInputs([image, rate, mask], asked)).rejects.toMatchObject({
      code: 'input-wrong',
      facts: { problems: [{ input: 'image' }, { input: 'sr' }, { input: 'mask' }] },
    });
  });

  it.each([
    ['bounds in the wrong order', { min: 2, max: 1 }, 'has `min` 2 above `max` 1'],
    ['a constant without a value', { fill: 'constant' }, 'is to be constant, but no `value` is given'],
    ['a value without constant', { value: 2 }, 'has a `value`, which goes with `fill: constant`'],
    [
      'bounds on normal numbers',
      { fill: 'normal', max: 2 },
      'has `min` or `max`, which go with `fill: uniform`, not normal',
    ],
    ['a value beyond the type', { fill: 'constant', value: 1e300 }, 'is float32, which does not hold 1e+300'],
  ] as const)('refuses %s', async (_title, spec, problem) => {
    const line: ValueSpec = { name: 'line', isTensor: true, type: 'float32', dims: [4] };
    await expect(prepareInputs([line], { line: spec })).rejects.toMatchObject({
      code: 'input-wrong',
      facts: { problems: [{ input: 'line', problem }] },
    });
  });

  it('makes a scalar int64 constant', async () => {
    const { feeds } = await prepareInputs([rate], { sr: { fill: 'constant', value: 16_000 } });
    expect(feeds.sr).toEqual({ type: 'int64', dims: [], data: new BigInt64Array([16_000n]) });
  });

  it('makes integers within the bounds, both included, and 0 and 1 without any', async () => {
    const ids: ValueSpec = { name: 'ids', isTensor: true, type: 'int32', dims: [1000] };
    const asked = await prepareInputs([ids], { ids: { min: -2, max: 2 } });
    expect(new Set(asked.feeds.ids?.data as Int32Array)).toEqual(new Set([-2, -1, 0, 1, 2]));
    const plain = await prepareInputs([ids], {});
    expect(new Set(plain.feeds.ids?.data as Int32Array)).toEqual(new Set([0, 1]));
  });

  it('refuses normal numbers for an input that holds none', async () => {
    const ids: ValueSpec = { name: 'ids', isTensor: true, type: 'int32', dims: [4] };
    const problem = 'is int32, which cannot be normal; use `fill: uniform` with `min` and `max`';
    await expect(prepareInputs([ids], { ids: { fill: 'normal' } })).rejects.toMatchObject({
      code: 'input-wrong',
      facts: { problems: [{ input: 'ids', problem }] },
    });
  });

  it('says which integers it made that nobody asked for', async () => {
    const spec = (name: string, type: 'int64' | 'bool'): ValueSpec => ({
      name,
      isTensor: true,
      type,
      dims: [4],
    });
    const names = ['plain', 'shaped', 'ranged', 'filled', 'constant'];
    const { findings } = await prepareInputs(
      [...names.map((name) => spec(name, 'int64')), spec('mask', 'bool')],
      {
        shaped: { shape: [4], seed: 3 },
        ranged: { max: 9 },
        filled: { fill: 'uniform' },
        constant: { fill: 'constant', value: 3 },
      },
    );
    expect(findings).toMatchObject([
      { code: 'input-integers-assumed', severity: 'info', facts: { input: 'plain', type: 'int64' } },
      { code: 'input-integers-assumed', severity: 'info', facts: { input: 'shaped', type: 'int64' } },
    ]);
  });

  it('stores half precision as bit patterns', async () => {
    const half: ValueSpec = { name: 'h', isTensor: true, type: 'float16', dims: [2] };
    const { feeds } = await prepareInputs([half], { h: { fill: 'constant', value: 1.5 } });
    expect(feeds.h?.data).toEqual(new Uint16Array([0x3e00, 0x3e00]));
  });

  it('takes elements and shape from a file, and refuses a file of another type', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'inputs-')), 'x.npy');
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 1, 1), }";
    const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]);
    await writeFile(
      path,
      Buffer.concat([start, Buffer.from(header), Buffer.from(Float32Array.of(1, 2, 3).buffer)]),
    );
    const { feeds } = await prepareInputs([image], { image: { file: path } });
    expect(feeds.image).toEqual({ type: 'float32', dims: [1, 3, 1, 1], data: Float32Array.of(1, 2, 3) });
    await expect(prepareInputs([rate], { sr: { file: path } })).rejects.toMatchObject({
      code: 'input-wrong',
    });
  });

  it('takes elements from an ONNX tensor file', async () => {
    const path = join(await mkdtemp(join(tmpdir(), 'inputs-')), 'x.pb');
    await writeFile(
      path,
      onnxProto.onnx.TensorProto.encode(floatTensor('x', [1, 3, 1, 1], [1, 2, 3])).finish(),
    );
    const { feeds } = await prepareInputs([image], { image: { file: path } });
    expect(feeds.image).toEqual({ type: 'float32', dims: [1, 3, 1, 1], data: Float32Array.of(1, 2, 3) });
  });

  it('refuses a file whose name does not say what it is', async () => {
    await expect(prepareInputs([image], { image: { file: 'x.txt' } })).rejects.toMatchObject({
      code: 'input-file-wrong',
    });
  });

  it('refuses an input that is no tensor', async () => {
    const sequence: ValueSpec = { name: 's', isTensor: false, dims: [] };
    await expect(prepareInputs([sequence], {})).rejects.toMatchObject({ code: 'input-wrong' });
  });
});
