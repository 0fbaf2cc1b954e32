import { describe, expect, test } from 'vitest';
import { metrics } from '../../src/lib/objective.js';
import type { PickCandidate } from '../../src/pick/pick-candidate.js';
import { candidate, measure, measures, pick } from './candidates.js';

const half = candidate({
  variantId: 'fp16-weights.single',
  sizeBytes: 500,
  measures: measures({ total: 350, ready: 300, steady: 6 }),
});

describe('the winner', () => {
  test('is the lowest on the objective, and each loser says how far behind it is', () => {
    const result = pick([candidate({ measures: measures({ total: 497, ready: 1, steady: 1 }) }), half]);
    expect(result.winner).toMatchObject({
      variantId: 'fp16-weights.single',
      delivery: 's3-copy',
      value: 350,
      unit: 'ms',
      reason: 'lowest total, 350 ms; next is fp32.single by s3-copy at 497 ms',
    });
    expect(result.losers).toMatchObject([{ ratioToWinner: 1.42, reason: "1.42 × the winner's total" }]);
  });

  test('is chosen by the objective asked for', () => {
    const winners = metrics
      .slice(0, 4)
      .map((objective) => pick([candidate(), half], { objective }).winner?.variantId);
    expect(winners).toEqual([
      'fp16-weights.single',
      'fp16-weights.single',
      'fp32.single',
      'fp16-weights.single',
    ]);
  });

  test('measures size in bytes', () => {
    expect(pick([half], { objective: 'size' }).winner).toMatchObject({
      value: 500,
      unit: 'bytes',
      reason: 'the only candidate left, size 500 B',
    });
  });

  test('does not hide a small lead behind a ratio of 1.00', () => {
    const close = candidate({ variantId: 'b', measures: measures({ total: 350.7, ready: 1, steady: 1 }) });
    expect(pick([half, close]).losers[0]?.reason).toBe("0.7 ms more than the winner's total");
  });

  test('of a tie is the smaller, then the earlier delivery, then the first by name', () => {
    const same = { measures: half.measures };
    const larger = candidate({ variantId: 'a', ...same });
    expect(pick([larger, half]).losers[0]?.reason).toBe('equal total; the winner is 500 B smaller to deploy');
    const lazy = { ...half, delivery: 'lazy' } as const;
    expect(pick([lazy, half])).toMatchObject({
      winner: { delivery: 's3-copy' },
      losers: [{ reason: 'equal total; of the same size, so s3-copy comes before lazy' }],
    });
    const named = { ...half, variantId: 'fp16.single' };
    expect(pick([named, half])).toMatchObject({
      winner: { variantId: 'fp16-weights.single' },
      losers: [{ reason: 'equal total; of the same size, so the first by name wins' }],
    });
  });
});

describe('a candidate cannot win', () => {
  test.each([
    [{ parity: { verdict: 'fail', reason: 'max error 0.3' } }, 'parity failed: max error 0.3'],
    [
      { parity: { verdict: 'partial', reason: 'one output is no tensor.' } },
      'parity is partial: one output is no tensor',
    ],
    [{ parity: null }, 'parity was not judged'],
    [
      { budget: { verdict: 'fail', reason: 'does not fit: unzipped 251 MiB' } },
      'does not fit: unzipped 251 MiB',
    ],
    [{ budget: null }, 'no budget was checked'],
    [
      { budget: { verdict: 'unknown', reason: 'cannot be judged: no openvino for linux/x64 is here' } },
      'the budget cannot be judged: no openvino for linux/x64 is here',
    ],
    [{ failures: 2 }, '2 samples failed'],
    [{ measures: measures({ total: null, ready: 1, steady: 1 }) }, 'no measurement of total'],
    [{ measures: measures({ total: Number.NaN, ready: 1, steady: 1 }) }, 'no measurement of total'],
  ])('with %j', (over, reason) => {
    const result = pick([{ ...half, ...over }, candidate()]);
    expect(result.winner?.variantId).toBe('fp32.single');
    expect(result.losers).toMatchObject([
      { variantId: half.variantId, value: null, ratioToWinner: null, reason },
    ]);
  });

  test('and hears everything that speaks against it', () => {
    const bad = { ...half, parity: null, failures: 1, budget: { verdict: 'fail', reason: 'too big' } };
    expect(pick([bad]).losers[0]?.reason).toBe(
      'parity was not judged; does not fit: too big; 1 sample failed',
    );
  });

  test('unless the pipeline allows it', () => {
    const unproven = {
      ...half,
      parity: { verdict: 'inconclusive', reason: 'random operator' },
      budget: null,
    };
    expect(
      pick([unproven, candidate()], { require: { parity: 'any', budgets: 'any', bound: 'no' } }).winner
        ?.variantId,
    ).toBe(half.variantId);
  });

  test('when its measurement leaves something out, and it is listed apart, as bench has said it', () => {
    const layer = candidate({
      delivery: 'layer',
      measures: measures({ total: 1, ready: 1, steady: 1 }),
      notComparable: [{ objective: 'total', reason: 'environment creation is not seen' }],
    });
    const result = pick([layer, half]);
    expect(result.winner?.variantId).toBe(half.variantId);
    expect(result.losers).toEqual([]);
    expect(result.notComparable).toMatchObject([
      { variantId: 'fp32.single', delivery: 'layer', reason: 'environment creation is not seen' },
    ]);
    expect(result.findings).toEqual([]);
    expect(pick([layer, half], { objective: 'steady' }).winner?.delivery).toBe('layer');
  });
});

