import { describe, expect, it } from 'vitest';
import { spreadOf } from '../src/bench/statistics/spread.js';
import { findImported, findImportedBefore, selectImported } from '../src/imported-figures.js';
import { pickWinner } from '../src/pick/pick-winner.js';
import { preparePick } from '../src/pick-candidates.js';
import { tellApart } from '../src/tell-apart.js';
import { makeGround, makeImportRow, makePipeline } from './fixtures/measured-run.js';

const name = { variantId: 'fp32.single', delivery: 's3-copy', startMode: 'on-demand' } as const;

describe('real runs', () => {
  it('of other memory than the run imitates are left out', () => {
    const rows = [makeImportRow(), makeImportRow({ memoryMiB: 4096 })];
    expect(selectImported(rows, 4096)).toMatchObject({ memoryMiB: 4096, rows: [rows[1]], others: [rows[0]] });
  });

  it('of several memories are refused where the run imitates none', () => {
    const rows = [makeImportRow({ memoryMiB: 4096 }), makeImportRow()];
    expect(() => selectImported(rows, null)).toThrow(
      expect.objectContaining({ code: 'pick-imported-memories', facts: { memories: [2048, 4096] } }),
    );
    expect(selectImported(rows.slice(1), null)?.memoryMiB).toBe(2048);
    expect(selectImported([], null)).toBeNull();
  });

  it('of one candidate are those of the function with most cold starts', () => {
    const rows = [makeImportRow({ calls: 3 }), makeImportRow({ functionName: 'g', calls: 4 })];
    expect(findImported({ memoryMiB: 2048, rows, others: [] }, name)?.cold.functionName).toBe('g');
  });

  it('say of a restore what passed before the call was taken, or what the platform reports', () => {
    const restoreMs = { median: 180, min: 180, max: 180, p95: null, count: 1 };
    const row = makeImportRow({ startMode: 'snapstart', environmentMs: null, restoreMs });
    const found = findImportedBefore(
      { memoryMiB: 2048, rows: [row], others: [] },
      {
        ...name,
        startMode: 'snapstart',
      },
    );
    expect(found).toMatchObject({
      value: 180,
      max: 180,
      count: 1,
      evidence: { kind: 'imported', what: 'restore' },
    });
  });

  it('say how a restore scatters, so that no limit is held against its median', () => {
    const times = [...Array.from({ length: 19 }, () => 400), 2000, 2100];
    const restore = makeImportRow({
      ...{ startMode: 'snapstart', functionName: 'restored', variantId: 'of another run' },
      ...{ environmentMs: null, restoreMs: spreadOf(times), calls: times.length },
    });
    const pipeline = makePipeline({
      bench: { deliveries: ['s3-copy'] },
      pick: {
        startModes: { 'on-demand': false, snapstart: {} },
        limits: { readyP95Ms: 1000 },
        require: { parity: 'any', budgets: 'any' },
      },
    });
    const { options } = preparePick({ ...makeGround(), pipeline, leftOut: [] }, [restore], null);
    expect(options.candidates).toMatchObject([{ measures: { ready: { value: 400, p95: 2000, max: 2100 } } }]);
    expect(pickWinner(options, tellApart).losers[0]?.reason).toBe(
      'ready 2000 ms (p95) is over 1000 ms, the limit',
    );
  });

  it('that are of no candidate are told', () => {
    const ground = { ...makeGround(), leftOut: [] };
    const pipeline = makePipeline({ bench: { deliveries: ['s3-copy'] } });
    const rows = [makeImportRow(), makeImportRow({ variantId: 'fp32.singel', calls: 1 })];
    expect(preparePick({ ...ground, pipeline }, rows, null).notes).toMatchObject([
      { code: 'pick-imported-unused', facts: { total: 2, rows: [expect.stringContaining('fp32.singel')] } },
    ]);
    expect(preparePick({ ...ground, pipeline }, rows.slice(0, 1), null).notes).toEqual([]);
  });
});

describe('tellApart', () => {
  const around = (middle: number) =>
    Array.from({ length: 10 }, (_, round) => ({ round, value: middle * (1 + 0.01 * ((round * 7) % 5)) }));

  it('is what the comparison of a benchmark says, by rounds', () => {
    expect(tellApart(around(100), around(150), 1)).toBe('different');
    expect(tellApart(around(100), around(100), 1)).toBe('same');
  });

  it('knows nothing of what has no rounds, too few, or nothing to divide by', () => {
    expect(tellApart(around(100), [], 1)).toBe('unknown');
    expect(tellApart(around(100).slice(0, 3), around(150).slice(0, 3), 1)).toBe('unknown');
    expect(tellApart(around(100), [{ round: 0, value: 0 }], 1)).toBe('unknown');
  });
});
