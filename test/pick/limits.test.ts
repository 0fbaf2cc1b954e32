import { describe, expect, test } from 'vitest';
import type { PickCandidate } from '../../src/pick/pick-candidate.js';
import type { PickLimits } from '../../src/pick/pick-rules.js';
import { platformLimits } from '../../src/pick/platform-limits.js';
import { candidate, measure, measures, pick, sampled, usualRules } from './candidates.js';

const limited = (limits: Partial<PickLimits>) => ({ limits: { ...usualRules.limits, ...limits } });
const refusal = (one: PickCandidate, over: Parameters<typeof pick>[1]) => pick([one], over).losers[0]?.reason;
const timed = (given: Parameters<typeof measures>[0], over: Partial<PickCandidate> = {}) =>
  candidate({ measures: measures({ total: 500, ready: 400, steady: 5, ...given }), ...over });

describe('a limit', () => {
  test('is held against the 95th percentile, never against the median', () => {
    const tailed = timed({ total: measure(400, { p95: 900, max: 5000 }) });
    expect(refusal(tailed, limited({ totalP95Ms: 899 }))).toBe(
      'total 900 ms (p95) is over 899 ms, the limit',
    );
    expect(pick([tailed], limited({ totalP95Ms: 900 })).winner?.value).toBe(400);
  });

  test('is held against the highest sample where there are too few for a 95th percentile, and says of how many', () => {
    const few = timed({ steady: sampled([4, 5, 30]) });
    expect(refusal(few, limited({ steadyP95Ms: 20 }))).toBe(
      'steady 30 ms (the highest of 3 runs) is over 20 ms, the limit',
    );
    const one = timed({ ready: measure(30, { max: 30, count: 1 }) });
    expect(refusal(one, limited({ readyP95Ms: 20 }))).toBe(
      'ready 30 ms (the highest of 1 run) is over 20 ms, the limit',
    );
  });

  test('is not passed by what is only stated, whatever it is the highest of', () => {
    const stated = (over: object) =>
      timed(
        { ready: measure(400, { max: 400, count: 0, unseenMs: 400, ...over }) },
        { startMode: 'snapstart' },
      );
    expect(refusal(stated({}), limited({ readyP95Ms: 1000 }))).toBe(
      'ready cannot be judged against the limit of 1000 ms: nothing tells its 95th percentile ' +
        '(`pick.startModes.snapstart.restoreP95Ms` is not stated)',
    );
    expect(refusal(stated({ p95: 1001 }), limited({ readyP95Ms: 1000 }))).toContain('1001 ms (p95)');
    expect(pick([stated({ p95: 1000 })], limited({ readyP95Ms: 1000 })).winner).not.toBeNull();
    // What is over by its median needs no tail.
    expect(refusal(stated({}), limited({ readyP95Ms: 399 }))).toBe(
      'ready 400 ms (median) is over 399 ms, the limit',
    );
    expect(refusal(stated({ value: 11_000 }), {})).toMatch(
      /^ready 11.0 s \(median\) .* restore of a snapshot$/,
    );
    expect(pick([stated({})]).findings).toMatchObject([
      { code: 'pick-snapstart-needs-image' },
      { code: 'pick-limit-not-judged', facts: { limits: [{ name: 'the longest restore of a snapshot' }] } },
    ]);
  });

  test('is held against a sum of tails where parts were measured apart, and says so', () => {
    const summed = timed({ total: measure(400, { p95: 900, isSummed: true }) });
    expect(refusal(summed, limited({ totalP95Ms: 899 }))).toBe(
      'total 900 ms (p95 of each part, added up) is over 899 ms, the limit',
    );
  });

  test('that the winner passed by the highest of a few runs is said, with their number', () => {
    const passing = (count: number) =>
      timed({ total: measure(400, { max: 410, count }), steady: measure(5, { p95: 6 }) });
    const limits = limited({ totalP95Ms: 1000, steadyP95Ms: 10 });
    const [finding] = pick([passing(1)], limits).findings;
    expect(finding).toMatchObject({
      code: 'pick-limit-by-highest',
      severity: 'info',
      facts: { passed: [{ name: 'total', mostMs: 1000, runs: 1 }], neededRuns: 20 },
    });
    expect(finding?.what).toBe(
      'fp32.single by s3-copy passed limits on a 95th percentile by the highest sample: total (1000.0 ms) by that of 1 run.',
    );
    expect(pick([passing(1)]).findings).toEqual([]);
  });

  test('shows what is over by less than its digits', () => {
    const close = timed({ total: measure(1, { p95: 29_000.4 }) });
    expect(refusal(close, limited({ totalP95Ms: 29_000 }))).toBe(
      'total 29000.4 ms (p95) is over 29.0 s, the limit',
    );
  });

  test.each([
    [{ totalP95Ms: 1000 }, { total: measure(5) }, 'nothing tells its 95th percentile'],
    [{ totalP95Ms: 1000 }, { total: measure(5, { p95: Number.NaN }) }, 'nothing tells its 95th percentile'],
    [{ readyP95Ms: 1000 }, { ready: null }, 'no measurement'],
  ])('%j that was asked for is not passed by what was not measured', (limits, given, gap) => {
    expect(refusal(timed({ total: measure(5, { max: 5 }), ...given }), limited(limits))).toMatch(
      new RegExp(`^(total|ready) cannot be judged against the limit of 1000 ms: ${gap}$`),
    );
  });

  test.each([
    [{ costPer100kUsd: 0.5 }, 'costPer100k 0.5900 USD is over 0.5000 USD, the limit'],
    [{ sizeBytes: 999 }, 'size 1,000 B is over 999 B, the limit'],
  ])('%j is held against the figure itself', (limits, reason) => {
    const one = timed({ costPer100k: 0.59 });
    expect(refusal(one, limited(limits))).toBe(reason);
    expect(pick([one], limited({ costPer100kUsd: 0.59, sizeBytes: 1000 })).winner).not.toBeNull();
  });

  test('on cost refuses what has no price', () => {
    expect(refusal(timed({}), limited({ costPer100kUsd: 2.05 }))).toBe(
      'costPer100k cannot be judged against the limit of 2.05 USD: it is not known',
    );
  });

  test('is said with everything else that speaks against a candidate', () => {
    const bad = timed(
      { total: measure(5, { max: 700 }), init: measure(5, { max: 11_000 }) },
      { parity: null, unfit: ['snapstart allows no mount'], binding: 'compiled for x', failures: 1 },
    );
    expect(refusal(bad, limited({ totalP95Ms: 600, sizeBytes: 10 }))).toBe(
      'parity was not judged; 1 sample failed; snapstart allows no mount; ' +
        'initialisation 11.0 s (the highest of 7 runs) is over 10.0 s, the longest initialisation on demand; ' +
        'total 700 ms (the highest of 7 runs) is over 600 ms, the limit; ' +
        'size 1,000 B is over 10 B, the limit; ' +
        'not portable: compiled for x (`pick.require.bound: any` lets it win)',
    );
  });
});

