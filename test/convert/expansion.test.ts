import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import type { ConvertOptions } from '../../src/convert/convert-options.js';
import { precisions } from '../../src/lib/variant.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { encode, floats, graph, model, node, proto, ramp, value } from '../fixtures/build-model.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { expandArtifact } from '../fixtures/expand-artifact.js';
import { layouts } from '../fixtures/onnx-layouts.js';
import { bool, type Feeds, halves, long, noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
let source = '';
beforeEach(async () => {
  folder = await tempFolder();
  source = join(folder, 'source.onnx');
});

const size = 2000;
const choices = precisions.flatMap((precision) => layouts.map((layout) => [precision, layout] as const));

/** A tensor of the same numbers in another order, so that none is tied by accident. */
function shifted(name: string, dims: readonly number[], by: number): onnx.ITensorProto {
  const numbers = [...new Float32Array(Uint8Array.from(ramp('', dims).rawData ?? []).buffer)];
  return floats(name, dims, [...numbers.slice(by), ...numbers.slice(0, by)]);
}

/** Large weights, tied and small ones, in Constants, bodies and tables, one that FP16 cannot hold, one given out. */
function build(): onnx.IModelProto {
  const branch = (name: string, by: number) =>
    graph({
      nodes: [
        node('Constant', [], [`k_${name}`], { value: shifted('', [size], by) }),
        node('Add', ['b', `k_${name}`], [`s_${name}`]),
        node('Add', [`s_${name}`, `w_${name}`], [`o_${name}`]),
      ],
      outputs: [value(`o_${name}`, [size])],
      initializers: [shifted(`w_${name}`, [1], 0), shifted(`large_${name}`, [size], by + 1)],
    });
  const large = ramp('large', [size]);
  large.rawData?.set(new Uint8Array(Float32Array.of(70_000).buffer), 400);
  return model(
    graph({
      inputs: [value('x', [size]), value('c', [], 9), value('i', [1], 7)],
      outputs: [value('y', [size]), value('e', [1, 50]), value('given', [size]), value('lone', [size])],
      nodes: [
        node('Constant', [], ['k'], { value: shifted('', [size], 3) }),
        node('Mul', ['x', 'w'], ['a']),
        node('Add', ['a', 'v'], ['p']),
        node('Add', ['p', 'k'], ['q']),
        node('Add', ['q', 'small'], ['r']),
        node('Mul', ['r', 'middle'], ['b']),
        node('If', ['c'], ['f'], { then_branch: branch('then', 20), else_branch: branch('else', 40) }),
        node('Add', ['f', 'given'], ['g']),
        node('Mul', ['g', 'large'], ['y']),
        node('Gather', ['table', 'i'], ['e']),
      ],
      initializers: [
        ...[ramp('w', [size]), ramp('v', [size]), floats('small', [1], [0.3]), large],
        ...[
          shifted('middle', [1], 0),
          shifted('table', [60, 50], 7),
          shifted('given', [size], 9),
          shifted('lone', [size], 11),
        ],
      ],
    }),
  );
}

async function convert(
  name: string,
  more: Partial<ConvertOptions>,
): Promise<{ readonly path: string; readonly record: ArtifactRecord; readonly entry: string }> {
  const out = join(folder, name);
  const { record } = await convertModel(completeOptions({ model: source, out, ...more }));
  if (record === null) throw new Error('no record');
  return { path: out, record, entry: join(out, record.entry) };
}

/** Writes what the record's plan makes of the artifact's files. */
async function expand(path: string): Promise<string> {
  const record: ArtifactRecord = JSON.parse(await readFile(join(path, 'artifact.json'), 'utf8'));
  const files = await expandArtifact(path, record);
  const target = join(path, 'expanded');
  await mkdir(target);
  for (const [name, bytes] of files) await writeFile(join(target, name), bytes);
  const sizes = record.expansion.files.map((file) => [file.path, file.sizeBytes]);
  expect([...files].map(([name, bytes]) => [name, bytes.length])).toEqual(sizes);
  expect([...files.values()].reduce((sum, bytes) => sum + bytes.length, 0)).toBe(record.expandedSizeBytes);
  return join(target, record.expansion.entry);
}

/** Tensors of a page and more in the main graph, with the number that each begins with. */
async function largeTensors(path: string): Promise<Record<string, number>> {
  const { graph: main } = proto.ModelProto.decode(await readFile(path));
  const data = await readFile(`${path}.data`);
  const found: Record<string, number> = {};
  const constants = (main?.node ?? []).filter(({ opType }) => opType === 'Constant');
  const named = constants.map(({ output, attribute }) => ({ ...attribute?.[0]?.t, name: output?.[0] ?? '' }));
  for (const { name, dims, dataType, dataLocation, externalData } of [
    ...(main?.initializer ?? []),
    ...named,
  ]) {
    const count = (dims ?? []).reduce<number>((product, dim) => product * Number(dim), 1);
    if (count * 4 < 4096) continue;
    const [, offset, length] = (externalData ?? []).map((entry) => Number(entry.value));
    expect([dataType, dataLocation, length, (offset ?? 1) % 4096], name ?? '').toEqual([1, 1, count * 4, 0]);
    found[name ?? ''] = data.readFloatLE(offset);
  }
  return found;
}

/** An FP32 number as FP16 holds it. */
function rounded(number: number): number {
  const step = 2 ** Math.max(-24, Math.floor(Math.log2(Math.abs(number))) - 10);
  return Math.round(number / step) * step;
}

function firstOf(tensor: onnx.ITensorProto | undefined): number {
  return Buffer.from(tensor?.rawData ?? []).readFloatLE(0);
}

const feeds: Feeds = { x: noise([size]), c: bool(true), i: long([1], [33]) };

describe.each(choices)('the FP32 form of %s.%s', (precision, layout) => {
  it('is made of the files and the record alone, and computes what FP16 weights compute', async () => {
    await writeFile(source, encode(build()));
    const { path } = await convert('artifact', { precision, layout });
    const weights = await convert('weights', { precision: precision === 'fp32' ? 'fp32' : 'fp16-weights' });
    const expanded = await expand(path);
    for (const c of [true, false]) {
      const fed = { ...feeds, c: bool(c) };
      expect(await runOnnx(expanded, fed)).toEqual(await runOnnx(weights.entry, fed));
    }
  });

  it('has its large tensors in a data file, each on a page, as FP32 numbers that FP16 holds', async () => {
    await writeFile(source, encode(build()));
    const { path } = await convert('artifact', { precision, layout });
    const tensors = new Map(build().graph?.initializer?.map((tensor) => [tensor.name, tensor]));
    const constant = build().graph?.node?.[0]?.attribute?.[0]?.t ?? {};
    const round = precision === 'fp32' ? (number: number) => number : rounded;
    expect(await largeTensors(await expand(path))).toEqual({
      w: round(firstOf(tensors.get('w'))),
      v: round(firstOf(tensors.get('v'))),
      table: round(firstOf(tensors.get('table'))),
      k: round(firstOf(constant)),
      given: firstOf(tensors.get('given')),
      lone: firstOf(tensors.get('lone')),
      large: firstOf(tensors.get('large')),
    });
  });

  it('takes and gives FP16 where the artifact does', async () => {
    await writeFile(source, encode(build()));
    const { path } = await convert('artifact', { precision, layout, io: 'fp16' });
    const weights = await convert('weights', {
      ...{ precision: precision === 'fp32' ? 'fp32' : 'fp16-weights', io: 'fp16' },
    });
    const fed = precision === 'fp32' ? feeds : { ...feeds, x: halves(noise([size])) };
    expect(await runOnnx(await expand(path), fed)).toEqual(await runOnnx(weights.entry, fed));
  });

  it('is made of a model with external data as well', async () => {
    await writeFile(source, encode(build()));
    const { entry } = await convert('exported', { precision: 'fp32', layout: 'external' });
    const before = source;
    source = entry;
    const { path } = await convert('artifact', { precision, layout });
    source = before;
    const weights = await convert('weights', { precision: precision === 'fp32' ? 'fp32' : 'fp16-weights' });
    expect(await runOnnx(await expand(path), feeds)).toEqual(await runOnnx(weights.entry, feeds));
  });
});

describe('the plan of an expansion', () => {
  it('holds none of the weights itself', async () => {
    await writeFile(source, encode(build()));
    for (const [precision, layout] of choices) {
      const { record } = await convert('artifact', { precision, layout });
      expect(record.expansion.literals.length).toBeLessThan(3000);
    }
  });

  it('says the same each time', async () => {
    await writeFile(source, encode(build()));
    const [first, second] = [await convert('one', {}), await convert('other', {})];
    expect(second.record.expansion).toEqual(first.record.expansion);
  });
});

describe('the FP32 form of a model whose outputs are FP16', () => {
  it('gives out a weight as it was rounded, and computes with it', async () => {
    const main = graph({
      inputs: [value('x')],
      outputs: [value('y'), value('w')],
      nodes: [node('Add', ['x', 'w'], ['y'])],
      initializers: [floats('w', [2], [1.1, 2.3])],
    });
    await writeFile(source, encode(model(main)));
    const options = { precision: 'fp16-weights', minWeightBytes: 0, io: 'fp16' } as const;
    const { path, entry } = await convert('artifact', options);
    const fed = { x: halves(noise([2])) };
    expect(await runOnnx(await expand(path), fed)).toEqual(await runOnnx(entry, fed));
  });
});
