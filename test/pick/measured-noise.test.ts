import { describe, expect, test } from 'vitest';
import type { TellsApart } from '../../src/pick/pick-rules.js';
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
  test('lets the smaller ship where no difference was measured, however far the medians are apart', () => {
    const result = pick([row('large', 400, 2000), row('small', 480, 1500)], {}, () => 'same');
    expect(result.winner).toMatchObject({
      variantId: 'small',
      value: 480,
      reason:
        'total 480 ms, within the noise of the lowest, large by s3-copy (400 ms); the winner is 500 B smaller to deploy',
    });
    expect(result.losers).toMatchObject([
      {
        reason: "80 ms less than the winner's total, within the noise; the winner is 500 B smaller to deploy",
      },
    ]);
    expect(result.findings.map(({ code }) => code)).toEqual(['pick-within-noise']);
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