describe("the platform's own times", () => {
  test.each([
    ['on-demand', 'other', { init: measure(1, { p95: 10_001 }) }, /initialisation 10001 ms .* on demand$/],
    ['snapstart', 'other', { init: measure(1, { p95: 900_001 }) }, /initialisation .* ahead of calls$/],
    ['provisioned', 'other', { init: measure(1, { p95: 900_001 }) }, /initialisation .* ahead of calls$/],
    ['snapstart', 'other', { ready: measure(1, { p95: 10_001 }) }, /^ready .* restore of a snapshot$/],
    [
      'on-demand',
      'api-gateway',
      { total: measure(1, { p95: 30_000 }) },
      /^total 30.0 s .* API Gateway waits$/,
    ],
    ['provisioned', 'other', { firstCall: measure(1, { p95: 900_001 }) }, /^the first call .* invocation$/],
  ] as const)('of %s through %s refuse %j', (startMode, invokedThrough, given, reason) => {
    const one = timed(given, { startMode });
    expect(refusal(one, { invokedThrough })).toMatch(reason);
    expect(pick([one], { invokedThrough: 'plain-machine' }).winner).not.toBeNull();
  });

  test.each([
    ['snapstart', 'other', { init: measure(1, { p95: 10_001 }) }],
    ['on-demand', 'other', { ready: measure(1, { p95: 10_001 }) }],
    ['on-demand', 'other', { total: measure(1, { p95: 30_000 }) }],
    ['on-demand', 'api-gateway', { total: measure(30_000, { p95: 29_000 }) }],
  ] as const)('of %s through %s allow %j', (startMode, invokedThrough, given) => {
    expect(pick([timed(given, { startMode })], { invokedThrough }).winner).not.toBeNull();
  });

  test.each([
    ['nothing', null],
    ['no finite number', Number.POSITIVE_INFINITY],
    ['no number', Number.NaN],
  ])('that %s was measured for refuse nobody, and are named beside the winner', (_what, init) => {
    const result = pick([timed({ init })]);
    expect(result.winner?.reason).toBe('the only candidate left, total 500 ms');
    expect(result.findings).toMatchObject([
      {
        code: 'pick-limit-not-judged',
        severity: 'info',
        facts: { limits: [{ name: 'the longest initialisation on demand', mostMs: 10_000 }] },
      },
    ]);
  });

  test('are dated and have a source', () => {
    for (const { source, asOf, mostMs } of platformLimits) {
      expect(source).toMatch(/^https:\/\/docs\.aws\.amazon\.com\//);
      expect(asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(mostMs).toBeGreaterThan(0);
    }
  });
});
