import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../src/pick/pick-candidate.js';
import { candidate, measure, measures, pick } from './candidates.js';

const row = (variantId: string, total: number, over: Parameters<typeof candidate>[0] = {}) =>
  candidate({ variantId, measures: measures({ total }), ...over });
const binding = 'compiled for OpenVINO 2026.4.1 and a processor with avx2';
const blob = row('fp32.openvino.blob', 100, { binding, engine: 'openvino', layout: 'blob' });
const plain = row('fp32.single', 250);
const any = { require: { parity: 'pass', budgets: 'pass', bound: 'any' } } as const;

describe('what is bound to a runtime or a processor by what it is', () => {
  test('does not win, and what it would have gained is said', () => {
    const result = pick([blob, plain]);
    expect(result.winner?.variantId).toBe('fp32.single');
    expect(result.losers).toMatchObject([
      {
        variantId: 'fp32.openvino.blob',
        value: null,
        reason: `not portable: ${binding} (\`pick.require.bound: any\` lets it win)`,
      },
    ]);
    expect(result.findings).toMatchObject([
      {
        code: 'pick-bound-left-out',
        severity: 'info',
        facts: {
          bound: 'fp32.openvino.blob by s3-copy',
          value: 100,
          winner: 'fp32.single by s3-copy',
          winnerValue: 250,
        },
      },
    ]);
    expect(result.findings[0]?.what).toBe(
      'fp32.openvino.blob by s3-copy would have won by total with 100.0 ms against 250.0 ms of fp32.single by s3-copy, ' +
        `and was left out because it is not portable: ${binding}.`,
    );
  });

  test('gains nothing where it would not have won', () => {
    expect(pick([{ ...blob, measures: measures({ total: 300 }) }, plain]).findings).toEqual([]);
    expect(pick([{ ...blob, failures: 1 }, plain]).findings).toEqual([]);
    expect(pick([{ ...blob, measures: measures({}) }, plain]).losers[0]?.reason).toMatch(
      /^no measurement of total; not portable/,
    );
  });

  test('is flagged when it is let through and wins', () => {
    const result = pick([blob, plain], any);
    expect(result.winner).toMatchObject({ variantId: 'fp32.openvino.blob', binding });
    expect(result.winner?.reason).toContain(`; chosen although not portable: ${binding}`);
    expect(result.findings).toMatchObject([
      { code: 'pick-bound-winner', severity: 'warning', facts: { binding } },
    ]);
  });

  test('is told of when nothing else is left', () => {
    const result = pick([blob]);
    expect(result.winner).toBeNull();
    expect(result.findings.map(({ code }) => code)).toEqual(['pick-no-candidate', 'pick-bound-left-out']);
    expect(result.findings[1]?.what).toContain('would have won by total with 100.0 ms, and was left out');
  });
});

const stated: Evidence = { kind: 'assumed', what: 'restore', source: 'AWS blog, 2024' };
const logged: Evidence = { kind: 'imported', what: 'environment', source: 'lambda.log' };
const here: Evidence = { kind: 'measured', what: 'total', source: null };
const resting = (variantId: string, total: number, evidence: readonly Evidence[]) =>
  row(variantId, total, { measures: measures({ total: measure(total, { evidence }) }) });

describe('evidence', () => {
  test('is carried by the winner and by each loser, once, the surest first', () => {
    const result = pick([
      resting('a', 100, [stated, here, here]),
      resting('b', 200, [logged]),
      { ...resting('c', 300, [here]), failures: 1 },
    ]);
    expect(result.winner?.evidence).toEqual([here, stated]);
    expect(result.losers.map(({ evidence }) => evidence)).toEqual([[logged], [here]]);
    expect(pick([plain], { objective: 'size' }).winner?.evidence).toEqual([]);
  });

  test('that is assumed is named in the reason of a win and in a finding', () => {
    const result = pick([resting('a', 100, [here, stated]), resting('b', 200, [here])]);
    expect(result.winner?.reason).toBe(
      'lowest total, 100 ms; next is b by s3-copy at 200 ms; rests on assumptions: restore (AWS blog, 2024)',
    );
    expect(result.findings).toMatchObject([
      { code: 'pick-rests-on-assumption', severity: 'info', facts: { assumptions: [stated] } },
    ]);
    expect(pick([resting('a', 100, [here]), resting('b', 200, [stated])]).findings).toEqual([]);
  });

  test('of two places in one comparison is said', () => {
    const result = pick([resting('a', 100, [here]), resting('b', 200, [logged])]);
    expect(result.winner?.reason).toMatch(/; figures that were measured here stand beside imported ones$/);
    expect(result.findings).toMatchObject([
      { code: 'pick-mixed-evidence', facts: { sources: ['environment (lambda.log)'] } },
    ]);
    expect(pick([resting('a', 100, [logged]), resting('b', 200, [logged])]).findings).toEqual([]);
    expect(pick([resting('a', 100, [here, logged])]).findings).toEqual([]);
  });

  test('that is only stated has no runs that could be too few', () => {
    const result = pick([{ ...resting('a', 100, [logged]), runs: 0 }, resting('b', 200, [logged])]);
    expect(result.findings).toEqual([]);
  });

  test('of what has no source says so', () => {
    const result = pick([resting('a', 100, [{ ...stated, source: null }])]);
    expect(result.winner?.reason).toContain('rests on assumptions: restore (no source)');
  });
});

describe('what could not be made', () => {
  const leftOut = [
    { variantId: 'fp32.openvino.ir', reason: 'OpenVINO cannot read operator `Foo`.' },
    { variantId: 'fp16-weights.openvino.ir', reason: 'no ovc' },
  ];

  test('is listed with the reason, by name', () => {
    const result = pick([plain], { leftOut });
    expect(result.winner?.variantId).toBe('fp32.single');
    expect(result.leftOut).toEqual([
      { variantId: 'fp16-weights.openvino.ir', reason: 'could not be made: no ovc' },
      { variantId: 'fp32.openvino.ir', reason: 'could not be made: OpenVINO cannot read operator `Foo`' },
    ]);
  });

  test('is among the reasons when nothing is left', () => {
    const [finding] = pick([], { leftOut }).findings;
    expect(finding).toMatchObject({ code: 'pick-no-candidate', facts: { considered: 2 } });
    expect(finding?.what).toContain('fp16-weights.openvino.ir: could not be made: no ovc');
  });
});

test('a candidate is named with its start mode and memory', () => {
  const rows = [
    row('a', 100, { startMode: 'snapstart', memoryMiB: 2048 }),
    row('b', 200, { startMode: 'provisioned', memoryMiB: 512 }),
  ];
  const result = pick(rows);
  expect(result.winner).toMatchObject({ startMode: 'snapstart', memoryMiB: 2048 });
  expect(result.winner?.reason).toBe(
    'lowest total, 100 ms; next is b by s3-copy with provisioned concurrency at 512 MiB at 200 ms',
  );
});
