import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveries } from '../../src/lib/delivery.js';
import { type Objective, weighMetrics } from '../../src/lib/objective.js';
import { startModes } from '../../src/lib/start-mode.js';
import { engines, layouts } from '../../src/lib/variant.js';
import type { PickCandidate, PickMeasure, PickMeasures } from '../../src/pick/pick-candidate.js';
import type { PickLimits, PickOptions, TellsApart } from '../../src/pick/pick-rules.js';
import { candidate, measure, measures, pick, usualRules } from './candidates.js';

/** Few values, so that ties are planted; some far apart; some that are no measurement. */
const figure = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(100, 101, 102, 103, 110, 200, 400) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 0) },
);
const spread = fc.constantFrom(
  {},
  { min: 90, max: 101.5 },
  { min: 101, max: 210 },
  { p95: 300, min: 99, max: 500 },
);
/** Samples agree with their median on who is ahead, as those of a benchmark do. */
const pattern = fc.constantFrom([], [1], [1, 1], [0.9, 1.1], [1, 1, 1], [0.9, 1.1, 1]);
/** What no sample holds: nothing, the same for several, or a whole that was measured elsewhere. */
const unseen = fc.constantFrom(0, 0, 50, 80, null);
const aMeasure = fc
  .tuple(figure, spread, pattern, unseen)
  .map(([value, over, factors, unseenMs]): PickMeasure => {
    const samples = factors.map((factor, round) => ({ round, value: factor * value }));
    return measure(value, { ...over, unseenMs, samples: Number.isFinite(value) ? samples : [] });
  });
const maybe = fc.oneof({ weight: 9, arbitrary: aMeasure }, { weight: 1, arbitrary: fc.constant(null) });
const verdict = fc.constantFrom(
  ...[0, 1, 2, 3].map(() => ({ verdict: 'pass', reason: 'fits' })),
  { verdict: 'fail', reason: 'x' },
  null,
);

const aCandidate = fc
  .record({
    variantId: fc.constantFrom('fp32.single', 'fp16.single', 'fp16-weights.external', 'fp32.openvino.ir'),
    delivery: fc.constantFrom(...deliveries),
    startMode: fc.constantFrom(...startModes),
    engine: fc.constantFrom(...engines),
    layout: fc.constantFrom(...layouts),
    memoryMiB: fc.constantFrom(null, 2048),
    sizeBytes: fc.integer({ min: 1, max: 3 }),
    deployedBytes: fc.integer({ min: 1, max: 3 }),
    binding: fc.constantFrom(null, null, null, 'compiled for x'),
    parity: verdict,
    budget: verdict,
    unfit: fc.constantFrom([], [], [], ['snapstart allows no mount']),
    measures: fc.record({ total: maybe, ready: maybe, steady: maybe, costPer100k: maybe }).map(measures),
    notComparable: fc.constantFrom([], [], [{ objective: 'total' as const, reason: 'unseen' }]),
    runs: fc.constantFrom(1, 7),
    failures: fc.constantFrom(0, 0, 0, 1),
  })
  .map(candidate);
const nameOf = ({ variantId, delivery, startMode, memoryMiB }: Named) =>
  `${variantId} ${delivery} ${startMode} ${memoryMiB}`;
type Named = Pick<PickCandidate, 'variantId' | 'delivery' | 'startMode' | 'memoryMiB'>;
const candidates = fc.uniqueArray(aCandidate, { selector: nameOf, maxLength: 8 });

const objective = fc.constantFrom<Objective[]>(
  'total',
  'ready',
  'steady',
  'size',
  'costPer100k',
  { weights: { total: 0.7, costPer100k: 0.3 } },
  { weights: { steady: 2, size: 1, ready: 1 } },
);
const choice = fc.constantFrom('pass', 'any') as fc.Arbitrary<'pass' | 'any'>;
const limit = fc.constantFrom(null, null, 150);
const rules: fc.Arbitrary<Partial<PickOptions>> = fc.record({
  objective,
  require: fc.record({
    parity: choice,
    budgets: choice,
    bound: fc.constantFrom('no' as const, 'any' as const),
  }),
  limits: fc
    .record({ totalP95Ms: limit, costPer100kUsd: limit })
    .map((given) => ({ ...usualRules.limits, ...given })),
  invokedThrough: fc.constantFrom('api-gateway' as const, 'other' as const),
});

