import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readModel } from '../../src/onnx/read-model.js';
import { encode, graph, model, node, proto, ramp, value } from '../fixtures/build-model.js';
import { catchError } from '../fixtures/catch-error.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
let folder = '';
beforeEach(async () => {
  folder = await tempFolder();
});

async function save(bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, 'm.onnx');
  await writeFile(path, bytes);
  return path;
}

const simple = model(
  graph({
    nodes: [node('Mul', ['x', 'w'], ['y'])],
    inputs: [value('x', [300])],
    outputs: [value('y', [300])],
    initializers: [ramp('w', [300])],
  }),
);

describe('readModel', () => {
  it('decodes a model and knows all of its fields', async () => {
    const bytes = encode(simple);
    const read = await readModel(await save(bytes));
    expect(read.model.graph?.node?.[0]?.opType).toBe('Mul');
    expect(read.unknownFields).toEqual([]);
    expect(read.sizeBytes).toBe(bytes.length);
  });

  it('says that a file is missing, a folder or a device', async () => {
    const missing = await catchError(() => readModel(join(folder, 'nope.onnx')));
    expect(missing.code).toBe('model-not-found');
    expect(missing.facts).toMatchObject({ seen: 'there is no such file' });
    expect((await catchError(() => readModel(folder))).facts).toMatchObject({ seen: 'it is a folder' });
    expect((await catchError(() => readModel('/dev/null'))).facts).toMatchObject({
      seen: 'it is not a regular file',
    });
  });

  it('does not wait for a pipe that nobody writes to', async () => {
    const pipe = join(folder, 'pipe.onnx');
    execFileSync('mkfifo', [pipe]);
    expect((await catchError(() => readModel(pipe))).code).toBe('model-not-found');
  });

  it('says that a file is empty', async () => {
    const error = await catchError(async () => readModel(await save('')));
    expect(error.code).toBe('model-empty');
    expect(error.exitCode).toBe(2);
  });

  it.each([
    ['version https://git-lfs.github.com/spec/v1\noid sha256:0', /Git LFS pointer/],
    ['<!DOCTYPE html><html></html>', /web page/],
    ['{"model": 1}', /JSON/],
    ['name: resnet\nlayers: 3\n', /^text$/],
    ['PK\u0003\u0004rest of it', /zip/],
    ['\u0001\u0002\u0003\u0004\u0005\u0006\u0007', /unknown binary data/],
  ])('names what else a file is: %j', async (content, looksLike) => {
    const error = await catchError(async () => readModel(await save(content)));
    expect(error.code).toBe('model-not-onnx');
    expect(error.facts.looksLike).toMatch(looksLike);
  });

  it('tells random bytes from a cut-off model', async () => {
    const garbage = Uint8Array.from({ length: 4096 }, (_unused, index) => (index * 197 + 211) % 256);
    const error = await catchError(async () => readModel(await save(garbage)));
    expect(error.code).toBe('model-not-onnx');
  });

  it('says at every cut that a model is cut off, or that it holds no graph', async () => {
    const bytes = encode(simple);
    const codes = new Map<string, number>();
    for (let size = 1; size < bytes.length; size += 7) {
      const error = await catchError(async () => readModel(await save(bytes.subarray(0, size))));
      codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
      if (error.code === 'model-truncated') expect(error.facts.neededBytes).toBeGreaterThan(size);
    }
    expect([...codes.keys()].sort()).toEqual(['model-has-no-graph', 'model-not-onnx', 'model-truncated']);
    expect(codes.get('model-truncated')).toBeGreaterThan(100);
    expect(codes.get('model-not-onnx')).toBe(1);
  });

  it('says that a model has no graph', async () => {
    const bytes = proto.ModelProto.encode({ irVersion: 8, producerName: 'x' }).finish();
    expect((await catchError(async () => readModel(await save(bytes)))).code).toBe('model-has-no-graph');
  });

  it('refuses a model that nests too deep instead of overflowing', async () => {
    let inner = graph({ nodes: [node('Relu', ['x'], ['y'])] });
    for (let level = 0; level < 120; level += 1) {
      inner = graph({ nodes: [node('If', ['c'], ['y'], { then_branch: inner })] });
    }
    const error = await catchError(async () => readModel(await save(encode(model(inner)))));
    expect(error.code).toBe('model-too-deep');
  });

  it('reads a model whose name has letters of all kinds', async () => {
    const path = join(folder, 'モデル ü.onnx');
    await mkdir(folder, { recursive: true });
    await writeFile(path, encode(simple));
    expect((await readModel(path)).path).toBe(path);
  });
});
