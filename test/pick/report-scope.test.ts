import { describe, expect, it } from 'vitest';
import { candidate, measures, pick, usualRules } from './candidates.js';

const codesOf = ({ findings }: ReturnType<typeof pick>) => findings.map(({ code }) => code);
const slow = candidate({ measures: measures({ total: 900, costPer100k: 2 }) });
const kept = candidate({
  startMode: 'provisioned',
  measures: measures({ total: 5, steady: 5, costPer100k: 9 }),
});

describe('what a choice leaves aside', () => {
  it('is memory that was measured and not compared', () => {
    const compared = { memoryMiB: 1024, othersMiB: [2048] };
    const { findings } = pick([slow], { ...usualRules, compared });
    expect(findings).toMatchObject([
      {
        ...{ severity: 'info', code: 'pick-other-memories', facts: compared },
        remedy: expect.stringContaining('--memory-mib 2048'),
      },
    ]);
    expect(codesOf(pick([slow]))).toEqual([]);
  });

  it('is what a process that is kept ready costs, where time alone is compared', () => {
    expect(codesOf(pick([slow, kept]))).toContain('pick-starts-by-time');
    for (const objective of ['costPer100k', 'size', { weights: { total: 1, costPer100k: 1 } }] as const)
      expect(codesOf(pick([slow, kept], { objective }))).not.toContain('pick-starts-by-time');
    expect(codesOf(pick([kept, { ...kept, delivery: 'lazy' }]))).not.toContain('pick-starts-by-time');
  });
});
