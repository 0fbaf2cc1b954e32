import { expect, it } from 'vitest';
import { findParityFindings } from '../../src/validate/parity-findings.js';

const failed = {
  reference: 'a',
  candidate: 'b',
  verdict: 'fail',
  reason: 'y is outside',
  outputs: [],
  nondeterministic: [],
  bounds: { rtol: 0, atol: 0 },
  engines: {
    reference: { engine: 'onnxruntime', version: '1', inference: 'f32' },
    candidate: { engine: 'openvino', version: '1', inference: 'f32' },
  },
} as const;

it.each([
  ['openvino', 'fp32', /use this model with onnxruntime/],
  ['openvino', 'fp16-weights', /precision that changes less/],
  ['onnxruntime', 'fp32', /precision that changes less/],
] as const)('what fails in %s with %s has a remedy that could help', (engine, precision, remedy) => {
  const [finding] = findParityFindings(failed, { engine, precision, inference: 'f32' }, []);
  expect(finding).toMatchObject({ code: 'parity-exceeded', remedy: expect.stringMatching(remedy) });
});
