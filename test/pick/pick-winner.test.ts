import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveries } from '../../src/lib/delivery.js';
import { quietContext } from '../../src/lib/work-context.js';
import { objectives, type PickCandidate, type PickOptions } from '../../src/pick/pick-candidate.js';
import { pickWinner } from '../../src/pick/pick-winner.js';
import { pickStep } from '../../src/pick/step.js';

const strict = { parity: 'pass', budgets: 'pass' } as const;

function candidate(over: Partial<PickCandidate> = {}): PickCandidate {
  return {
    variantId: 'fp32.single',
    delivery: 's3-copy',
    sizeBytes: 1000,
    parity: { verdict: 'pass', reason: 'all outputs within' },
    budget: { verdict: 'pass', reason: 'fits' },
    metrics: { totalMs: 500, readyMs: 400, steadyMs: 5 },
    notComparable: [],
    failures: 0,
    ...over,
  };
}

const pick = (candidates: readonly PickCandidate[], over: Partial<PickOptions> = {}) =>
  pickWinner({ candidates, objective: 'total', require: strict, ...over });

const half = candidate({
  variantId: 'fp16-weights.single',
  sizeBytes: 500,
  metrics: { totalMs: 350, readyMs: 300, steadyMs: 6 },
});

describe('the winner', () => {
  test('is the lowest on the objective, and each loser says how far behind it is', () => {
    const result = pick([candidate({ metrics: { totalMs: 497, readyMs: 1, steadyMs: 1 } }), half]);
    expect(result.winner).toEqual({
      variantId: 'fp16-weights.single',
      delivery: 's3-copy',
      value: 350,
      unit: 'ms',
      reason: 'lowest total, 350 ms; next is fp32.single by s3-copy at 497 ms',
    });
    expect(result.losers).toMatchObject([{ ratioToWinner: 1.42, reason: "1.42 × the winner's total" }]);
  });

  test('is chosen by the objective asked for', () => {
    const winners = objectives.map((objective) => pick([candidate(), half], { objective }).winner?.variantId);
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
    const close = candidate({ variantId: 'b', metrics: { totalMs: 350.7, readyMs: 1, steadyMs: 1 } });
    expect(pick([half, close]).losers[0]?.reason).toBe("0.7 ms more than the winner's total");
  });

  test('of a tie is the smaller, then the earlier delivery, then the first by name', () => {
    const same = { metrics: half.metrics };
    const larger = candidate({ variantId: 'a', ...same });
    expect(pick([larger, half]).losers[0]?.reason).toBe('equal total; the winner is 500 B smaller');
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
      { parity: { verdict: 'partial', reason: 'one output is no tensor' } },
      'parity partial: one output is no tensor',
    ],
    [{ parity: null }, 'parity was not judged'],
    [
      { budget: { verdict: 'fail', reason: 'does not fit: unzipped 251 MiB' } },
      'does not fit: unzipped 251 MiB',
    ],
    [{ budget: null }, 'no budget was checked'],
    [{ failures: 2 }, '2 samples failed'],
    [{ metrics: { totalMs: null, readyMs: 1, steadyMs: 1 } }, 'no measurement of total'],
    [{ metrics: { totalMs: Number.NaN, readyMs: 1, steadyMs: 1 } }, 'no measurement of total'],
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
      pick([unproven, candidate()], { require: { parity: 'any', budgets: 'any' } }).winner?.variantId,
    ).toBe(half.variantId);
  });

  test('when its measurement leaves something out, and it is listed apart with a finding', () => {
    const layer = candidate({
      delivery: 'layer',
      metrics: { totalMs: 1, readyMs: 1, steadyMs: 1 },
      notComparable: [{ objective: 'total', reason: 'environment creation is not seen' }],
    });
    const result = pick([layer, half]);
    expect(result.winner?.variantId).toBe(half.variantId);
    expect(result.losers).toEqual([]);
    expect(result.notComparable).toEqual([
      { variantId: 'fp32.single', delivery: 'layer', reason: 'environment creation is not seen' },
    ]);
    expect(result.findings).toMatchObject([{ code: 'pick-not-comparable', severity: 'warning' }]);
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

  test('say when winner and runner-up overlap, and only then', () => {
    const spread = (min: number, max: number) => ({ spreads: { totalMs: { min, max } } });
    const overlapping = [{ ...half, ...spread(340, 420) }, candidate(spread(410, 600))];
    expect(pick(overlapping).findings).toMatchObject([
      { code: 'pick-within-noise', severity: 'info', facts: { winnerMax: 420, runnerUpMin: 410 } },
    ]);
    expect(pick([{ ...half, ...spread(340, 400) }, candidate(spread(410, 600))]).findings).toEqual([]);
    expect(pick([half, candidate(spread(1, 9999))]).findings).toEqual([]);
  });
});

