import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOnLambda } from '../../src/cost/cost-of-inferences.js';
import { costOfMonth, type MonthlyUse } from '../../src/cost/cost-of-month.js';
import { type LambdaPrices, lambdaPrices } from '../../src/cost/price-tables.js';
import { startModes } from '../../src/lib/start-mode.js';

function find(region: string, architecture: string): LambdaPrices {
  const found = lambdaPrices.find((row) => row.region === region && row.architecture === architecture);
  if (found === undefined) throw new Error(`${region} ${architecture} is not in the table`);
  return found;
}

const tokyo = find('ap-northeast-1', 'x86_64');

/** As the study of cold starts assumes: every call restores, or meets what is provisioned, and takes a second. */
function useOf(calls: number): MonthlyUse {
  const durations = { callMs: 1000, coldCallMs: 1000, readyProcesses: 1 };
  return { callsPerMonth: calls, coldStartsPerMonth: calls, ...durations };
}

describe('a month of the study of cold starts', () => {
  it.each([
    [128, [0.49, 0.49, 0.49, 0.5, 0.51, 0.59, 0.69]],
    [1024, [3.9, 3.91, 3.92, 3.98, 4.06, 4.68, 5.47]],
    [4096, [15.61, 15.63, 15.66, 15.91, 16.23, 18.73, 21.86]],
    [8092, [30.83, 30.88, 30.94, 31.44, 32.06, 37, 43.19]],
    [10_240, [39.01, 39.08, 39.16, 39.78, 40.56, 46.82, 54.65]],
  ])('with SnapStart at %i MiB costs what its table says, to the cent', (memoryMiB, row) => {
    const costs = [10, 50, 100, 500, 1000, 5000, 10_000].map((calls) =>
      costOfMonth(tokyo, memoryMiB, 'snapstart', useOf(calls))?.toFixed(2),
    );
    expect(costs).toEqual(row.map((usd) => usd.toFixed(2)));
  });

  it.each([
    [128, [1.74, 1.74, 1.74, 1.75, 1.75, 1.75, 1.76]],
    [1024, [13.95, 13.95, 13.96, 13.96, 13.97, 14.02, 14.08]],
    [6144, [83.72, 83.73, 83.73, 83.76, 83.8, 84.1, 84.48]],
    [10_240, [139.54, 139.55, 139.55, 139.6, 139.67, 140.17, 140.8]],
  ])('with provisioned concurrency at %i MiB costs what its table says, to the cent', (memoryMiB, row) => {
    const costs = [10, 50, 100, 500, 1000, 5000, 10_000].map((calls) =>
      costOfMonth(tokyo, memoryMiB, 'provisioned', useOf(calls))?.toFixed(2),
    );
    expect(costs).toEqual(row.map((usd) => usd.toFixed(2)));
  });
});

describe('a month', () => {
  it('on demand without cold starts is what as many inferences cost', () => {
    const use = { ...useOf(100_000), coldStartsPerMonth: 0, callMs: 38 };
    expect(costOfMonth(tokyo, 2048, 'on-demand', use)).toBeCloseTo(costOnLambda(tokyo, 2048, 38) ?? 0, 9);
  });

  it('is unknown, not cheaper, where a price is not known', () => {
    const arm = find('ap-northeast-1', 'arm64');
    const known = startModes.map((mode) => costOfMonth(arm, 2048, mode, useOf(10)) !== null);
    expect(known).toEqual([true, false, false]);
  });

  it('never costs less with more calls, more memory or longer calls', () => {
    const amount = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(amount, amount, fc.constantFrom(...startModes), (calls, durationMs, mode) => {
        const use = { ...useOf(calls), callMs: durationMs, coldCallMs: durationMs };
        const cost = costOfMonth(tokyo, 2048, mode, use) ?? Number.NaN;
        expect(costOfMonth(tokyo, 2048, mode, { ...use, callsPerMonth: calls + 1 })).toBeGreaterThan(cost);
        expect(costOfMonth(tokyo, 2049, mode, use)).toBeGreaterThan(cost);
        expect(costOfMonth(tokyo, 2048, mode, { ...use, callMs: durationMs + 1 })).toBeGreaterThanOrEqual(
          cost,
        );
      }),
    );
  });
});
