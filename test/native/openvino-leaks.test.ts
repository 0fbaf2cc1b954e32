import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { usualSession } from '../../src/lib/session-options.js';
import { exportModel } from '../../src/native/openvino/compile-model.js';
import { countLiveHandles } from '../../src/native/openvino/owner.js';
import { importRuntime } from '../../src/runtimes/import-runtime.js';
import type { OpenvinoNative } from '../../src/runtimes/openvino/openvino-adapter.js';
import { type ModelSource, plainSettings, type SessionSettings } from '../../src/runtimes/runtime.js';
import { encode, graph, model, node, floats as stored, value } from '../fixtures/build-model.js';
import { floats } from '../fixtures/openvino-session.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { addIr } from '../fixtures/tiny-ir.js';
import { requireOpenvino } from '../services/require-openvino.js';

const settings = { ...plainSettings, threads: 1, options: usualSession };
const tempFolder = useTempFolder();
const count = 1000;
/** What the process grows by per load would be seen: 64 KiB of weights are in each. */
const size = 16_384;
const weights = Array.from({ length: size }, (_none, index) => index);
const weightsMiB = (size * Float32Array.BYTES_PER_ELEMENT) / 2 ** 20;
const ir = addIr(weights);
const onnx = encode(
  model(
    graph({
      nodes: [node('Add', ['x', 'w'], ['y'])],
      inputs: [value('x', [size])],
      outputs: [value('y', [size])],
      initializers: [stored('w', [size], weights)],
    }),
  ),
);

beforeEach(async (context) => {
  await requireOpenvino(context);
});

async function readRssMiB(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** One model by every way in which OpenVINO can be given it. */
async function listWays(): Promise<readonly (readonly [ModelSource, Partial<SessionSettings>])[]> {
  const folder = await tempFolder();
  const pathOf = (name: string) => join(folder, name);
  await writeFile(pathOf('m.xml'), ir.xml);
  await writeFile(pathOf('m.bin'), ir.bin);
  await writeFile(pathOf('m.onnx'), onnx);
  const runtime = await importRuntime('openvino');
  const session = await runtime.openSession({ path: pathOf('m.xml') }, settings);
  const { library, compiledModel } = session.native as OpenvinoNative;
  await exportModel(library, compiledModel, pathOf('m.blob'));
  await session.close();
  const blob = await readFile(pathOf('m.blob'));
  const cacheFolder = pathOf('cache');
  return [
    [{ name: 'm.xml', bytes: ir.xml, externalData: [{ path: 'm.bin', data: ir.bin }] }, {}],
    [{ path: pathOf('m.xml') }, {}],
    [{ path: pathOf('m.xml') }, { isMapped: false }],
    [{ path: pathOf('m.xml') }, { cacheFolder }],
    [{ name: 'm.onnx', bytes: onnx, externalData: [] }, {}],
    [{ path: pathOf('m.onnx') }, {}],
    [{ path: pathOf('m.onnx') }, { cacheFolder }],
    [{ name: 'm.blob', bytes: blob, externalData: [] }, {}],
    [{ path: pathOf('m.blob') }, {}],
  ];
}

/** Opens, runs and closes; also what fails at each of these. */
async function load(index: number, ways: Awaited<ReturnType<typeof listWays>>): Promise<void> {
  const runtime = await importRuntime('openvino');
  const way = ways[index % ways.length];
  if (way === undefined) throw new Error('there is no way');
  const [source, more] = way;
  const session = await runtime.openSession(source, { ...settings, ...more });
  const { y } = await session.run({ x: floats([size], weights) });
  expect(y?.data[size - 1]).toBe(2 * (size - 1));
  await session.close();
  if (index % 20 > 0) return;
  const names = { inputs: ['x'], outputs: ['q'] };
  await expect(runtime.openSession(source, { ...settings, ...more, names })).rejects.toThrow('no output');
  const noWeights = { name: 'm.xml', bytes: ir.xml, externalData: [] };
  await expect(runtime.openSession(noWeights, settings)).rejects.toThrow();
}

/** Two at a time: OpenVINO works beside this thread, and a load leaves no more behind while another one runs. */
async function loadAll(from: number, to: number, ways: Awaited<ReturnType<typeof listWays>>): Promise<void> {
  let next = from;
  const loadOn = async (): Promise<void> => {
    while (next < to) await load(next++, ways);
  };
  await Promise.all([loadOn(), loadOn()]);
}

it.skipIf(process.platform !== 'linux')(
  'a thousand loads leave no object of OpenVINO behind, and no memory',
  async () => {
    const ways = await listWays();
    const before = countLiveHandles();
    const few = count / 5;
    await loadAll(0, few, ways);
    const warm = await readRssMiB();
    await loadAll(few, count, ways);
    expect(countLiveHandles()).toBe(before);
    const grownMiB = (await readRssMiB()) - warm;
    // Of what was loaded; the collector of JavaScript takes some.
    expect(grownMiB).toBeLessThan(((count - few) * weightsMiB) / 3);
  },
  600_000,
);

it('runs that fail leave nothing behind', async () => {
  const nodes = [node('Reshape', ['x', 's'], ['y'])];
  const ends = { inputs: [value('x', ['n']), value('s', [2], 7)], outputs: [value('y', ['a', 'b'])] };
  const bytes = encode(model(graph({ nodes, ...ends })));
  const runtime = await importRuntime('openvino');
  const session = await runtime.openSession({ name: 'm.onnx', bytes, externalData: [] }, settings);
  const live = countLiveHandles();
  const s = { type: 'int64', dims: [2], data: BigInt64Array.of(4n, 2n) } as const;
  for (let index = 0; index < 5; index++) {
    await expect(session.run({ x: floats([6], new Float32Array(6)), s })).rejects.toMatchObject({
      code: 'runtime-run-failed',
    });
  }
  expect(countLiveHandles()).toBe(live);
  await session.close();
});
