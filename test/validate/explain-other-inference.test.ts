import { expect, it } from 'vitest';
import { explainOtherInference } from '../../src/validate/explain-other-inference.js';

it('proves nothing about arithmetic that the processor did not use, and says so', () => {
  expect(explainOtherInference('c', 'bf16', 'f32')).toMatchObject({
    judgement: { verdict: 'inconclusive', reason: expect.stringContaining('computed in f32 where bf16') },
    finding: {
      ...{ code: 'parity-inference-not-used', severity: 'warning' },
      facts: { candidate: 'c', asked: 'bf16', used: 'f32' },
      remedy: expect.stringContaining('`inference: bf16`'),
    },
  });
  expect(explainOtherInference('c', 'f32', 'bf16')?.judgement.verdict).toBe('inconclusive');
});

it('has nothing to say where what was asked for was used', () => {
  expect(explainOtherInference('c', 'f32', 'f32')).toBeNull();
  expect(explainOtherInference('c', 'bf16', 'bf16')).toBeNull();
});
