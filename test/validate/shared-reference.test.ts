import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPipeline } from '../../src/pipeline/read-pipeline.js';
import { runPipeline } from '../../src/run-pipeline.js';
import { encodeModel, node, value } from '../fixtures/tiny-onnx.js';

const pipelineText = `name: noisy
model: m.onnx
convert: { minWeightBytes: 0 }
variants: [{ precision: fp32 }, { precision: fp32, layout: external }, { precision: fp16-weights }]
`;

it('runs the reference once for all variants of a run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shared-'));
  await writeFile(join(folder, 'm.onnx'), makeNoise());
  await writeFile(join(folder, 'a.yaml'), pipelineText);
  const pipeline = await readPipeline(join(folder, 'a.yaml'), {}, folder);
  const { variants } = await runPipeline(pipeline, { until: 'validate' });
  const magnitudes = variants.map(({ parity }) => parity?.outputs[0]?.maxAbsReference);
  expect(magnitudes).toEqual(Array(3).fill(expect.any(Number)));
  // Two runs of it would not have come to the same.
  expect(new Set(magnitudes).size).toBe(1);
});

/** Gives something else each time it runs. */
function makeNoise(): Uint8Array {
  return encodeModel({
    input: [value('x', 'float32', [64])],
    output: [value('y', 'float32', [64])],
    node: [node('RandomUniformLike', ['x'], ['y'])],
  });
}
