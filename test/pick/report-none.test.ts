import { describe, expect, it } from 'vitest';
import { candidate, measures, pick } from './candidates.js';

const gap = 'the time before the process exists is not stated (`bench.environment.layer`)';
const layer = candidate({
  delivery: 'layer',
  measures: measures({ steady: 5 }),
  notComparable: [{ objective: 'total', reason: gap }],
});
const limits = {
  ...{ totalP95Ms: null, readyP95Ms: null, steadyP95Ms: null, costPer100kUsd: null, sizeBytes: null },
};

describe('a choice with nothing left', () => {
  it('says each reason once, with those that it holds for', () => {
    const others = [1, 2, 3, 4, 5].map((index) => candidate({ variantId: `fp32.${index}`, failures: 1 }));
    const leftOut = [{ variantId: 'fp32.openvino.ir', reason: 'OpenVINO is not installed here' }];
    const [finding] = pick(others, { leftOut }).findings;
    expect(finding?.facts).toMatchObject({
      considered: 6,
      reasons: [
        { reason: '1 sample failed', names: { length: 5 } },
        { reason: 'could not be made: OpenVINO is not installed here', names: ['fp32.openvino.ir'] },
      ],
    });
    expect(finding?.what.split('\n')).toHaveLength(3);
  });

  it('orders what is missing, not looser limits, where a time is not stated', () => {
    const [finding] = pick([layer]).findings;
    expect(finding).toMatchObject({ facts: { isRefused: false, isIncomparable: true } });
    expect(finding?.remedy).toContain('bench.environment.DELIVERY');
    expect(finding?.remedy).not.toContain('loosen');
  });

  it('says of a limit on a layer which time is missing', () => {
    const picked = pick([layer], { limits: { ...limits, totalP95Ms: 1000 } });
    expect(picked.losers[0]?.reason).toBe(`total cannot be judged against the limit of 1000 ms: ${gap}`);
  });
});
