import { expect, test } from 'vitest';
import { quietContext } from '../../src/lib/work-context.js';
import type { PickOptions } from '../../src/pick/pick-rules.js';
import { pickStep } from '../../src/pick/step.js';
import { candidate, measures, usualRules } from './candidates.js';

const half = candidate({
  variantId: 'fp16-weights.single',
  sizeBytes: 500,
  measures: measures({ total: 350, ready: 300, steady: 6 }),
});

test('the pick step says what it chose and carries the findings', async () => {
  const options: PickOptions = { ...usualRules, candidates: [half], leftOut: [] };
  const outcome = await pickStep(options, () => 'unknown').call(quietContext());
  expect(outcome.line).toBe('fp16-weights.single by s3-copy, total 350 ms');
  const doubtful = { ...half, parity: null, runs: 2 };
  const lax = {
    ...options,
    candidates: [doubtful, candidate()],
    require: { parity: 'any', budgets: 'any', bound: 'no' },
  } as const;
  expect((await pickStep(lax, () => 'unknown').call(quietContext())).line).toBe(
    'fp16-weights.single by s3-copy, total 350 ms, parity not proven, order not established',
  );
  const none = await pickStep({ ...options, candidates: [{ ...half, failures: 1 }] }, () => 'unknown').call(
    quietContext(),
  );
  expect(none.line).toBe('no candidate is left of 1');
  expect(none.findings).toHaveLength(1);
});

test('the pick step is keyed by everything that the choice rests on', () => {
  const options: PickOptions = { ...usualRules, candidates: [half], leftOut: [] };
  expect(pickStep(options, () => 'unknown').key).toEqual(options);
});
