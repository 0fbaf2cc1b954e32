import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import type { ConvertOptions } from '../../src/convert/convert-options.js';
import { convertStep } from '../../src/convert/step.js';
import { describeProcessor } from '../../src/lib/processor.js';
import { quietContext, type WorkContext } from '../../src/lib/work-context.js';
import { encode, graph, longs, model, node, proto, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
let source = '';

/** Three large weights, two of them equal, one small, and one that is no weight. */
const content = model(
  graph({
    inputs: [value('x', [2000])],
    outputs: [value('y', [2000])],
    nodes: [
      node('Constant', [], ['k'], { value: ramp('', [2000]) }),
      node('Mul', ['x', 'w'], ['a']),
      node('Add', ['a', 'k'], ['b']),
      node('Mul', ['b', 'v'], ['c']),
      node('Slice', ['c', 'from', 'to'], ['y']),
    ],
    initializers: [
      ...[ramp('w', [2000]), ramp('v', [2000]), ramp('small', [400])],
      ...[longs('from', [1], [0]), longs('to', [1], [2000])],
    ],
  }),
);

beforeEach(async () => {
  folder = await tempFolder();
  source = join(folder, 'source.onnx');
  await writeFile(source, encode(content));
});

function options(more: Partial<ConvertOptions> = {}): ConvertOptions {
  const out = join(folder, 'artifact');
  const parts = { precision: 'fp16-weights', layout: 'external', minWeightBytes: 1024 } as const;
  return completeOptions({ model: source, out, ...parts, ...more });
}

async function bytesOf(path: string): Promise<string> {
  return (await readFile(path)).toString('base64');
}

describe('convertModel', () => {
  it('copies a model byte by byte when nothing is to be changed', async () => {
    const sourceSha256 = createHash('sha256')
      .update(await readFile(source))
      .digest('hex');
    const result = await convertModel(options({ precision: 'fp32', layout: 'single', sourceSha256 }));
    expect(await bytesOf(join(folder, 'artifact/model.onnx'))).toBe(await bytesOf(source));
    const { sourceSizeBytes } = result;
    expect(result.record?.provenance).toMatchObject({
      ...{ sourceName: 'source.onnx', sourceSizeBytes, sourceSha256 },
    });
    expect(result.record?.files[0]?.sha256).toBe(sourceSha256);
    const { provenance } = (await convertModel(options({ out: join(folder, 'other') }))).record ?? {};
    expect(provenance?.sourceSha256).toBeNull();
  });

  it('puts weights into a data file on page boundaries, and small ones into the model', async () => {
    const result = await convertModel(options({ precision: 'fp32' }));
    const read = proto.ModelProto.decode(await readFile(join(folder, 'artifact/model.onnx')));
    const places = (read.graph?.initializer ?? []).map((tensor) =>
      `${tensor.name} ${(tensor.externalData ?? []).map((entry) => entry.value).join(' ')}`.trim(),
    );
    expect(places).toEqual([
      'w model.onnx.data 0 8000',
      'v model.onnx.data 8192 8000',
      'small',
      'from',
      'to',
    ]);
    expect(result.record?.files.map(({ path }) => path)).toEqual(['model.onnx', 'model.onnx.data']);
    const constant = read.graph?.node?.[0]?.attribute?.[0]?.t;
    expect(constant?.externalData?.map((entry) => entry.value)).toEqual(['model.onnx.data', '16384', '8000']);
    expect((await stat(join(folder, 'artifact/model.onnx.data'))).size).toBe(24_384);
    const feeds = { x: noise([2000]) };
    expect(await runOnnx(join(folder, 'artifact/model.onnx'), feeds)).toEqual(await runOnnx(source, feeds));
  });

  it('takes external data in again: external and back gives the same tensors', async () => {
    await convertModel(options({ precision: 'fp32' }));
    const back = join(folder, 'back.onnx');
    await convertModel(
      options({ model: join(folder, 'artifact/model.onnx'), precision: 'fp32', layout: 'single', out: back }),
    );
    const read = proto.ModelProto.decode(await readFile(back));
    const before = proto.ModelProto.decode(encode(content));
    expect(
      read.graph?.initializer?.map((tensor) => Buffer.from(tensor.rawData ?? []).toString('hex')),
    ).toEqual(before.graph?.initializer?.map((tensor) => Buffer.from(tensor.rawData ?? []).toString('hex')));
    expect((await readdir(folder)).sort()).toEqual(['artifact', 'back.onnx', 'source.onnx']);
  });

  it('writes a record that agrees with the files', async () => {
    const keepFp32 = [{ kind: 'op', name: 'Slice' }] as const;
    const result = await convertModel(options({ keepFp32, withoutRules: ['ranges'] }));
    const names = (await readdir(join(folder, 'artifact'))).sort();
    expect(names).toEqual(['artifact.json', 'model.onnx', 'model.onnx.data']);
    const record = JSON.parse(await readFile(join(folder, 'artifact/artifact.json'), 'utf8'));
    expect(record).toEqual(result.record);
    const expanded: readonly { readonly sizeBytes: number }[] = record.expansion.files;
    expect(record).toMatchObject({
      variant: { id: 'fp16-weights.external' },
      entry: 'model.onnx',
      sizeBytes: result.sizeBytes,
      expandedSizeBytes: expanded.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      provenance: {
        options: {
          ...{ precision: 'fp16-weights', layout: 'external', engine: 'onnxruntime', minWeightBytes: 1024 },
          ...{ maxWeightError: 0.01, io: 'fp32', keepFp32: ['op:Slice'], withoutRules: ['ranges'] },
        },
      },
      requires: {
        engine: 'onnxruntime',
        minimumVersion: '1.22.0',
        opset: 17,
        irVersion: 8,
        architecture: 'any',
      },
    });
    for (const { path, sizeBytes } of record.files) {
      expect((await stat(join(folder, 'artifact', path))).size).toBe(sizeBytes);
    }
  });

  it.each(['fp32', 'fp16-weights', 'fp16'] as const)(
    'gives the same bytes each time: %s',
    async (precision) => {
      const first = await convertModel(options({ precision }));
      const second = await convertModel(options({ precision }));
      expect(second.record).toEqual(first.record);
      expect((await readdir(folder)).sort()).toEqual(['artifact', 'source.onnx']);
    },
  );

  it('says when the external layout has nothing to put outside', async () => {
    const small = graph({ inputs: [value('x')], outputs: [value('y')], nodes: [node('Relu', ['x'], ['y'])] });
    await writeFile(source, encode(model(small)));
    const { findings, record } = await convertModel(options({ precision: 'fp32' }));
    expect(findings).toMatchObject([{ code: 'no-data-file', severity: 'info' }]);
    expect(record?.files).toHaveLength(1);
  });

  it('says which weights stay inside since they are in the bodies of control flow', async () => {
    const branch = (name: string) => ({
      name,
      node: [node('Add', ['x', `w_${name}`], [`y_${name}`])],
      initializer: [ramp(`w_${name}`, [2000]), ramp(`small_${name}`, [400])],
      output: [value(`y_${name}`, [2000])],
    });
    const branches = { then_branch: branch('then'), else_branch: branch('else') };
    const flow = graph({
      inputs: [value('c', [], 9), value('x', [2000])],
      outputs: [value('y', [2000])],
      nodes: [node('If', ['c'], ['y'], branches)],
    });
    await writeFile(source, encode(model(flow)));
    const { findings, record } = await convertModel(options({ precision: 'fp32' }));
    expect(findings).toMatchObject([
      { code: 'no-data-file', facts: { minTensorBytes: 4096 } },
      {
        code: 'weights-stay-inside',
        severity: 'info',
        facts: { path: source, tensorCount: 2, sizeBytes: 16_000 },
      },
    ]);
    expect(record?.files).toHaveLength(1);
  });
});

describe('where a conversion may write', () => {
  it('replaces an artifact and refuses a folder with anything else', async () => {
    const first = await convertModel(options());
    expect((await convertModel(options())).findings).toEqual([]);
    const { findings } = await convertModel(options({ layout: 'single' }));
    expect(findings).toMatchObject([
      {
        code: 'artifact-replaced',
        severity: 'info',
        facts: {
          variantId: 'fp16-weights.external',
          sourceName: 'source.onnx',
          sizeBytes: first.sizeBytes,
          byVariantId: 'fp16-weights.single',
          bySourceName: 'source.onnx',
        },
      },
    ]);
    expect((await readdir(join(folder, 'artifact'))).sort()).toEqual(['artifact.json', 'model.onnx']);
    const other = join(folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'thesis.txt'), 'x');
    expect((await catchError(() => convertModel(options({ out: other })))).code).toBe('output-refused');
    expect(await readdir(other)).toEqual(['thesis.txt']);
  });

  it('never writes over what it reads', async () => {
    expect((await catchError(() => convertModel(options({ out: source })))).code).toBe('output-refused');
    expect((await catchError(() => convertModel(options({ out: folder })))).code).toBe('output-refused');
    await convertModel(options({ out: join(folder, 'bare.onnx') }));
    const again = options({ model: join(folder, 'bare.onnx'), out: join(folder, 'bare.onnx') });
    expect((await catchError(() => convertModel(again))).code).toBe('output-refused');
  });

  it('leaves nothing behind when it is stopped', async () => {
    for (const share of [0, 0.5, 1]) {
      const stop = new AbortController();
      const context = { ...quietContext(), signal: stop.signal };
      const progress: WorkContext['progress'] = ({ label, done, total = 0 }) => {
        if (label === 'writing the model' && done >= share * total) stop.abort(new Error('enough'));
      };
      const work = convertModel(options(), { ...context, progress });
      await expect(work).rejects.toThrow('enough');
      expect(await readdir(folder)).toEqual(['source.onnx']);
    }
  });

  it('leaves nothing behind when the model is wrong', async () => {
    const broken = structuredClone(content);
    const tensor = broken.graph?.initializer?.[0];
    if (tensor) tensor.dims = [1999];
    await writeFile(source, encode(broken));
    const error = await catchError(() => convertModel(options()));
    expect(error.facts).toMatchObject({
      tensor: 'w',
      reason: 'its shape needs 7996 bytes, 8000 bytes are there',
    });
    expect(await readdir(folder)).toEqual(['source.onnx']);
  });
});

describe('a place that cannot be written', () => {
  it('is an error of the environment that names it', async () => {
    const blocked = join(folder, 'file');
    await writeFile(blocked, 'x');
    const error = await catchError(() => convertModel(options({ out: join(blocked, 'artifact') })));
    expect(error.code).toBe('file-system-refused');
    expect(error.exitCode).toBe(3);
  });
});

describe('convertStep', () => {
  it('is done as long as the files are what its record says', async () => {
    const step = convertStep({ ...options(), sourceSha256: 'ab'.repeat(32), processor: describeProcessor() });
    expect(step.subject).toBe('fp16-weights.external');
    const { output, line } = await step.call(quietContext());
    expect(line).toMatch(/% of the source\), 2 weights stored as FP16/);
    const recorded = JSON.parse(JSON.stringify(output));
    expect(await step.ensures(recorded, quietContext())).toBe(true);
    const data = join(folder, 'artifact/model.onnx.data');
    const bytes = await readFile(data);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    await writeFile(data, bytes);
    expect(await step.ensures(recorded, quietContext())).toBe(false);
  });
});
