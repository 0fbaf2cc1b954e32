import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { exportModel } from '../../../src/native/openvino/compile-model.js';
import { countLiveHandles } from '../../../src/native/openvino/owner.js';
import type { OpenvinoNative } from '../../../src/runtimes/openvino/openvino-adapter.js';
import { encode, graph, model, node, ramp, floats as stored, value } from '../../fixtures/build-model.js';
import { floats, useOpenvino } from '../../fixtures/openvino-session.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { addIr } from '../../fixtures/tiny-ir.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const open = useOpenvino();
const tempFolder = useTempFolder();
const x = floats([2], [1, 1]);
const sum = floats([2], [2, 3]);
const ends = { inputs: [value('x')], outputs: [value('y')] };
const nodes = [node('Add', ['x', 'w'], ['y'])];
const onnx = encode(model(graph({ nodes, ...ends, initializers: [stored('w', [2], [1, 2])] })));
const ir = addIr([1, 2]);

beforeEach(async (context) => {
  await requireOpenvino(context);
});

async function save(files: Readonly<Record<string, Uint8Array>>): Promise<string> {
  const folder = await tempFolder();
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return folder;
}

/** A model of one large multiplication as OpenVINO compiled it, and what it gives for `x`. */
async function exportProduct() {
  const parts = {
    nodes: [node('MatMul', ['x', 'w'], ['y'])],
    inputs: [value('x', [1, 512])],
    outputs: [value('y', [1, 1024])],
    initializers: [ramp('w', [512, 1024])],
  };
  const session = await open(encode(model(graph(parts))));
  const feed = floats(
    [1, 512],
    Array.from({ length: 512 }, (_none, index) => index / 512),
  );
  const { library, compiledModel } = session.native as OpenvinoNative;
  const path = join(await tempFolder(), 'model.blob');
  await exportModel(library, compiledModel, path);
  return { path, feed, given: await session.run({ x: feed }) };
}

describe('a model', () => {
  it('is opened by path: .onnx, .onnx with external data, .xml', async () => {
    const external = encode(
      model(
        graph({
          nodes,
          ...ends,
          initializers: [
            {
              name: 'w',
              dims: [2],
              dataType: 1,
              dataLocation: 1,
              externalData: [
                { key: 'location', value: 'w.data' },
                { key: 'length', value: '8' },
              ],
            },
          ],
        }),
      ),
    );
    const files = { 'a.onnx': onnx, 'b.onnx': external, 'w.data': ir.bin, 'c.xml': ir.xml, 'c.bin': ir.bin };
    const folder = await save(files);
    for (const name of ['a.onnx', 'b.onnx', 'c.xml']) {
      for (const isMapped of [true, false]) {
        const session = await open({ path: join(folder, name) }, { isMapped });
        expect(await session.run({ x })).toEqual({ y: sum });
      }
    }
  });

  it('is opened by a path that is no ASCII', async () => {
    const folder = await save({
      'süß 模型/m.onnx': onnx,
      'süß 模型/m.xml': ir.xml,
      'süß 模型/m.bin': ir.bin,
    });
    for (const name of ['m.onnx', 'm.xml']) {
      const session = await open({ path: join(folder, 'süß 模型', name) });
      expect(await session.run({ x })).toEqual({ y: sum });
    }
  });

  it('is opened from memory: .onnx, .xml with its .bin', async () => {
    expect(await (await open(onnx)).run({ x })).toEqual({ y: sum });
    const externalData = [{ path: 'm.bin', data: ir.bin }];
    const session = await open({ name: 'm.xml', bytes: ir.xml, externalData });
    expect(await session.run({ x })).toEqual({ y: sum });
  });

  it('is not opened from memory as an .onnx with external data, which OpenVINO reads from files', async () => {
    const externalData = [{ path: 'w.data', data: ir.bin }];
    await expect(open({ name: 'm.onnx', bytes: onnx, externalData })).rejects.toMatchObject({
      code: 'runtime-refused-model',
      facts: { reason: expect.stringContaining('external data of an .onnx from files only') },
    });
  });

  it('is opened as a blob by path and from memory', async () => {
    const { path, feed, given } = await exportProduct();
    expect(await (await open({ path })).run({ x: feed })).toEqual(given);
    const { readFile } = await import('node:fs/promises');
    const bytes = new Uint8Array(await readFile(path));
    const session = await open({ name: 'model.blob', bytes, externalData: [] });
    expect(await session.run({ x: feed })).toEqual(given);
  });

  it.each([
    ['an .onnx that is none', 'm.onnx', new Uint8Array(50).fill(7)],
    ['an .onnx that ends early', 'm.onnx', onnx.subarray(0, onnx.length - 20)],
    ['an .xml that is none', 'm.xml', new TextEncoder().encode('no XML')],
    ['an .xml that ends early', 'm.xml', ir.xml.subarray(0, ir.xml.length - 40)],
    ['a blob that is none', 'm.blob', new Uint8Array(5000).fill(7)],
    ['an empty file', 'm.blob', new Uint8Array()],
  ])('is refused with the words of OpenVINO, and leaves nothing behind: %s', async (_what, name, bytes) => {
    const before = countLiveHandles();
    const folder = await save({ [name]: bytes, 'm.bin': ir.bin });
    for (const source of [{ path: join(folder, name) }, { name, bytes, externalData: [] }]) {
      const error: unknown = await open(source).catch((refusal: unknown) => refusal);
      expect(error).toMatchObject({ code: 'runtime-refused-model', exitCode: 2 });
      const { reason } = (error as { readonly facts: { readonly reason: string } }).facts;
      expect(reason).not.toMatch(/Exception from|Check '/);
      expect(reason.length).toBeGreaterThan(10);
    }
    expect(countLiveHandles()).toBe(before);
  });

  it('is refused when its .bin is shorter than it says, or is not there', async () => {
    const folder = await save({ 'a.xml': ir.xml, 'b.xml': ir.xml, 'b.bin': ir.bin.subarray(0, 4) });
    for (const name of ['a.xml', 'b.xml', 'none.xml', 'none.onnx', 'none.blob']) {
      const refusal = open({ path: join(folder, name) });
      await expect(refusal).rejects.toMatchObject({ code: 'runtime-refused-model' });
    }
    const short = [{ path: 'm.bin', data: ir.bin.subarray(0, 4) }];
    for (const externalData of [[], short]) {
      const refusal = open({ name: 'm.xml', bytes: ir.xml, externalData });
      await expect(refusal).rejects.toMatchObject({ code: 'runtime-refused-model' });
    }
  });

  it('is refused with the operator that OpenVINO does not have', async () => {
    const unknown = encode(model(graph({ nodes: [node('Nope', ['x'], ['y'])], ...ends })));
    await expect(open(unknown)).rejects.toMatchObject({
      code: 'runtime-refused-model',
      facts: { reason: expect.stringMatching(/^it has no conversion for Nope-\d+$/) },
    });
  });
});
