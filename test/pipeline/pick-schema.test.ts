import { describe, expect, it } from 'vitest';
import { pickSchema } from '../../src/pipeline/pick-schema.js';
import { runRecordSchema } from '../../src/pipeline/run-record-schema.js';
import { usualRules } from '../pick/candidates.js';

const wrong = (content: object) => pickSchema.safeParse(content).error?.issues[0];

describe('the section `pick`', () => {
  it('left out is what is chosen by where nothing is said, on demand alone', () => {
    const { compared: _compared, ...rules } = usualRules;
    expect(pickSchema.parse({})).toEqual({ ...rules, startModes: { 'on-demand': true } });
  });

  it('takes weights, limits, start modes and traffic', () => {
    const content = {
      objective: { weights: { total: 0.7, costPer100k: 0.3 } },
      limits: { totalP95Ms: 3000 },
      startModes: { snapstart: { restoreMs: 250, source: 'logs' }, provisioned: {} },
      traffic: { callsPerMonth: 10, coldStartsPerMonth: 10 },
    };
    expect(pickSchema.parse(content)).toMatchObject({
      ...content,
      startModes: { 'on-demand': true, provisioned: { processes: 1 } },
    });
  });

  it.each([
    [{ objective: { weights: { total: 0 } } }, ['objective', 'weights'], 'a weight above 0'],
    [{ objective: { weights: { speed: 1 } } }, ['objective', 'weights'], ''],
    [{ objective: 'speed' }, ['objective'], 'must be one of total'],
    [{ startModes: { snapstart: { restoreMs: 250 } } }, ['startModes', 'snapstart'], 'source'],
    [
      { startModes: { snapstart: { restoreMs: 250, restoreP95Ms: 249, source: 's' } } },
      ['startModes', 'snapstart'],
      'not above restoreP95Ms',
    ],
    [{ startModes: { provisioned: true } }, ['startModes', 'provisioned'], 'write `provisioned: {}`'],
    [{ startModes: { snapstart: true } }, ['startModes', 'snapstart'], 'write `snapstart: {}`'],
    [{ startModes: { 'on-demand': false } }, ['startModes'], 'one start mode'],
    [{ traffic: { callsPerMonth: 1, coldStartsPerMonth: 2 } }, ['traffic'], 'at most as many'],
    [{ limits: { totalP95Ms: 0 } }, ['limits', 'totalP95Ms'], ''],
  ])('refuses %j, and says where', (content, path, words) => {
    const issue = wrong(content);
    expect(issue?.path).toEqual(path);
    expect(issue?.message).toContain(words);
  });

  it('of a run that an earlier version recorded is filled in where it is read', () => {
    const recorded = { objective: 'ready', require: { parity: 'any', budgets: 'pass' } };
    expect(runRecordSchema.shape.pipeline.shape.pick.parse(recorded)).toEqual(
      pickSchema.parse({ ...recorded, limits: {}, invokedThrough: 'other' }),
    );
  });
});
