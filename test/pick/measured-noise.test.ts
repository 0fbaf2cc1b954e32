import { describe, expect, test } from 'vitest';
import type { PickCandidate } from '../../src/pick/pick-candidate.js';
import type { TellsApart } from '../../src/pick/pick-rules.js';
import { tellApart } from '../../src/tell-apart.js';
import { candidate, measures, pick, sampled } from './candidates.js';

const row = (variantId: string, totalMs: number, deployedBytes: number) =>
  candidate({
    variantId,
    deployedBytes,
    measures: measures({ total: sampled([totalMs - 1, totalMs, totalMs + 1]) }),
  });
const medianOf = (samples: Parameters<TellsApart>[0]) => samples[1]?.value ?? Number.NaN;
/** Tells apart what is more than so much further than the lower. */
const beyond =
  (share: number): TellsApart =>
  (left, right) =>
    medianOf(left) > medianOf(right) * (1 + share) ? 'different' : 'same';

describe('measured confidence', () => {
  test('lets the smaller ship where no difference was measured', () => {
    const result = pick([row('large', 400, 2000), row('small', 440, 1500)], {}, () => 'same');
    expect(result.winner).toMatchObject({
      variantId: 'small',
      value: 440,
      reason:
        'total 440 ms, within the noise of the lowest, large by s3-copy (400 ms); the winner is 500 B smaller to deploy',
    });
    expect(result.losers).toMatchObject([
      {
        reason: "40 ms less than the winner's total, within the noise; the winner is 500 B smaller to deploy",
      },
    ]);
    expect(result.findings.map(({ code }) => code)).toEqual(['pick-within-noise']);
  });

  test('lets the lowest win where samples tell nothing of medians that are far apart, and says how to get more', () => {
    const fast = sampled([1001, 1004, 1008, 1008, 1012, 1700], { value: 1008 });
    const slow = sampled([980, 1400, 1402, 1404, 1406, 1408], { value: 1403 });
    const rows = [
      candidate({ variantId: 'fast', deployedBytes: 1100, measures: measures({ total: fast }) }),
      candidate({ variantId: 'slow', deployedBytes: 1000, measures: measures({ total: slow }) }),
    ];
    for (const order of [rows, rows.toReversed()]) {
      const { winner, losers, findings } = pick(order, {}, tellApart);
      expect(winner?.reason).toBe(
        'lowest total, 1008 ms; next is slow by s3-copy at 1403 ms; the samples do not tell it from slow by s3-copy',
      );
      expect(losers[0]?.reason).toBe("1.39 × the winner's total, not told apart by the samples");
      expect(findings).toMatchObject([
        { code: 'pick-lead-not-established', facts: { overlapping: [{ name: 'slow by s3-copy' }] } },
      ]);
      expect(findings[0]?.remedy).toMatch(/--target-width.*--runs/);
    }
  });

  test('lets the lowest win where a difference was measured, however close the medians are', () => {
    const result = pick([row('large', 400, 2000), row('small', 401, 1)], {}, () => 'different');
    expect(result.winner?.variantId).toBe('large');
    expect(result.winner?.reason).not.toContain('noise');
    expect(result.findings).toEqual([]);
  });

  test('leads nowhere through a chain: who is told apart from the lowest does not win', () => {
    const chain = [row('a', 400, 3000), row('b', 430, 2000), row('c', 460, 1000)];
    const result = pick(chain, {}, beyond(0.1));
    expect(result.winner?.variantId).toBe('b');
    expect(
      result.losers.map(({ variantId, reason }) => [variantId, reason.includes('within the noise')]),
    ).toEqual([
      ['a', true],
      ['c', true],
    ]);
  });

  test('is asked with the number of pairs that luck could tell apart, the higher first', () => {
    const asked: unknown[] = [];
    const four = [400, 420, 440, 460].map((totalMs) => row(`r${totalMs}`, totalMs, 1000));
    pick(four, {}, (left, right, pairs) => {
      asked.push([medianOf(left), medianOf(right), pairs]);
      return 'different';
    });
    expect(asked.slice(0, 3)).toEqual([
      [420, 400, 6],
      [440, 400, 6],
      [460, 400, 6],
    ]);
  });

  test('is not asked of a size, which has no noise, nor of what has no samples', () => {
    const never: TellsApart = () => {
      throw new Error('asked');
    };
    const sizes = [
      candidate({ variantId: 'a', sizeBytes: 1000, deployedBytes: 5000 }),
      candidate({ variantId: 'b', sizeBytes: 1001, deployedBytes: 4000 }),
    ];
    expect(pick(sizes, { objective: 'size' }, never).winner?.variantId).toBe('a');
    expect(pick(sizes, {}, never).winner?.variantId).toBe('b');
  });
});

