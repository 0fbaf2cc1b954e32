import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { onnx } from 'onnx-proto';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import { encode, floats, graph, model, node, ramp, value } from '../fixtures/build-model.js';
import { expectSettled, findTensor, printNodes, readConverted } from '../fixtures/convert-in-code.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { expectClose } from '../fixtures/expect-close.js';
import { layouts } from '../fixtures/onnx-layouts.js';
import { bool, noise } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
beforeEach(async () => {
  folder = await tempFolder();
});

const precisions = ['fp16', 'fp16-weights'] as const;
const choices = precisions.flatMap((precision) => layouts.map((layout) => [precision, layout] as const));
/** One below and one above the size up to which tensors are read before the conversion is planned. */
const sizes = [300, 3000];

/** Multiplies by `w`, adds `v`, and adds `v` in a branch too. */
function build(size: number, tensors: readonly onnx.ITensorProto[]): onnx.IModelProto {
  const branch = (name: string, from: string) =>
    graph({ nodes: [node('Add', ['b', from], [name])], outputs: [value(name, [size])] });
  const bodies = { then_branch: branch('t', 'v'), else_branch: branch('e', 'w') };
  return model(
    graph({
      inputs: [value('x', [size]), value('c', [], 9)],
      outputs: [value('y', [size])],
      nodes: [
        node('Mul', ['x', 'w'], ['a']),
        node('Add', ['a', 'v'], ['b']),
        node('If', ['c'], ['y'], bodies),
      ],
      initializers: [...tensors],
    }),
  );
}

async function convert(content: onnx.IModelProto, how: Partial<Parameters<typeof completeOptions>[0]>) {
  const [source, out] = [join(folder, 'source.onnx'), join(folder, 'target.onnx')];
  await writeFile(source, encode(content));
  const options = completeOptions({ model: source, out, ...how });
  const result = await convertModel(options);
  await expectSettled(out, options);
  return { result, source, target: out, ...(await readConverted(out)) };
}

function external(name: string, size: number, offset = 0): onnx.ITensorProto {
  const entries = { location: 'w.bin', offset: String(offset), length: String(size * 4) };
  const externalData = Object.entries(entries).map(([key, text]) => ({ key, value: text }));
  return { name, dims: [size], dataType: 1, dataLocation: 1, externalData };
}

describe.each(choices)('tied weights, %s.%s', (precision, layout) => {
  it.each(sizes)('that are two equal tensors of %i numbers are stored once', async (size) => {
    const converted = await convert(build(size, [ramp('w', [size]), ramp('v', [size])]), {
      precision,
      layout,
    });
    expect(converted.graph.initializer).toHaveLength(1);
    expect(converted.result.weights).toMatchObject({ storedAsFp16: 1, fp16Bytes: size * 2, keptFp32: [] });
    for (const c of [true, false]) await expectClose(converted, { x: noise([size]), c: bool(c) });
    if (precision !== 'fp16-weights') return;
    expect(printNodes(converted.graph)).toEqual([
      'Cast w_fp16 -> w',
      'Mul x,w -> a',
      'Add a,w -> b',
      'If c -> y',
    ]);
  });

  it.each(sizes)('that are two names of %i numbers of a data file are stored once', async (size) => {
    const parts = [ramp('', [size]), floats('', [size], Array(size).fill(2))];
    const bytes = parts.flatMap(({ rawData }) => (rawData ? [rawData] : []));
    await writeFile(join(folder, 'w.bin'), Buffer.concat(bytes));
    const tensors = [external('w', size), external('v', size), external('u', size, size * 4)];
    const content = build(size, tensors);
    content.graph?.node?.push(node('Add', ['b', 'u'], ['z']));
    content.graph?.output?.push(value('z', [size]));
    const converted = await convert(content, { precision, layout });
    expect(converted.graph.initializer).toHaveLength(2);
    expect(converted.result.weights).toMatchObject({ storedAsFp16: 2, fp16Bytes: size * 4 });
    for (const c of [true, false]) await expectClose(converted, { x: noise([size]), c: bool(c) });
    if (layout === 'external')
      expect((await readFile(`${converted.target}.data`)).length).toBeLessThan(size * 5);
  });
});

describe('tensors that only look tied', () => {
  it('are stored each: of another shape, with one number that differs, or given out', async () => {
    const size = 3000;
    const odd = ramp('v', [size]);
    odd.rawData?.set([0, 0, 0, 0x41], 8);
    for (const other of [odd, { ...ramp('v', [1, size]) }]) {
      const { graph: converted } = await convert(build(size, [ramp('w', [size]), other]), {});
      expect(converted.initializer?.map(({ name }) => name)).toEqual(['w', 'v']);
    }
    const given = build(size, [ramp('w', [size]), ramp('v', [size])]);
    given.graph?.output?.push(value('v', [size]));
    const converted = await convert(given, {});
    expect(findTensor(converted.graph, 'v')).toMatchObject({ dataType: 1 });
    expect(findTensor(converted.graph, 'w')).toMatchObject({ dataType: 10 });
    await expectClose(converted, { x: noise([size]), c: bool(true) });
  });

  it('stay two when they are small: a name is worth more than 1 KiB', async () => {
    const { graph: converted } = await convert(build(200, [ramp('w', [200]), ramp('v', [200])]), {});
    expect(converted.initializer?.map(({ name }) => name)).toEqual(['w', 'v']);
  });

  it('stay two when FP32 is wanted', async () => {
    const { graph: converted } = await convert(build(3000, [ramp('w', [3000]), ramp('v', [3000])]), {
      precision: 'fp32',
    });
    expect(converted.initializer?.map(({ name }) => name)).toEqual(['w', 'v']);
  });
});
