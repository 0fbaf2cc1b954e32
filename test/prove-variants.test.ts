import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nameVariant, type Variant } from '../src/lib/variant.js';
import { readPipeline } from '../src/pipeline/read-pipeline.js';
import type { StepRunner } from '../src/pipeline/run-steps.js';
import type { Step } from '../src/pipeline/step.js';
import { proveVariants } from '../src/prove-variants.js';
import type { RunVariant } from '../src/run-pipeline.js';
import { recordOf } from './fixtures/opaque-artifact.js';

const pipelineText = `name: a
model: m.onnx
parity: { rtol: 1e-4, atol: 1e-5, cosine: 0.999 }
variants:
  - { precision: fp32 }
  - { precision: fp16-weights, parity: { atol: 1 } }
  - { precision: fp32, engine: openvino }
  - { precision: fp32, engine: openvino, inference: bf16 }
  - { precision: fp16-weights, engine: openvino, inference: bf16, parity: { rtol: 0.2, cosine: 0.9 } }
  - { precision: fp16-weights, engine: openvino, inference: f16 }
`;

function madeOf(variant: Variant): RunVariant {
  const record = { ...recordOf({ 'model.onnx': Buffer.from('x') }), variant };
  return { id: variant.id, folder: variant.id, record } as unknown as RunVariant;
}

/** What the steps of all variants rest on, by variant. */
async function keysOf(
  made: (variant: Variant) => Variant = (variant) => variant,
  processor = { model: 'A', architecture: 'x64', instructionSets: ['avx2'] },
) {
  const path = join(await mkdtemp(join(tmpdir(), 'prove-')), 'a.yaml');
  await writeFile(path, pipelineText);
  const pipeline = await readPipeline(path);
  const keys = new Map<string, unknown>();
  const step = async <Output>(asked: Step<Output>): Promise<Output> => {
    keys.set(asked.subject, asked.key);
    return null as Output;
  };
  const runner: StepRunner = { step, notes: [], reports: () => [] };
  const ground = {
    model: { path: 'm.onnx', sizeBytes: 1, sha256: 'a'.repeat(64) },
    openvino: { version: '2026.4.1', missing: null, processor },
  };
  await proveVariants(
    runner,
    pipeline,
    ground,
    pipeline.variants.map((asked) => madeOf(made(nameVariant(asked)))),
  );
  return (id: string) =>
    keys.get(id) as {
      readonly bounds: unknown;
      readonly engineVersion?: string;
      readonly processor?: unknown;
    };
}

it('judges each variant by its own bounds, then those of the pipeline, wider for bf16', async () => {
  const keyOf = await keysOf();
  const ofAll = { rtol: 1e-4, atol: 1e-5, cosine: 0.999 };
  expect(keyOf('fp32.single').bounds).toEqual(ofAll);
  expect(keyOf('fp16-weights.single').bounds).toEqual({ ...ofAll, atol: 1 });
  expect(keyOf('fp32.openvino.ir').bounds).toEqual(ofAll);
  expect(keyOf('fp32.openvino.ir.bf16').bounds).toEqual({ rtol: 5e-2, atol: 2e-2, cosine: 0.999 });
  expect(keyOf('fp16-weights.openvino.ir.bf16').bounds).toEqual({ rtol: 0.2, atol: 2e-2, cosine: 0.9 });
  expect(keyOf('fp16-weights.openvino.ir.f16').bounds).toEqual(ofAll);
});

it('keeps the bounds of a variant that became external', async () => {
  const becomeExternal = (variant: Variant) =>
    nameVariant({ ...variant, layout: variant.layout === 'single' ? 'external' : variant.layout });
  const keyOf = await keysOf(becomeExternal);
  expect(keyOf('fp16-weights.external').bounds).toMatchObject({ atol: 1 });
});

it('rests on the version of OpenVINO for its own variants alone', async () => {
  const keyOf = await keysOf();
  expect(keyOf('fp32.openvino.ir').engineVersion).toBe('2026.4.1');
  expect(keyOf('fp32.single')).not.toHaveProperty('engineVersion');
});

it('rests on the processor where OpenVINO computes', async () => {
  const processor = { model: 'B', architecture: 'x64', instructionSets: ['avx2', 'avx512_bf16'] };
  const [here, there] = [await keysOf(), await keysOf(undefined, processor)];
  for (const id of ['fp32.openvino.ir', 'fp32.openvino.ir.bf16']) {
    expect(there(id).processor).toEqual(processor);
    expect(there(id)).not.toEqual(here(id));
  }
  expect(there('fp32.single')).toEqual(here('fp32.single'));
});