const candidates = fc.uniqueArray(
  fc.record({
    variantId: fc.constantFrom('fp32.single', 'fp16.single', 'fp16-weights.external'),
    delivery: fc.constantFrom(...deliveries),
    sizeBytes: fc.integer({ min: 1, max: 3 }),
    parity: fc.constantFrom(null, { verdict: 'pass', reason: '' }, { verdict: 'fail', reason: 'x' }),
    budget: fc.constantFrom(null, { verdict: 'pass', reason: '' }, { verdict: 'fail', reason: 'x' }),
    metrics: fc.record({
      totalMs: fc.constantFrom(null, 1, 2, 3),
      readyMs: fc.constantFrom(null, 1, 2),
      steadyMs: fc.constantFrom(null, 0, 1),
    }),
    notComparable: fc.constantFrom([], [{ objective: 'total' as const, reason: 'unseen' }]),
    failures: fc.constantFrom(0, 0, 1),
  }),
  { selector: (item) => `${item.variantId} ${item.delivery}`, maxLength: 9 },
);

describe('for any candidates', () => {
  test('the outcome does not depend on their order', () => {
    const shuffled = candidates.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, fc.constantFrom(...objectives), ([list, mixed], objective) => {
        expect(pick(mixed, { objective })).toEqual(pick(list, { objective }));
      }),
    );
  });

  test('none that fails a requirement wins, none better is passed over, and each is named once', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const { winner, losers, notComparable } = pick(list);
        const named = [...(winner === null ? [] : [winner]), ...losers, ...notComparable];
        expect(named.map((row) => `${row.variantId} ${row.delivery}`).sort()).toEqual(
          list.map((row) => `${row.variantId} ${row.delivery}`).sort(),
        );
        const able = list.filter(
          (row) =>
            row.parity?.verdict === 'pass' &&
            row.budget?.verdict === 'pass' &&
            row.failures === 0 &&
            row.notComparable.length === 0 &&
            row.metrics.totalMs !== null,
        );
        expect(winner === null).toBe(able.length === 0);
        if (winner !== null)
          expect(winner.value).toBe(Math.min(...able.map((row) => row.metrics.totalMs ?? 9)));
        expect(losers.every((loser) => loser.reason !== '')).toBe(true);
      }),
    );
  });
});

describe('rows built to the cold-start study', () => {
  // 332.9 MB FP32 and 166.4 MB FP16 at ~60 MB/s; the engine moves session and inference by little.
  const row = (variantId: string, sizeMB: number, sessionMs: number, steadyMs: number) =>
    candidate({
      variantId,
      sizeBytes: sizeMB * 1e6,
      metrics: {
        totalMs: 900 + (sizeMB / 60) * 1000 + sessionMs + 2 * steadyMs,
        readyMs: 900 + (sizeMB / 60) * 1000 + sessionMs,
        steadyMs,
      },
    });
  const rows = [row('fp32.single', 332.9, 700, 210), row('fp16-weights.single', 166.4, 800, 215)];

  test('put the smaller file first on total, although its session and inference are slower', () => {
    expect(pick(rows)).toMatchObject({ winner: { variantId: 'fp16-weights.single' } });
  });

  test('put the plain FP32 model first on steady inference', () => {
    expect(pick(rows, { objective: 'steady' }).winner?.variantId).toBe('fp32.single');
  });
});

test('the pick step says what it chose and carries the findings', async () => {
  const options: PickOptions = { candidates: [half], objective: 'total', require: strict };
  const outcome = await pickStep(options).call(quietContext());
  expect(outcome.line).toBe('fp16-weights.single by s3-copy, total 350 ms');
  const none = await pickStep({ ...options, candidates: [{ ...half, failures: 1 }] }).call(quietContext());
  expect(none.line).toBe('no candidate is left of 1');
  expect(none.findings).toHaveLength(1);
});
