import { readdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Tensor } from '../../../src/lib/tensor.js';
import type { OpenvinoNative } from '../../../src/runtimes/openvino/openvino-adapter.js';
import { makeProperties, parsePrecision } from '../../../src/runtimes/openvino/session-properties.js';
import { plainSettings, type RuntimeSession } from '../../../src/runtimes/runtime.js';
import { encode, graph, model, node, ramp, value } from '../../fixtures/build-model.js';
import { floats, useOpenvino } from '../../fixtures/openvino-session.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const open = useOpenvino();
const tempFolder = useTempFolder();
const product = encode(
  model(
    graph({
      nodes: [node('MatMul', ['x', 'w'], ['y'])],
      inputs: [value('x', ['n', 64])],
      outputs: [value('y', ['n', 64])],
      initializers: [ramp('w', [64, 64])],
    }),
  ),
);
const x = floats(
  [1, 64],
  Array.from({ length: 64 }, (_none, index) => index / 8),
);

beforeEach(async (context) => {
  await requireOpenvino(context);
});

function read(session: RuntimeSession, key: string): string {
  return (session.native as OpenvinoNative).readProperty(key);
}

describe('a session', () => {
  it('has one stream, and the threads that it was given', async () => {
    for (const threads of [1, 2]) {
      const session = await open(product, { threads });
      expect(read(session, 'PERFORMANCE_HINT')).toBe('LATENCY');
      expect(read(session, 'NUM_STREAMS')).toBe('1');
      expect(read(session, 'INFERENCE_NUM_THREADS')).toBe(String(threads));
      expect(session.threads).toBe(threads);
    }
  });

  it('uses every processor as other engines do, and is pinned to none', async () => {
    const session = await open(product, { threads: 2 });
    expect(read(session, 'ENABLE_CPU_PINNING')).toBe('NO');
    // Where no core has two processors, OpenVINO says that there is nothing to enable.
    const { device } = makeProperties({ ...plainSettings, threads: 2 });
    expect(device).toMatchObject({ ENABLE_HYPER_THREADING: 'YES', ENABLE_CPU_PINNING: 'NO' });
  });

  it('says how many threads it has where it was to have more than there are processors', async () => {
    const session = await open(product, { threads: 4096 });
    expect(session.threads).toBe(availableParallelism());
    expect(read(session, 'INFERENCE_NUM_THREADS')).toBe(String(session.threads));
  });

  it('says what it computes in as OpenVINO says it, whatever was asked for', async () => {
    const wide = await open(product);
    expect(wide.inference).toBe('f32');
    const { library } = wide.native as OpenvinoNative;
    for (const [inference, capability] of [
      ['bf16', 'BF16'],
      ['f16', 'FP16'],
    ] as const) {
      const session = await open(product, { inference });
      expect(session.inference).toBe(library.capabilities.includes(capability) ? inference : 'f32');
    }
  });

  it('reads the spellings of precisions, and refuses to guess', () => {
    expect(['f32', 'float32', 'bf16', 'bfloat16', 'f16', 'float16'].map(parsePrecision)).toEqual([
      'f32',
      'f32',
      'bf16',
      'bf16',
      'f16',
      'f16',
    ]);
    expect(() => parsePrecision('dynamic')).toThrow('dynamic');
  });

  it('keeps what it compiled in a folder, and says when it came from there', async () => {
    const cacheFolder = join(await tempFolder(), 'cache');
    const path = join(await tempFolder(), 'model.onnx');
    await writeFile(path, product);
    const first = await open({ path }, { cacheFolder });
    const second = await open({ path }, { cacheFolder });
    expect([first.isFromCache, second.isFromCache]).toEqual([false, true]);
    expect(await readdir(cacheFolder)).toHaveLength(1);
    expect(await second.run({ x })).toEqual(await first.run({ x }));
    expect((await open({ path })).isFromCache).toBe(false);
  });

  it('takes runs at once, of different shapes, and gives each its own outputs', async () => {
    const session = await open(product);
    const feeds = Array.from({ length: 24 }, (_none, index) => {
      const rows = 1 + (index % 3);
      return { x: floats([rows, 64], new Float32Array(rows * 64).fill(index)) };
    });
    const alone = [];
    for (const feed of feeds) alone.push(await session.run(feed));
    const together = await Promise.all(feeds.map((feed) => session.run(feed)));
    expect(together).toEqual(alone);
    expect(together[23]?.y?.data[0]).not.toBe(together[0]?.y?.data[0]);
  });

  it('gives outputs that stay when it runs again, and when it is closed', async () => {
    const session = await open(product);
    const { y } = await session.run({ x });
    const before = Array.from(y?.data as Float32Array);
    await session.run({ x: floats([1, 64], new Float32Array(64)) });
    await session.close();
    expect(Array.from(y?.data as Float32Array)).toEqual(before);
  });

  it('reads feeds from any memory: shared, resizable, from the middle of another', async () => {
    const session = await open(product);
    const expected = await session.run({ x });
    // Resizable memory is what the types of this Node do not know.
    const Resizable = ArrayBuffer as unknown as new (size: number, options: object) => ArrayBuffer;
    for (const buffer of [
      new SharedArrayBuffer(300),
      new Resizable(300, { maxByteLength: 4096 }),
      new ArrayBuffer(300),
    ]) {
      const data = new Float32Array(buffer as ArrayBuffer, 4, 64);
      data.set(x.data as Float32Array);
      expect(await session.run({ x: { ...x, data } })).toEqual(expected);
    }
    const bytes = new Uint8Array(65);
    bytes.set([1, 2, 3], 1);
    const negate = [node('Identity', ['x'], ['y'])];
    const ends = { inputs: [value('x', [3], 2)], outputs: [value('y', [3], 2)] };
    const copy = await open(encode(model(graph({ nodes: negate, ...ends }))));
    const odd = { type: 'uint8', dims: [3], data: bytes.subarray(1, 4) } as const;
    expect((await copy.run({ x: odd })).y?.data).toEqual(Uint8Array.of(1, 2, 3));
  });

  it('waits for its runs when it is closed, runs no more after that, and may be closed again', async () => {
    const session = await open(product);
    const running = session.run({ x });
    await session.close();
    expect((await running).y?.dims).toEqual([1, 64]);
    await expect(session.run({ x })).rejects.toMatchObject({
      code: 'runtime-run-failed',
      facts: { reason: 'its session is closed' },
    });
    expect(() => read(session, 'NUM_STREAMS')).toThrow('closed');
    await session.close();
  });

  it('feeds a run that waits what it was given, whatever becomes of that meanwhile', async () => {
    const session = await open(product);
    const expected = await session.run({ x });
    const before = session.run({ x });
    const dims = [1, 64];
    const feeds: Record<string, Tensor> = { x: { ...x, dims } };
    const waiting = session.run(feeds);
    dims[0] = 1024;
    delete feeds.x;
    await before;
    expect(await waiting).toEqual(expected);
    const Resizable = ArrayBuffer as unknown as new (
      size: number,
      options: object,
    ) => ArrayBuffer & { resize: (size: number) => void };
    const buffer = new Resizable(256, { maxByteLength: 4096 });
    const data = new Float32Array(buffer);
    data.set(x.data as Float32Array);
    const [first, second] = [session.run({ x }), session.run({ x: { ...x, data } })];
    buffer.resize(8);
    await first;
    expect(await second).toEqual(expected);
  });

  it('refuses a run whose memory was transferred while it waited', async () => {
    const session = await open(product);
    const data = Float32Array.from(x.data as Float32Array);
    const first = session.run({ x });
    const second = session.run({ x: { ...x, data } });
    structuredClone(data, { transfer: [data.buffer] });
    await expect(second).rejects.toMatchObject({
      code: 'runtime-run-failed',
      facts: { reason: expect.stringContaining('has 0 bytes where its shape [1, 64] needs 256') },
    });
    expect(await session.run({ x })).toEqual(await first);
  });

  it('has an error of its own when OpenVINO fails to run it, and runs after that', async () => {
    const nodes = [node('Reshape', ['x', 's'], ['y'])];
    const ends = { inputs: [value('x', ['n']), value('s', [2], 7)], outputs: [value('y', ['a', 'b'])] };
    const session = await open(encode(model(graph({ nodes, ...ends }))));
    const shape = (sizes: bigint[]) =>
      ({ type: 'int64', dims: [2], data: BigInt64Array.from(sizes) }) as const;
    const six = floats([6], [1, 2, 3, 4, 5, 6]);
    await expect(session.run({ x: six, s: shape([4n, 2n]) })).rejects.toMatchObject({
      code: 'runtime-run-failed',
      facts: { reason: expect.stringMatching(/\w.*\(GENERAL_ERROR\)$/) },
    });
    expect((await session.run({ x: six, s: shape([3n, 2n]) })).y?.dims).toEqual([3, 2]);
  });

  it('leaves the event loop free while it opens and runs', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const session = await open(product);
    await session.run({ x });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