const mean = (samples: Parameters<TellsApart>[0]) =>
  samples.reduce((sum, { value }) => sum + value, 0) / samples.length;
/** A judgement that goes both ways, and sometimes says nothing. */
const tellsApart: TellsApart = (left, right) => {
  if (left.length < 2 || right.length < 2) return 'unknown';
  const ratio = mean(left) / mean(right);
  return ratio > 1.15 || ratio < 1 / 1.15 ? 'different' : 'same';
};

const ask = (list: readonly PickCandidate[], given: Partial<PickOptions>) => pick(list, given, tellsApart);
const find = (list: readonly PickCandidate[], named: Named | null) =>
  list.find((one) => named !== null && nameOf(one) === nameOf(named));

describe('for any candidates and rules', () => {
  test('the outcome does not depend on their order', () => {
    const shuffled = candidates.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, rules, ([list, mixed], given) => {
        const leftOut = [
          { variantId: 'b', reason: 'x' },
          { variantId: 'a', reason: 'y' },
        ];
        expect(ask(mixed, { ...given, leftOut: leftOut.toReversed() })).toEqual(
          ask(list, { ...given, leftOut }),
        );
      }),
    );
  });

  test('each is named once, with a reason', () => {
    fc.assert(
      fc.property(candidates, rules, (list, given) => {
        const { winner, losers, notComparable } = ask(list, given);
        const named = [...(winner === null ? [] : [winner]), ...losers, ...notComparable];
        expect(named.map(nameOf).sort()).toEqual(list.map(nameOf).sort());
        expect(named.every(({ reason }) => reason !== '')).toBe(true);
      }),
    );
  });

  test('none that fails a requirement wins, and one wins where one fails none', () => {
    fc.assert(
      fc.property(candidates, rules, (list, given) => {
        const { winner } = ask(list, given);
        const able = list.filter((one) => isAble(one, given));
        expect(winner === null).toBe(able.length === 0);
        if (winner !== null) expect(able.map(nameOf)).toContain(nameOf(winner));
      }),
    );
  });

  test('the winner is never told apart from the lowest', () => {
    fc.assert(
      fc.property(candidates, rules, objective, (list, given, minimised) => {
        if (typeof minimised !== 'string') return;
        const { winner, losers } = ask(list, { ...given, objective: minimised });
        if (winner === null) return;
        const competed = [winner, ...losers].filter(({ value }) => value !== null);
        const least = Math.min(...competed.map(({ value }) => value ?? Number.NaN));
        expect(winner.value).toBeLessThanOrEqual(least * 1.1 + 1e-9);
        const lowest = competed.filter(({ value }) => value === least);
        expect(
          lowest.some((one) => nameOf(one) === nameOf(winner) || !isApart(list, one, winner, minimised)),
        ).toBe(true);
      }),
    );
  });

  test('making a loser worse that is not the lowest changes nothing of who wins', () => {
    fc.assert(
      fc.property(candidates, rules, fc.nat(), (list, given, seed) => {
        const before = ask(list, given);
        const least = Math.min(...[before.winner, ...before.losers].map((row) => row?.value ?? Infinity));
        const worsened = before.losers.filter(({ value }) => value !== null && value > least);
        const loser = find(list, worsened[seed % Math.max(1, worsened.length)] ?? null);
        fc.pre(loser !== undefined);
        const after = ask(
          list.map((one) => (one === loser ? double(one) : one)),
          given,
        );
        expect(after.winner && nameOf(after.winner)).toBe(before.winner && nameOf(before.winner));
      }),
    );
  });

  test('adding one that is refused changes nothing but the list', () => {
    fc.assert(
      fc.property(candidates, aCandidate, rules, (list, one, given) => {
        const refused = { ...one, variantId: 'refused', failures: 1 };
        const before = ask(list, given);
        const after = ask([...list, refused], given);
        expect(after.winner).toEqual(before.winner);
        expect(after.losers.filter(({ variantId }) => variantId !== 'refused')).toEqual(before.losers);
        expect(after.notComparable).toEqual(before.notComparable);
        if (before.winner !== null) expect(after.findings).toEqual(before.findings);
      }),
    );
  });

  test('neither the unit of a metric nor the sum of the weights changes a score', () => {
    fc.assert(
      fc.property(candidates, (list) => {
        const weights = { total: 0.75, costPer100k: 0.25 };
        const before = ask(list, { objective: { weights } });
        const inOtherUnits = list.map((one) => ({
          ...one,
          measures: { ...one.measures, costPer100k: scale(one.measures.costPer100k, 1024) },
        }));
        const after = ask(inOtherUnits, { objective: { weights: { total: 3, costPer100k: 1 } } });
        expect({ ...after, objective: null }).toEqual({ ...before, objective: null });
      }),
    );
  });
});

