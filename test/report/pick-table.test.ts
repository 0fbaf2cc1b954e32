import { describe, expect, it } from 'vitest';
import { pickWinner } from '../../src/pick/pick-winner.js';
import { tabulatePick } from '../../src/report/tables/pick-table.js';
import { listShipment } from '../../src/report/tables/shipment-table.js';
import { candidate, measure, measures, usualRules } from '../pick/candidates.js';
import { sampleShipment } from './sample-shipment.js';

const resting = (total: number, kind: 'assumed' | 'imported' | 'listed', source: string) => {
  const evidence = [{ kind, what: 'restore', source }];
  return measures({ total: measure(total, { evidence }), ready: 1, steady: 1, init: 1, firstCall: 1 });
};

function tabulate(...candidates: readonly ReturnType<typeof candidate>[]) {
  const leftOut = [{ variantId: 'fp32.openvino.ir', reason: 'it is not installed' }];
  const picked = pickWinner({ ...usualRules, candidates, leftOut }, () => 'different');
  return tabulatePick({ ...picked, shipment: null });
}

const texts = (table: ReturnType<typeof tabulate>, column: string) => {
  const at = table.columns.findIndex(({ title }) => title === column);
  return table.rows.map((row) => row[at]?.text);
};

describe('the table of a pick', () => {
  const restored = candidate({ startMode: 'snapstart', measures: resting(300, 'assumed', 'a blog') });
  const real = candidate({ delivery: 'lazy', measures: resting(400, 'imported', '15 calls of f') });

  it('has a column of start modes only where there is more than on demand', () => {
    expect(tabulate(candidate()).columns.map(({ title }) => title)).not.toContain('Start');
    expect(texts(tabulate(candidate(), restored), 'Start')).toEqual(['SnapStart', 'on demand', '–']);
  });

  it('marks what rests on more than a measurement here, and says on what', () => {
    const table = tabulate(candidate(), restored, real);
    expect(texts(table, 'Total')).toEqual(['300 ms *', '400 ms †', '500 ms', '–']);
    expect(table.notes).toEqual([
      '* Part of it is assumed. restore: a blog.',
      '† Of real runs. restore: 15 calls of f.',
    ]);
    expect(tabulate(candidate()).notes).toEqual([]);
    const listed = tabulate(candidate({ measures: resting(300, 'listed', 'a price list') }));
    expect([texts(listed, 'Total')[0], listed.notes]).toEqual([
      '300 ms',
      ['As listed. restore: a price list.'],
    ]);
  });

  it('lists what could not be made, with the reason', () => {
    const table = tabulate(candidate());
    expect(table.rows.at(-1)?.map(({ text }) => text)).toEqual([
      'fp32.openvino.ir',
      '–',
      'left out',
      '–',
      '–',
      'could not be made: it is not installed',
    ]);
  });
});

describe('what is deployed', () => {
  const value = (over: Partial<typeof sampleShipment>, name: string) =>
    listShipment({ ...sampleShipment, ...over }).find(([each]) => each === name)?.[1];

  it('says what is not known, and nothing of what it is not bound to', () => {
    expect(value({ memoryMiB: null }, 'memory')).toBe('not known: none was imitated');
    expect(value({ artifactUrl: null }, 'artifact')).toBe('in no store yet');
    expect(value({}, 'bound')).toBeUndefined();
    expect(value({ binding: 'compiled for OpenVINO 2026.4.1' }, 'bound')).toContain('2026.4.1');
  });

  it('says why there are no parameters for SAM', () => {
    expect(value({ samProblem: 'it is a layer' }, 'SAM')).toBe('no parameters: it is a layer');
  });
});
