import { describe, expect, it } from 'vitest';
import { findPrice } from '../../src/price-inferences.js';
import { catchError } from '../fixtures/catch-error.js';

describe('findPrice', () => {
  it('prices a function by the table and its memory, in the region that is asked for', () => {
    const price = findPrice({ region: 'ap-northeast-1', architecture: 'x86_64' }, 2048);
    expect(price).toMatchObject({ kind: 'per-request', usdPerRequest: 0.2 / 1e6 });
    expect(price?.basis).toContain('ap-northeast-1, x86_64, 2048 MiB');
    if (price?.kind !== 'per-request') throw new Error('expected a price per request');
    expect(price.usdPerMs).toBeCloseTo((0.0000166667 * 2) / 1000, 15);
  });

  it('takes a stated price of a host whatever the memory is', () => {
    expect(findPrice({ usdPerHour: 0.096 }, 2048)).toMatchObject({ kind: 'per-hour', usdPerHour: 0.096 });
    expect(findPrice({ usdPerHour: 0.096 }, null)).toMatchObject({ kind: 'per-hour' });
  });

  it('has none for a machine without a profile of which nothing is stated', () => {
    expect(findPrice(undefined, null)).toBeNull();
    expect(findPrice(undefined, 1024)).toMatchObject({ kind: 'per-request' });
  });

  it('refuses a region that the table lacks, with those that it has', async () => {
    const asked = { region: 'eu-north-7', architecture: 'x86_64' } as const;
    const error = await catchError(async () => findPrice(asked, 1024));
    expect(error).toMatchObject({ code: 'price-unknown', exitCode: 2 });
    expect(error.remedy).toContain('us-east-1 x86_64');
  });
});
