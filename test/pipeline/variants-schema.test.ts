import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nameVariant } from '../../src/lib/variant.js';
import { pipelineJsonSchema } from '../../src/pipeline/pipeline-schema.js';
import { printYaml } from '../../src/pipeline/print-yaml.js';
import { type Pipeline, readPipeline } from '../../src/pipeline/read-pipeline.js';

async function read(...variants: readonly string[]): Promise<Pipeline> {
  const path = join(await mkdtemp(join(tmpdir(), 'variants-')), 'p.yaml');
  const lines = variants.map((variant) => `  - { ${variant} }\n`).join('');
  await writeFile(path, `name: a\nmodel: m.onnx\nvariants:\n${lines}`);
  return readPipeline(path);
}

async function problemsOf(...variants: readonly string[]): Promise<unknown> {
  const error = await read(...variants).catch((thrown) => thrown);
  expect(error.code).toBe('pipeline-invalid');
  return error.facts.problems;
}

it('takes the layout of the engine where none is named', async () => {
  const { variants } = await read(
    'precision: fp32',
    'precision: fp16-weights, engine: openvino',
    'precision: fp16-weights, engine: openvino, inference: bf16',
    'precision: fp16-weights, engine: openvino, layout: external',
    'precision: fp32, engine: openvino, layout: blob',
  );
  expect(variants.map((variant) => nameVariant(variant).id)).toEqual([
    'fp32.single',
    'fp16-weights.openvino.ir',
    'fp16-weights.openvino.ir.bf16',
    'fp16-weights.openvino.external',
    'fp32.openvino.blob',
  ]);
});

it('takes bounds of one variant, as many of them as are given', async () => {
  const { variants } = await read(
    'precision: fp32, engine: openvino, inference: bf16, parity: { rtol: 0.1, cosine: 0.999 }',
  );
  expect(variants[0]?.parity).toEqual({ rtol: 0.1, cosine: 0.999 });
});

it.each([
  ['precision: fp32, layout: ir', 'layout', 'fp32.ir: ir is a layout of openvino', 'engine: openvino', 32],
  ['precision: fp32, inference: bf16', 'inference', 'bf16 is for openvino', 'engine: openvino', 35],
  ['precision: fp16, engine: openvino', 'precision', 'ir stores fp32 or fp16-weights', 'fp16-weights', 18],
])('refuses what contradicts itself, with its place: %s', async (variant, key, words, suggestion, column) => {
  expect(await problemsOf(variant)).toEqual([
    {
      ...{ path: `variants.0.${key}`, line: 4, suggestion, column },
      problem: expect.stringContaining(words),
    },
  ]);
});

it('refuses a variant that is there twice, at the second place', async () => {
  const same = ['precision: fp32, engine: openvino', 'precision: fp32, engine: openvino, layout: ir'];
  expect(await problemsOf('precision: fp32', ...same)).toEqual([
    {
      ...{ path: 'variants.2', line: 6, column: 5, suggestion: null },
      problem: '`variants` names fp32.openvino.ir more than once',
    },
  ]);
});

it('says what is near an unknown key or word of a variant', async () => {
  expect(await problemsOf('precision: fp32, inferense: f32')).toMatchObject([{ suggestion: 'inference' }]);
  expect(await problemsOf('precision: fp32, engine: openvine')).toMatchObject([{ suggestion: 'openvino' }]);
  expect(await problemsOf('precision: fp32, parity: { rtoll: 1 }')).toMatchObject([
    { path: 'variants.0.parity.rtoll', suggestion: 'rtol' },
  ]);
});

it('prints variants as they are run, in a form that reads back the same', async () => {
  const pipeline = await read('precision: fp32, engine: openvino', 'precision: fp32, parity: { atol: 1 }');
  const path = join(await mkdtemp(join(tmpdir(), 'variants-')), 'printed.yaml');
  await writeFile(path, await printYaml(pipeline));
  expect((await readPipeline(path)).variants).toEqual(pipeline.variants);
});

it('describes variants to editors as they may be written', () => {
  const { properties } = pipelineJsonSchema() as { properties: Record<string, { items?: unknown }> };
  expect(properties.variants).toMatchObject({
    type: 'array',
    default: [{ precision: 'fp32' }, { precision: 'fp16-weights' }],
    items: {
      additionalProperties: false,
      required: ['precision'],
      properties: { layout: { enum: ['single', 'external', 'ir', 'blob'] }, parity: { type: 'object' } },
    },
  });
});
