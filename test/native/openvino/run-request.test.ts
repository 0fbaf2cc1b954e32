import koffi from 'koffi';
import { beforeEach, describe, expect, it } from 'vitest';
import { callAside, create } from '../../../src/native/openvino/checked-call.js';
import { numberOfType } from '../../../src/native/openvino/element-types.js';
import { makeOwner } from '../../../src/native/openvino/owner.js';
import type { OpenvinoNative } from '../../../src/runtimes/openvino/openvino-adapter.js';
import { encode, graph, model, node, ramp, value } from '../../fixtures/build-model.js';
import { floats, useOpenvino } from '../../fixtures/openvino-session.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const open = useOpenvino();
const size = 1024;
/** An inference of it lasts many milliseconds. */
const slow = encode(
  model(
    graph({
      nodes: [node('MatMul', ['x', 'w'], ['y'])],
      inputs: [value('x', [size, size])],
      outputs: [value('y', [size, size])],
      initializers: [ramp('w', [size, size])],
    }),
  ),
);

beforeEach(async (context) => {
  await requireOpenvino(context);
});

/** As many calls as koffi takes at once, and then none. */
function callTooMuch(): Promise<unknown> {
  const sleep = koffi.load('libc.so.6').func('usleep', 'int', ['uint32_t']);
  const most = koffi.config().max_async_calls ?? 0;
  const calls = Array.from({ length: most }, () => {
    return new Promise((resolve) => sleep.async(2000, resolve));
  });
  return Promise.all(calls);
}

describe('calls on other threads', () => {
  it('wait for each other before there are more than are taken', async () => {
    const { library } = (await open(slow)).native as OpenvinoNative;
    const { createTensor, freeTensor, getTensorSize } = library.functions;
    const count = 2 * (koffi.config().max_async_calls ?? 0);
    const owner = makeOwner();
    try {
      const shape = { rank: 1, dims: BigInt64Array.of(2n) };
      const tensor = create(library, owner, freeTensor, (out) =>
        createTensor(numberOfType('f32'), shape, out),
      );
      const sizes = Array.from({ length: count }, (): [number | null] => [null]);
      await Promise.all(sizes.map((out) => callAside(library, getTensorSize, tensor, out)));
      expect(new Set(sizes.map(([bytes]) => Number(bytes)))).toEqual(new Set([8]));
    } finally {
      owner.free();
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'that are refused leave no inference behind, with memory that is freed',
    async () => {
      const session = await open(slow);
      const feeds = { x: floats([size, size], new Float32Array(size * size)) };
      const busy = callTooMuch();
      // An inference that still goes on would be busy the second time.
      for (let run = 0; run < 2; run++)
        await expect(session.run(feeds)).rejects.toMatchObject({
          code: 'runtime-run-failed',
          facts: { reason: expect.stringMatching(/asynchronous calls/i) },
        });
      await busy;
      expect((await session.run(feeds)).y?.dims).toEqual([size, size]);
    },
  );
});
