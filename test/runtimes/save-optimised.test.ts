import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mappedSession, usualSession } from '../../src/lib/session-options.js';
import type { Tensor } from '../../src/lib/tensor.js';
import { importRuntime } from '../../src/runtimes/import-runtime.js';
import { plainSettings } from '../../src/runtimes/runtime.js';
import { saveOptimised } from '../../src/runtimes/save-optimised.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { encodeModel, floatTensor, node, value } from '../fixtures/tiny-onnx.js';

const makeFolder = useTempFolder();
const width = 32;
const weights = Array.from({ length: width * width }, (_, index) => (index % 7) / 8);

/** Two products by the same constant, one of them by way of a sum of constants that an engine computes beforehand. */
const model = encodeModel({
  input: [value('x', 'float32', [1, width])],
  output: [value('y', 'float32', [1, width])],
  initializer: [
    floatTensor('w', [width, width], weights),
    floatTensor('b', [width], weights.slice(0, width)),
  ],
  node: [node('Add', ['b', 'b'], ['bb']), node('MatMul', ['x', 'w'], ['h']), node('Add', ['h', 'bb'], ['y'])],
});
const x: Tensor = { type: 'float32', dims: [1, width], data: Float32Array.from(weights.slice(5, 5 + width)) };

it.each([false, true])(
  'saves a model whose sessions give the same answer, prepacked: %s',
  async (isPrepacked) => {
    const folder = await makeFolder();
    const original = join(folder, 'original.onnx');
    await writeFile(original, model);
    const runtime = await importRuntime('onnxruntime');
    const path = join(folder, 'model.onnx');
    const target = { path, dataFileName: 'model.onnx.data', optimisation: 'all', isPrepacked } as const;
    await saveOptimised(original, target);
    expect((await readdir(folder)).sort()).toEqual(['model.onnx', 'model.onnx.data', 'original.onnx']);
    const outputs = [];
    for (const [source, options] of [
      [original, usualSession],
      [path, isPrepacked ? usualSession : mappedSession],
    ] as const) {
      const session = await runtime.openSession({ path: source }, { ...plainSettings, threads: 1, options });
      outputs.push((await session.run({ x })).y?.data);
      await session.close();
    }
    expect(outputs[1]).toEqual(outputs[0]);
  },
);

it('saves weights a second time, as the kernels pack them, when they shall be prepacked', async () => {
  const folder = await makeFolder();
  const original = join(folder, 'original.onnx');
  await writeFile(original, model);
  const sizes = [];
  for (const isPrepacked of [false, true]) {
    const dataFileName = `${isPrepacked}.data`;
    const path = join(folder, `${isPrepacked}.onnx`);
    await saveOptimised(original, { path, dataFileName, optimisation: 'all', isPrepacked });
    sizes.push((await stat(join(folder, dataFileName))).size);
  }
  expect(sizes[1]).toBeGreaterThan(sizes[0] ?? 0);
});

it('names the model that cannot be opened', async () => {
  const folder = await makeFolder();
  const path = join(folder, 'model.onnx');
  const target = { path, dataFileName: 'data', optimisation: 'all', isPrepacked: false } as const;
  const refusal = saveOptimised(join(folder, 'missing.onnx'), target);
  await expect(refusal).rejects.toMatchObject({ code: 'runtime-refused-model' });
});