/** What must hold, said once more and in other words. */
function isAble(one: PickCandidate, given: Partial<PickOptions>): boolean {
  const { objective: minimised, require, limits } = { ...usualRules, ...given };
  const counted = weighMetrics(minimised).map(({ metric }) => metric);
  const values = counted.map((metric) => (metric === 'size' ? one.sizeBytes : one.measures[metric]?.value));
  return (
    (require.parity === 'any' || one.parity?.verdict === 'pass') &&
    (require.budgets === 'any' || one.budget?.verdict === 'pass') &&
    (require.bound === 'any' || one.binding === null) &&
    one.failures === 0 &&
    one.unfit.length === 0 &&
    !one.notComparable.some((gap) => counted.includes(gap.objective)) &&
    values.every((value) => Number.isFinite(value) && (typeof minimised === 'string' || Number(value) > 0)) &&
    isWithin(one, limits)
  );
}

function isWithin({ measures: { total, costPer100k } }: PickCandidate, limits: PickLimits): boolean {
  const tail = total?.p95 ?? total?.max ?? Number.POSITIVE_INFINITY;
  const cost = costPer100k?.value ?? Number.NaN;
  return (
    (limits.totalP95Ms === null || tail <= limits.totalP95Ms) &&
    (limits.costPer100kUsd === null || cost <= limits.costPer100kUsd)
  );
}

function isApart(
  list: readonly PickCandidate[],
  one: Named,
  other: Named,
  metric: keyof PickMeasures | 'size',
) {
  if (metric === 'size') return true;
  const samples = [one, other].map((named) => find(list, named)?.measures[metric]?.samples ?? []);
  return tellsApart(samples[0] ?? [], samples[1] ?? [], 1) === 'different';
}

function double(one: PickCandidate): PickCandidate {
  const { total, ready, steady, costPer100k } = one.measures;
  return {
    ...one,
    sizeBytes: 2 * one.sizeBytes,
    deployedBytes: 2 * one.deployedBytes,
    measures: {
      ...one.measures,
      total: scale(total, 2),
      ready: scale(ready, 2),
      steady: scale(steady, 2),
      costPer100k: scale(costPer100k, 2),
    },
  };
}

function scale(found: PickMeasure | null, by: number): PickMeasure | null {
  if (found === null) return null;
  const { value, p95, min, max, samples, unseenMs } = found;
  const scaled = (figureOrNull: number | null) => (figureOrNull === null ? null : by * figureOrNull);
  return {
    ...found,
    value: by * value,
    p95: scaled(p95),
    min: scaled(min),
    max: scaled(max),
    unseenMs: scaled(unseenMs),
    samples: samples.map((each) => ({ ...each, value: by * each.value })),
  };
}
