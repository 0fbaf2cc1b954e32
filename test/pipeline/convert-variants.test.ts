import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { convertVariants } from '../../src/convert-variants.js';
import { describeProcessor } from '../../src/lib/processor.js';
import { nameVariant } from '../../src/lib/variant.js';
import { type Pipeline, readPipeline } from '../../src/pipeline/read-pipeline.js';
import type { StepRunner } from '../../src/pipeline/run-steps.js';
import type { Step } from '../../src/pipeline/step.js';
import { restoreOutcome } from '../../src/restore-outcome.js';
import { recordOf } from '../fixtures/opaque-artifact.js';

const pipelineText = `name: big
model: big.onnx
variants:
  - { precision: fp16, layout: single }
  - { precision: fp16, layout: external }
convert:
  io: [image]
  keepFp32: ['op:Softmax', 'node:a,b']
  withoutRules: [ranges]
  maxWeightError: 0.5
`;
const openvino = { version: null, missing: null, processor: describeProcessor() };
const model = { path: 'big.onnx', sizeBytes: 1, sha256: 'a'.repeat(64) };

async function read(text = pipelineText): Promise<Pipeline> {
  const path = join(await mkdtemp(join(tmpdir(), 'variants-')), 'big.yaml');
  await writeFile(path, text);
  return readPipeline(path);
}

/** Conversions of a model that does not fit into one file, whatever is asked for. */
const variant = nameVariant({
  precision: 'fp16',
  engine: 'onnxruntime',
  layout: 'external',
  inference: 'f32',
});
const converted = { variant, record: { ...recordOf({ 'model.onnx': Buffer.from('x') }), variant } };

function recordSteps(): { readonly runner: StepRunner; readonly steps: Step<unknown>[] } {
  const steps: Step<unknown>[] = [];
  const step = async <Output>(asked: Step<Output>): Promise<Output> => {
    steps.push(asked as Step<unknown>);
    return converted as Output;
  };
  return { runner: { step, notes: [], reports: () => [] }, steps };
}

it('hands the options of the pipeline to each conversion', async () => {
  const { runner, steps } = recordSteps();
  await convertVariants(runner, await read(), model, openvino, []);
  expect(steps.map((step) => step.subject)).toEqual(['fp16.single', 'fp16.external']);
  expect(steps[0]?.key).toMatchObject({
    io: ['image'],
    keepFp32: ['op:Softmax', 'node:a,b'],
    withoutRules: ['ranges'],
    maxWeightError: 0.5,
    minWeightBytes: 1024,
    sourceSha256: model.sha256,
  });
});

it('has a variant once where what was asked for as one file became two files', async () => {
  const pipeline = await read();
  const { variants } = await convertVariants(recordSteps().runner, pipeline, model, openvino, []);
  expect(variants).toMatchObject([
    { id: 'fp16.external', folder: join(pipeline.output, 'variants', 'fp16.single') },
  ]);
  const steps = ['fp16.single', 'fp16.external'].map((subject) => ({
    ...{
      verb: 'convert',
      subject,
      key: '',
      output: converted,
      line: '',
      findings: [],
      verdict: 'ok' as const,
    },
    ...{ durationMs: 1, finishedAt: '2026-11-30T16:05:58.000Z' },
  }));
  const reached = steps.map(({ verb, subject }) => ({ verb, subject, reused: false }));
  const record = { pipeline, startedAt: '2026-11-30T16:05:00.000Z', reached, steps };
  const restored = restoreOutcome(record as unknown as Parameters<typeof restoreOutcome>[0]);
  expect(restored.variants).toEqual(variants);
});

it.each([
  ['a rule of no known form', "keepFp32: ['Softmax']", /op:TYPE, node:NAME or output:NAME/],
  ['a reason that does not exist', 'withoutRules: [range]', /did you mean|ranges/i],
  ['inputs and outputs of another type', 'io: bf16', /fp32, fp16 or a list of names/],
  ['a share above 1', 'maxWeightError: 2', /at most 1/],
])('refuses %s with its place', async (_what, line, words) => {
  await expect(read(`name: big\nmodel: big.onnx\nconvert: { ${line} }\n`)).rejects.toMatchObject({
    code: 'pipeline-invalid',
    message: expect.stringMatching(words),
  });
});

it('refuses a rule of a pipeline that was made in code', async () => {
  const pipeline = await read();
  const wrong = { ...pipeline, convert: { ...pipeline.convert, keepFp32: ['Softmax'] } };
  await expect(convertVariants(recordSteps().runner, wrong, model, openvino, [])).rejects.toMatchObject({
    code: 'keep-rule-wrong',
    facts: { rule: 'Softmax' },
  });
});

it('makes nothing anew because of other bounds', async () => {
  const text = (parity: string) =>
    `name: big\nmodel: big.onnx\nvariants: [{ precision: fp16, layout: external${parity} }]\n`;
  const [plain, bounded] = [recordSteps(), recordSteps()];
  await convertVariants(plain.runner, await read(text('')), model, openvino, []);
  await convertVariants(bounded.runner, await read(text(', parity: { rtol: 0.5 }')), model, openvino, []);
  expect(bounded.steps[0]?.key).toEqual(plain.steps[0]?.key);
});