describe('findings', () => {
  test('name every reason when no candidate is left', () => {
    const result = pick([{ ...half, parity: null }]);
    expect(result.winner).toBeNull();
    expect(result.findings).toMatchObject([
      { code: 'pick-no-candidate', severity: 'error', facts: { considered: 1 } },
    ]);
    expect(result.findings[0]?.what).toContain('fp16-weights.single by s3-copy: parity was not judged');
    expect(pick([]).findings).toMatchObject([{ code: 'pick-no-candidate', facts: { considered: 0 } }]);
  });

  test('say that fewer than 6 runs establish no order, wherever there is one', () => {
    const few = [
      { ...half, runs: 3 },
      { ...candidate(), runs: 6 },
    ];
    const result = pick(few);
    expect(result.findings).toMatchObject([
      { code: 'pick-few-runs', severity: 'info', facts: { runs: 3, neededRuns: 6 } },
    ]);
    expect(result.winner?.reason).toBe(
      'lowest total, 350 ms; next is fp32.single by s3-copy at 500 ms; 3 runs do not establish the order',
    );
    expect(pick([half, { ...candidate(), runs: 6 }]).findings).toEqual([]);
    expect(pick(few, { objective: 'size' }).findings).toEqual([]);
    expect(pick([{ ...half, runs: 1 }]).findings).toEqual([]);
    expect(pick([half, { ...candidate(), runs: 1, failures: 1 }]).findings).toEqual([]);
  });

  test('say of a lazy winner on ready that the variant had no part in it', () => {
    const lazy = candidate({ delivery: 'lazy', measures: measures({ total: 384, ready: 40, steady: 5 }) });
    const result = pick([lazy, half], { objective: 'ready' });
    expect(result.winner?.reason).toContain(
      'ready of lazy does not depend on the variant; its total is 384 ms',
    );
    expect(result.findings).toMatchObject([{ code: 'pick-ready-of-lazy', facts: { totalMs: 384 } }]);
    expect(pick([lazy], { objective: 'total' }).findings).toEqual([]);
    const unmeasured = { ...lazy, measures: measures({ total: null, ready: 40, steady: 5 }) };
    expect(pick([unmeasured], { objective: 'ready' }).winner?.reason).toContain('its total was not measured');
  });
});

describe('a winner that nothing proves', () => {
  const lax = { require: { parity: 'any', budgets: 'any', bound: 'no' } } as const;

  test.each([
    [{ verdict: 'fail', reason: '3 of 9 elements outside' }, 'parity failed: 3 of 9 elements outside'],
    [
      { verdict: 'partial', reason: 'one output is no tensor.' },
      'parity is partial: one output is no tensor',
    ],
    [{ verdict: 'inconclusive', reason: 'random.' }, 'parity is inconclusive: random'],
    [null, 'parity was not judged'],
  ])('has parity %j in its reason and in a warning', (parity, reason) => {
    const result = pick([{ ...half, parity }, candidate()], lax);
    expect(result.winner?.reason).toBe(
      `lowest total, 350 ms; next is fp32.single by s3-copy at 500 ms; chosen although ${reason}`,
    );
    expect(result.findings).toMatchObject([
      { code: 'pick-unproven-winner', severity: 'warning', facts: { reason } },
    ]);
  });

  test('or that does not fit has that in its reason and in a warning as well', () => {
    const budget = { verdict: 'fail', reason: 'does not fit: unzipped 251 MiB' };
    const result = pick([{ ...half, budget }], lax);
    expect(result.winner?.reason).toBe(
      'the only candidate left, total 350 ms; chosen although it does not fit: unzipped 251 MiB',
    );
    expect(result.findings).toMatchObject([
      {
        code: 'pick-winner-over-budget',
        severity: 'warning',
        facts: { reason: 'it does not fit: unzipped 251 MiB' },
      },
    ]);
  });

  test('is said of the winner only', () => {
    expect(pick([half, candidate({ parity: null, budget: null })], lax).findings).toEqual([]);
  });
});

