import { expect, it } from 'vitest';
import { nameVariant } from '../../src/lib/variant.js';
import { renderConvertReport, renderConvertText } from '../../src/report/text/convert-text.js';
import { examples } from './example-results.js';

const { convert } = examples;
const settings = { colour: false, width: 120 };
const variant = nameVariant({
  ...{ precision: 'fp16-weights', engine: 'openvino', layout: 'ir', inference: 'f32' },
});
const ir = { ...convert, variant, weights: { ...convert.weights, losslessTensors: 0, clampedValues: 1234 } };

it('an IR says how many numbers became ±65504, and nothing of nodes', () => {
  const text = renderConvertText(ir, settings);
  expect(text).toContain('1,234 became ±65504');
  expect(text).not.toMatch(/^nodes/m);
  expect(renderConvertText(convert, settings)).toMatch(/^nodes/m);
});

it('its report has them among the numbers, with their share', () => {
  expect(renderConvertReport(ir, settings)).toMatch(/beyond FP16: became ±65504 +1,234 +< 0.1 %/);
  expect(renderConvertReport(convert, settings)).not.toContain('±65504');
});
