import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, it } from 'vitest';
import { exportModel } from '../../../src/native/openvino/compile-model.js';
import type { OpenvinoNative } from '../../../src/runtimes/openvino/openvino-adapter.js';
import { encode, graph, model, node, value } from '../../fixtures/build-model.js';
import { floats, useOpenvino } from '../../fixtures/openvino-session.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const open = useOpenvino();
const tempFolder = useTempFolder();
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

beforeEach(async (context) => {
  await requireOpenvino(context);
});

/** A convolution over an image of any width: its kernels are made for each width that comes. */
const convolution = encode(
  model(
    graph({
      nodes: [node('Cast', ['w'], ['wide'], { to: 1 }), node('Conv', ['x', 'wide'], ['y'])],
      inputs: [value('x', ['n', 64, 3, 'width'])],
      outputs: [value('y', ['n', 'c', 'h', 'v'])],
      initializers: [{ name: 'w', dataType: 10, dims: [512, 64, 3, 3], rawData: halves(512 * 64 * 9) }],
    }),
  ),
);

/** FP16 numbers from 1 up to 2. */
function halves(count: number): Uint8Array {
  return new Uint8Array(
    Uint16Array.from({ length: count }, (_none, index) => 0x3c00 + (index % 1024)).buffer,
  );
}

function image(width: number) {
  return floats(
    [1, 64, 3, width],
    Array.from({ length: 64 * 3 * width }, (_none, index) => ((index * width) % 17) / 17),
  );
}

it('runs a compiled model by its bytes as long as it is open, however long ago they were read', async () => {
  const source = await open(convolution);
  const { library, compiledModel } = source.native as OpenvinoNative;
  const path = join(await tempFolder(), 'model.blob');
  await exportModel(library, compiledModel, path);
  const imported = await open({ path });
  for (const width of [8, 9, 12, 33]) {
    // What nobody holds any more is gone before each inference.
    collect();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const x = image(width);
    expect(await imported.run({ x })).toEqual(await source.run({ x }));
  }
});