describe('within the noise', () => {
  const measured = (totalMs: number, spread: number, over: Partial<PickCandidate>) =>
    candidate({
      measures: measures({ total: measure(totalMs, { min: totalMs - spread, max: totalMs + spread }) }),
      ...over,
    });

  test('every loser whose samples overlap is named, the closest in the reason', () => {
    const result = pick([
      measured(377, 20, { delivery: 'lazy', sizeBytes: 10 }),
      measured(390, 20, { delivery: 's3-copy' }),
      measured(500, 20, { variantId: 'far' }),
      measured(410, 20, { variantId: 'b' }),
      measured(408, 20, { variantId: 'a' }),
    ]);
    expect(result.winner).toMatchObject({
      delivery: 'lazy',
      reason: 'lowest total, 377 ms; within the noise of fp32.single by s3-copy (390 ms) and 2 more',
    });
    expect(result.findings).toMatchObject([
      {
        code: 'pick-within-noise',
        facts: {
          overlapping: [
            { name: 'fp32.single by s3-copy' },
            { name: 'a by s3-copy', min: 388 },
            { name: 'b by s3-copy' },
          ],
        },
      },
    ]);
    expect(result.losers.map((loser) => loser.reason.endsWith(', within the noise'))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test('is not said when the samples are apart, or unknown', () => {
    expect(pick([measured(340, 10, {}), measured(400, 10, { variantId: 'b' })]).findings).toEqual([]);
    expect(pick([half, measured(400, 300, {})]).findings).toEqual([]);
  });

  test('of the lowest, the smaller artifact ships, and the reason says so', () => {
    const result = pick([
      measured(377, 20, { variantId: 'fp32.single', sizeBytes: 2000 }),
      measured(384, 20, { variantId: 'fp16.single', sizeBytes: 1500 }),
      measured(420, 50, { variantId: 'tiny.single', sizeBytes: 10 }),
    ]);
    expect(result.winner).toMatchObject({
      variantId: 'fp16.single',
      value: 384,
      reason:
        'total 384 ms, within the noise of the lowest, fp32.single by s3-copy (377 ms) and 1 more; the winner is 500 B smaller to deploy',
    });
    expect(result.losers[0]).toMatchObject({
      variantId: 'fp32.single',
      reason: "7 ms less than the winner's total, within the noise; the winner is 500 B smaller to deploy",
    });
    expect(result.losers[0]?.ratioToWinner).toBeCloseTo(377 / 384);
  });

  test('of the lowest, among equals in size the simpler layout ships, then the earlier delivery', () => {
    const external = measured(377, 20, { variantId: 'fp16.external', layout: 'external' });
    const single = measured(380, 20, { variantId: 'fp16.single' });
    expect(pick([external, single]).winner).toMatchObject({
      variantId: 'fp16.single',
      reason:
        'total 380 ms, within the noise of the lowest, fp16.external by s3-copy (377 ms); of the same size, so the simpler layout, single, wins',
    });
    const lazy = measured(377, 20, { delivery: 'lazy' });
    expect(pick([lazy, single]).winner?.reason).toMatch(/so s3-copy comes before lazy$/);
  });

  test('but medians more than 10 % apart are not taken for equal', () => {
    const large = measured(1000, 100, { variantId: 'large', sizeBytes: 2000 });
    const at = (totalMs: number) => pick([large, measured(totalMs, 100, { variantId: 'small' })]).winner;
    expect(at(1100)?.variantId).toBe('small');
    expect(at(1100.1)?.variantId).toBe('large');
  });
});
