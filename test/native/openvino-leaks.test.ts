import { readFile } from 'node:fs/promises';
import { beforeEach, expect, it } from 'vitest';
import { usualSession } from '../../src/lib/session-options.js';
import { countLiveHandles } from '../../src/native/openvino/owner.js';
import { importRuntime } from '../../src/runtimes/import-runtime.js';
import { plainSettings } from '../../src/runtimes/runtime.js';
import { encode, graph, model, node, value } from '../fixtures/build-model.js';
import { floats } from '../fixtures/openvino-session.js';
import { addIr } from '../fixtures/tiny-ir.js';
import { requireOpenvino } from '../services/require-openvino.js';

const settings = { ...plainSettings, threads: 1, options: usualSession };
const count = 1000;
/** What the process grows by per load would be seen: 64 KiB of weights are in each. */
const size = 16_384;
const weights = Array.from({ length: size }, (_none, index) => index);
const ir = addIr(weights);

beforeEach(async (context) => {
  await requireOpenvino(context);
});

async function readRssMiB(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Opens, runs and closes; also what fails at each of these. */
async function load(index: number): Promise<void> {
  const runtime = await importRuntime('openvino');
  const externalData = [{ path: 'm.bin', data: ir.bin }];
  const session = await runtime.openSession({ name: 'm.xml', bytes: ir.xml, externalData }, settings);
  const { y } = await session.run({ x: floats([size], weights) });
  expect(y?.data[size - 1]).toBe(2 * (size - 1));
  await session.close();
  if (index % 20 > 0) return;
  const names = { inputs: ['x'], outputs: ['q'] };
  const wrong = { name: 'm.xml', bytes: ir.xml, externalData };
  await expect(runtime.openSession(wrong, { ...settings, names })).rejects.toThrow('no output');
  await expect(runtime.openSession({ ...wrong, externalData: [] }, settings)).rejects.toThrow();
}

it.skipIf(process.platform !== 'linux')(
  'a thousand loads leave no object of OpenVINO behind, and no memory',
  async () => {
    const before = countLiveHandles();
    for (let index = 0; index < count / 5; index++) await load(index);
    const warm = await readRssMiB();
    for (let index = count / 5; index < count; index++) await load(index);
    expect(countLiveHandles()).toBe(before);
    // 800 loads of 64 KiB, fed and answered with as much, would be 150 MiB; the collector of JavaScript takes some.
    expect((await readRssMiB()) - warm).toBeLessThan(50);
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
