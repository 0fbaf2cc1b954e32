import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  describeEngineIsolated,
  exportBlobIsolated,
  openIsolated,
  runIsolated,
} from '../../../src/runtimes/run-isolated.js';
import { encode, graph, model, node, floats as stored, value } from '../../fixtures/build-model.js';
import { awaitIsolatedChild, slowGraph } from '../../fixtures/isolated-child.js';
import { floats, useOpenvino } from '../../fixtures/openvino-session.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { encodeModel } from '../../fixtures/tiny-onnx.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const open = useOpenvino();
const tempFolder = useTempFolder();
const x = floats([2], [1, 1]);
const sum = floats([2], [2, 3]);
const timeoutMs = 60_000;
const job = { engine: 'openvino', threads: 1, inference: 'f32', names: null, timeoutMs } as const;
const add = graph({
  nodes: [node('Add', ['x', 'w'], ['y'])],
  inputs: [value('x')],
  outputs: [value('y')],
  initializers: [stored('w', [2], [1, 2])],
});

beforeEach(async (context) => {
  await requireOpenvino(context);
});

async function save(bytes: Uint8Array): Promise<string> {
  const path = join(await tempFolder(), 'model.onnx');
  await writeFile(path, bytes);
  return path;
}

describe('openvino in a process of its own', () => {
  it('runs, and says what it computed in', async () => {
    const modelPath = await save(encode(model(add)));
    const names = { inputs: ['x'], outputs: ['y'] };
    const run = await runIsolated({ ...job, modelPath, names, inference: 'bf16', feeds: { x } });
    const { inferencePrecisions } = await describeEngineIsolated('openvino');
    expect(run.inference).toBe(inferencePrecisions.includes('bf16') ? 'bf16' : 'f32');
    expect(run).toMatchObject({
      outputs: { y: sum },
      skipped: [],
      runtimeVersion: expect.stringMatching(/^20\d\d\./),
    });
  });

  it('brings errors back with code and facts', async () => {
    const modelPath = await save(new Uint8Array(64).fill(7));
    await expect(openIsolated({ ...job, modelPath })).rejects.toMatchObject({
      code: 'runtime-refused-model',
      facts: { engine: 'openvino', model: modelPath },
    });
  });

  it('describes itself and the processor', async (context) => {
    const { libraryPath } = await requireOpenvino(context);
    const description = await describeEngineIsolated('openvino');
    expect(description).toMatchObject({ libraryPath, version: expect.stringMatching(/^20\d\d\.\d+\.\d+$/) });
    expect(description.device).not.toBe('');
    expect(description.inferencePrecisions[0]).toBe('f32');
    expect(await describeEngineIsolated('onnxruntime')).toMatchObject({
      libraryPath: null,
      device: null,
      inferencePrecisions: ['f32'],
    });
  });

  it('says that it was not found, or cannot be used', async () => {
    const folder = await tempFolder();
    const path = join(folder, 'libopenvino_c.so');
    await writeFile(path, 'text');
    const real = process.env.OPENVINO_LIB_PATH;
    process.env.OPENVINO_LIB_PATH = path;
    try {
      await expect(describeEngineIsolated('openvino')).rejects.toMatchObject({
        code: 'runtime-unusable',
        facts: { path },
      });
    } finally {
      process.env.OPENVINO_LIB_PATH = real;
    }
  });

  it('says by which signal it crashed', async () => {
    // A process that is killed from outside is the same to the parent as one that dies of the model.
    const modelPath = await save(encodeModel(slowGraph([2])));
    const running = runIsolated({ ...job, modelPath, feeds: { x } });
    process.kill(await awaitIsolatedChild('libopenvino_c'), 'SIGSEGV');
    await expect(running).rejects.toMatchObject({
      code: 'runtime-crashed',
      exitCode: 3,
      facts: { engine: 'openvino', model: modelPath, signal: 'SIGSEGV' },
    });
  });
});

describe('a compiled blob', () => {
  it('is written whole, and opens', async () => {
    const modelPath = await save(encode(model(add)));
    const folder = await tempFolder();
    const target = join(folder, 'new', 'model.blob');
    const exported = await exportBlobIsolated({ modelPath, target, inference: 'f32', timeoutMs });
    expect(exported).toEqual({
      sizeBytes: (await readFile(target)).length,
      runtimeVersion: expect.stringMatching(/^20\d\d\./),
      inference: 'f32',
    });
    expect(await readdir(join(folder, 'new'))).toEqual(['model.blob']);
    expect(await (await open({ path: target })).run({ x })).toEqual({ y: sum });
  });

  it('is not written at all when the model is refused, or nothing may be written there', async () => {
    const folder = await tempFolder();
    const target = join(folder, 'model.blob');
    const broken = await save(new Uint8Array(64).fill(7));
    const refused = exportBlobIsolated({ modelPath: broken, target, inference: 'f32', timeoutMs });
    await expect(refused).rejects.toMatchObject({ code: 'runtime-refused-model' });
    expect(await readdir(folder)).toEqual([]);
    const late = exportBlobIsolated({ modelPath: broken, target, inference: 'f32', timeoutMs: 1 });
    await expect(late).rejects.toMatchObject({ code: 'runtime-late' });
    expect(await readdir(folder)).toEqual([]);
    await writeFile(target, 'before');
    const modelPath = await save(encode(model(add)));
    const below = join(target, 'model.blob');
    const nowhere = exportBlobIsolated({ modelPath, target: below, inference: 'f32', timeoutMs });
    await expect(nowhere).rejects.toThrow();
    expect(await readFile(target, 'utf8')).toBe('before');
  });
});
