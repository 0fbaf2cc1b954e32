import { describe, expect, it } from 'vitest';
import { costOnHost, costOnLambda, priceHost, priceLambda } from '../../src/cost/cost-of-inferences.js';
import { hostPrices, type LambdaPrices, lambdaPrices } from '../../src/cost/price-tables.js';
import { priceInferences } from '../../src/lib/inference-price.js';

function find(region: string, architecture: string): LambdaPrices {
  const found = lambdaPrices.find((row) => row.region === region && row.architecture === architecture);
  if (found === undefined) throw new Error(`${region} ${architecture} is not in the table`);
  return found;
}

describe('the cost of 100,000 inferences', () => {
  it.each([
    ['2 vCPU', 4.5, '0.59'],
    ['GPU', 41.42, '2.05'],
  ])('on the %s host of the study at %s per second is %s USD', (name, throughputPerSecond, usd) => {
    const host = hostPrices.find((each) => each.host === name);
    if (host === undefined) throw new Error(`${name} is not in the table`);
    expect(costOnHost(host.perHour.usd, throughputPerSecond).toFixed(2)).toBe(usd);
    const speed = { billedMs: 1, throughputPerSecond };
    expect(priceInferences(priceHost(host), speed).toFixed(2)).toBe(usd);
  });

  it('on Lambda is memory × time × price, and a fee per request', () => {
    // 4 GB × 0.6 s × 100,000 = 240,000 GB-s, at 0.0000166667 each: 4.000008; and 100,000 requests: 0.02.
    expect(costOnLambda(find('us-east-1', 'x86_64'), 4096, 600)).toBeCloseTo(4.020008, 9);
    // 1,769 MiB are 1.7275 GB × 0.1 s × 100,000 = 17,275.390625 GB-s.
    expect(costOnLambda(find('ap-northeast-1', 'arm64'), 1769, 100)).toBeCloseTo(0.230339693 + 0.02, 8);
  });

  it('on Lambda is billed in whole milliseconds, rounded up', () => {
    const prices = find('us-east-1', 'x86_64');
    expect(costOnLambda(prices, 2048, 9.01)).toBe(costOnLambda(prices, 2048, 10));
    expect(costOnLambda(prices, 2048, 9)).toBeLessThan(costOnLambda(prices, 2048, 10) ?? 0);
  });

  it('is unknown, not 0, where the table has no price', () => {
    const prices = { ...find('us-east-1', 'arm64'), perGbSecond: null };
    expect(costOnLambda(prices, 2048, 10)).toBeNull();
  });

  it('says what it rests on, and of when that is', () => {
    expect(priceLambda(find('us-east-1', 'arm64'), 2048)?.basis).toMatch(
      /us-east-1, arm64, 2048 MiB.* as of 2025-10-01$/,
    );
    expect(priceLambda(find('ap-northeast-1', 'x86_64'), 2048)?.basis).toMatch(/undated$/);
  });
});

describe('the price table', () => {
  it('has one row per region and architecture', () => {
    const names = lambdaPrices.map((row) => `${row.region} ${row.architecture}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('leaves out what no source states', () => {
    const { provisionedPerGbSecond, provisionedDurationPerGbSecond } = find('ap-northeast-1', 'arm64');
    expect([provisionedPerGbSecond, provisionedDurationPerGbSecond]).toEqual([null, null]);
  });
});