describe('a time that no sample here holds', () => {
  const behind = (beforeMs: number, values: readonly number[], over: Parameters<typeof sampled>[1] = {}) =>
    measures({
      total: sampled(
        values.map((ms) => beforeMs + ms),
        { unseenMs: beforeMs, ...over },
      ),
    });
  const ten = Array.from({ length: 10 }, (_, round) => 100 + ((round * 7) % 5));
  const cold = (over: Parameters<typeof candidate>[0]) => candidate({ variantId: 'cold', ...over });
  const restored = (over: Parameters<typeof candidate>[0]) =>
    candidate({ variantId: 'restored', startMode: 'snapstart', ...over });
  const codes = (rows: readonly PickCandidate[]) =>
    pick(rows, {}, tellApart)
      .findings.map(({ code }) => code)
      .filter((code) => /^pick-(lead|within)/.test(code));

  test('is no measured confidence where it alone makes the difference', () => {
    const rows = [cold({ measures: behind(900, ten) }), restored({ measures: behind(300, ten) })];
    const result = pick(rows, {}, tellApart);
    expect(result.winner?.reason).toContain(
      '; only times that were not measured here tell it from cold by s3-copy',
    );
    expect(result.losers[0]?.reason).toBe("2.49 × the winner's total, by times that were not measured here");
    expect(codes(rows)).toEqual(['pick-lead-unseen']);
    const close = [cold({ measures: behind(330, ten) }), restored({ measures: behind(300, ten) })];
    expect(pick(close, {}, tellApart).winner?.variantId).toBe('cold');
    expect(codes(close)).toEqual(['pick-within-noise']);
  });

  test('takes nothing from a difference that was measured by itself', () => {
    const slow = ten.map((ms) => 20 * ms);
    for (const [before, restore] of [
      [900, 300],
      [300, 900],
      [300, 300],
    ] as const) {
      const rows = [cold({ measures: behind(before, slow) }), restored({ measures: behind(restore, ten) })];
      expect(codes(rows)).toEqual([]);
    }
  });

  test('that scatters undoes a lead that it speaks against', () => {
    const slow = ten.map((ms) => 2 * ms);
    const wide = { min: 300, max: 900 };
    const rows = [
      cold({ measures: behind(300, slow, wide) }),
      restored({ measures: behind(330, ten, wide) }),
    ];
    expect(codes(rows)).toEqual(['pick-lead-unseen']);
  });

  test('that is the same for both is no difference, however it scatters', () => {
    const slow = ten.map((ms) => 2 * ms);
    const wide = { min: 300, max: 9000 };
    const rows = [
      cold({ measures: behind(300, slow, wide) }),
      candidate({ measures: behind(300, ten, wide) }),
    ];
    expect(codes(rows)).toEqual([]);
    const few = [300, 301, 302].map((beforeMs) => beforeMs - 300);
    const fewRows = [
      cold({
        measures: behind(
          300,
          few.map((ms) => 200 + ms),
          wide,
        ),
      }),
      candidate({
        measures: behind(
          300,
          few.map((ms) => 100 + ms),
          wide,
        ),
      }),
    ];
    expect(codes(fewRows)).toEqual([]);
  });
});

describe('of what is not told apart', () => {
  const same = measures({ total: sampled([99, 100, 101]) });
  const tied = (over: Parameters<typeof candidate>[0]) => candidate({ measures: same, ...over });

  test.each([
    [
      'bound to nothing',
      { binding: null, deployedBytes: 9000 },
      { binding: 'compiled for x', deployedBytes: 1 },
    ],
    ['smaller to deploy', { deployedBytes: 900, sizeBytes: 900 }, { deployedBytes: 1000, sizeBytes: 800 }],
    [
      'the simpler engine',
      { engine: 'onnxruntime', layout: 'external' },
      { engine: 'openvino', layout: 'single' },
    ],
    ['the simpler layout', { engine: 'openvino', layout: 'ir' }, { engine: 'openvino', layout: 'blob' }],
    ['the simpler delivery', { delivery: 's3-copy', startMode: 'snapstart' }, { delivery: 'mount' }],
    ['the simpler start', { startMode: 'on-demand' }, { startMode: 'snapstart' }],
    ['the smaller memory', { memoryMiB: 2048 }, { memoryMiB: 4096 }],
  ] as const)('what is %s ships', (_what, better, worse) => {
    const [one, other] = [tied({ variantId: 'z', ...better }), tied({ variantId: 'a', ...worse })];
    const rules = { require: { parity: 'pass', budgets: 'pass', bound: 'any' } } as const;
    const result = pick([other, one], rules, () => 'same');
    expect(result.winner).toMatchObject({ variantId: 'z' });
    expect(result.losers[0]?.reason).toMatch(/^equal total; (the winner is|of the same size, so)/);
  });
});
