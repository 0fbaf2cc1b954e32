import { describe, expect, it } from 'vitest';
import { describeCandidates } from '../src/describe-candidates.js';
import { findCallPrices, priceCalls } from '../src/price-calls.js';
import { makeBench, makeGround, makeImportRow, makePipeline, makeSamples } from './fixtures/measured-run.js';

const tokyo = { region: 'ap-northeast-1', architecture: 'x86_64' };
const allModes = { snapstart: { restoreMs: 200, source: 's' }, provisioned: {} };

function priced(pick: object, bench: object = {}) {
  const pipeline = makePipeline({
    bench: { deliveries: ['s3-copy'], memoryMiB: 1024, price: tokyo, ...bench },
    pick: { startModes: allModes, ...pick },
  });
  const measured = makeBench(makeSamples({ memoryMiB: 1024 }), { 's3-copy': { ms: 1, source: 's' } });
  return describeCandidates(makeGround({ pipeline, bench: measured }));
}

const reasonOf = (candidate: ReturnType<typeof priced>[number] | undefined) =>
  candidate?.notComparable.find(({ objective }) => objective === 'costPer100k')?.reason;

describe('the cost of 100,000 calls', () => {
  it('is of calls that meet a ready process while nobody states the traffic', () => {
    const [onDemand, snapstart, provisioned] = priced({});
    // 4.2 and 5.6 ms are billed as 5 and 6.
    expect(onDemand?.measures.costPer100k?.value).toBeCloseTo(100_000 * (0.0055 * 0.0000166667 + 2e-7), 9);
    expect(onDemand?.measures.costPer100k?.evidence).toMatchObject([
      { kind: 'measured' },
      { kind: 'assumed', what: 'price', source: expect.stringContaining('ap-northeast-1') },
      { kind: 'assumed', what: 'no cold start' },
    ]);
    expect([snapstart, provisioned].map((each) => each?.measures.costPer100k)).toEqual([null, null]);
    expect(reasonOf(snapstart)).toContain('`pick.traffic` is not stated');
  });

  it('holds cold starts, snapshots and ready processes once it is stated', () => {
    const [onDemand, snapstart, provisioned] = priced({
      traffic: { callsPerMonth: 1000, coldStartsPerMonth: 100 },
    });
    const [duration, requests] = [0.0000166667, 0.0002];
    const seconds = (900 * 5.5 + 100 * 103) / 1000;
    expect(onDemand?.measures.costPer100k?.value).toBeCloseTo((seconds * duration + requests) * 100, 9);
    const restored = ((900 * 5.5 + 100 * 28) / 1000) * duration + requests + 100 * 0.0001397998;
    expect(snapstart?.measures.costPer100k?.value).toBeCloseTo(
      (restored + 2_592_000 * 0.0000015046) * 100,
      6,
    );
    const ready = 5.5 * 0.0000125615 + requests + 2_592_000 * 0.0000053835;
    expect(provisioned?.measures.costPer100k?.value).toBeCloseTo(ready * 100, 6);
    expect(provisioned?.measures.costPer100k?.evidence[1]?.source).toContain('provisioned');
  });

  it('is the study of cold starts, to the cent, by its assumptions', () => {
    const of = (startMode: 'snapstart' | 'provisioned', memoryMiB: number, calls: number) => {
      const pipeline = makePipeline({
        bench: { price: tokyo },
        pick: { traffic: { callsPerMonth: calls, coldStartsPerMonth: calls } },
      });
      const times = { callMs: 1000, meanMs: 1000, coldCallMs: 1000 };
      const usd = priceCalls(findCallPrices(pipeline, memoryMiB), startMode, times) ?? Number.NaN;
      return ((usd * calls) / 100_000).toFixed(2);
    };
    expect([of('snapstart', 2048, 500), of('snapstart', 10_240, 10_000)]).toEqual(['7.96', '54.65']);
    expect([of('provisioned', 4096, 1000), of('provisioned', 8092, 10_000)]).toEqual(['55.87', '111.26']);
  });

  it('of a host is its price by the hour, on demand alone', () => {
    const [onDemand, snapstart] = priced({}, { price: { usdPerHour: 0.36 } });
    expect(onDemand?.measures.costPer100k?.value).toBeCloseTo((0.36 / 3600 / 1000) * 4.9 * 100_000, 9);
    expect(reasonOf(snapstart)).toContain('by the hour');
  });

  it.each([
    [{ memoryMiB: undefined }, 'no memory is imitated'],
    [{ price: { region: 'mars-north-1' } }, 'no price of mars-north-1 x86_64 is known'],
  ])('is unknown, and says why, with %j', (bench, reason) => {
    const [onDemand] = priced({}, bench);
    const pipeline = makePipeline({ bench: { deliveries: ['s3-copy'], ...bench } });
    const found = describeCandidates(makeGround({ pipeline, bench: makeBench(makeSamples()) }))[0];
    const candidate = 'memoryMiB' in bench ? found : onDemand;
    expect(candidate?.measures.costPer100k).toBeNull();
    expect(reasonOf(candidate)).toContain(reason);
  });

  it('rests on a list where its prices are dated, and on an assumption where they are stated or undated', () => {
    const kindOf = (price: object, startMode: number, pick: object = {}) =>
      priced(pick, { price })[startMode]?.measures.costPer100k?.evidence.find(({ what }) => what === 'price')
        ?.kind;
    const traffic = { traffic: { callsPerMonth: 9, coldStartsPerMonth: 1 } };
    const virginia = { region: 'us-east-1', architecture: 'x86_64' };
    expect([0, 1, 2].map((mode) => kindOf(virginia, mode, traffic))).toEqual(['listed', 'listed', 'listed']);
    expect([kindOf(tokyo, 0), kindOf({ usdPerHour: 0.36 }, 0)]).toEqual(['assumed', 'assumed']);
    // Half of what a restored function costs has no date there.
    expect(kindOf(tokyo, 1, traffic)).toBe('assumed');
  });

  it('is unknown where the table has no price of a start mode', () => {
    const price = { region: 'ap-northeast-1', architecture: 'arm64' };
    const [, snapstart] = priced({ traffic: { callsPerMonth: 9, coldStartsPerMonth: 1 } }, { price });
    expect(reasonOf(snapstart)).toBe('the price of snapstart in ap-northeast-1 on arm64 is not known');
  });

  it('of real runs bills everything of a cold call but the environment', () => {
    const pipeline = makePipeline({
      bench: { deliveries: ['s3-copy'], price: tokyo },
      pick: { traffic: { callsPerMonth: 10, coldStartsPerMonth: 10 } },
    });
    const imported = { memoryMiB: 1024, rows: [makeImportRow({ memoryMiB: 1024 })], others: [] };
    const [candidate] = describeCandidates(makeGround({ pipeline, imported }));
    expect(candidate?.measures.costPer100k?.value).toBeCloseTo((0.64 * 0.0000166667 + 2e-7) * 100_000, 9);
  });
});
