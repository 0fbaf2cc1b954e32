import { describe, expect, it } from 'vitest';
import { mappedSession, usualSession, usualSessions } from '../../src/lib/session-options.js';
import { makeFinding } from '../../src/messages/finding.js';
import { type SweepReport, sweepResultSchema } from '../../src/report/documents/sweep-result.js';
import { type TuneReport, tuneResultSchema } from '../../src/report/documents/tune-result.js';
import { tabulateSweep } from '../../src/report/tables/sweep-table.js';
import { tabulateTuning } from '../../src/report/tables/tune-table.js';
import { renderSweepText } from '../../src/report/text/sweep-text.js';
import { renderTuneText } from '../../src/report/text/tune-text.js';
import { heldProfile } from './sample-sessions.js';

const machine = {
  cpuModel: 'A processor',
  cores: 2,
  memoryBytes: 8e9,
  node: '20.20.2',
  platform: 'linux/x64',
};

function point(workers: number, threads: number, p50Ms: number): SweepReport['points'][number] {
  const isOversubscribed = workers * threads > 2;
  const throughputPerSecond = (1000 * workers) / p50Ms;
  const [inferences, windowMs] = [workers * 120, 120 * p50Ms];
  const figures = { inferences, windowMs, p50Ms, p95Ms: p50Ms * 1.1, p99Ms: p50Ms * 1.3, billedMs: p50Ms };
  const rest = { peakRssBytes: workers * 600e6, costPer100kUsd: 2.6667 / throughputPerSecond, error: null };
  return { workers, threads, isOversubscribed, ...figures, throughputPerSecond, ...rest };
}

const failed: SweepReport['points'][number] = {
  ...{ workers: 4, threads: 1, isOversubscribed: true, inferences: 0, windowMs: 0 },
  ...{ p50Ms: null, p95Ms: null, p99Ms: null, billedMs: null, throughputPerSecond: null },
  ...{ peakRssBytes: null, costPer100kUsd: null },
  error: { code: 'sweep-worker-died', what: 'It died.' },
};

const sweep: SweepReport = {
  variantId: 'fp32.external',
  memoryMiB: 4096,
  cpus: 2,
  profile: heldProfile,
  session: usualSession,
  points: [point(1, 1, 580), { ...point(1, 2, 300), inferences: 60, p99Ms: null }, point(2, 1, 590), failed],
  best: { latency: 1, throughput: 2, cost: 2 },
  priceBasis: '2 vCPU host at 0.096 USD per hour; a study, undated',
  machine,
  durationMs: 9e4,
  findings: [],
};

type Configuration = TuneReport['configurations'][number];

function opened(
  form: Configuration['form'],
  session: Configuration['session'],
  readyMs: number,
  more: Partial<Configuration> = {},
): Configuration {
  const figures = { sessionMs: readyMs - 600, firstInferenceMs: 600, readyMs, steadyMs: 590 };
  const openvinos = { modelCache: 'none', isMapped: true, cacheSizeBytes: null } as const;
  const rest = { sizeBytes: 343e6, peakRssBytes: 550e6, boundTo: null, samples: [], error: null };
  return { form, saved: null, session, ...openvinos, ...figures, ...rest, ...more };
}

const inPlace = { ...usualSession, optimisation: 'disabled' } as const;
const all = { optimisation: 'all', isPrepacked: false } as const;
const family = 'processors of this family (A processor)';

const tune: TuneReport = {
  variantId: 'fp16-weights.external',
  ...{ engine: 'onnxruntime', engineVersion: '1.30.0' },
  memoryMiB: null,
  threads: 2,
  profile: null,
  configurations: [
    opened('own', usualSession, 1150, { sizeBytes: 172e6 }),
    opened('expanded', mappedSession, 660, { steadyMs: 640 }),
    opened('own', inPlace, 1000, { saved: all, boundTo: family }),
    opened('own', inPlace, 640, {
      saved: { ...all, isPrepacked: true },
      boundTo: 'processors like this one',
      sizeBytes: 683e6,
    }),
    opened('expanded', inPlace, 0, {
      ...{ sessionMs: null, firstInferenceMs: null, readyMs: null, steadyMs: null, peakRssBytes: null },
      error: { code: 'bench-sample-died', what: 'It died.' },
    }),
  ],
  front: [0, 1, 3],
  chosen: usualSessions,
  reason: 'As it is: prepacking. By stream: no prepacking.',
  cache: 'warm',
  machine,
  durationMs: 9e4,
  findings: [
    makeFinding('info', 'tune-offline-gain', {
      variantId: 'fp16-weights.external',
      configuration: 'saved at all with prepacked weights',
      readyMs: 640,
      chosenMs: 660,
      sizeBytes: 683e6,
      boundTo: 'processors like this one',
    }),
  ],
};

describe('graphs that were saved and cannot be opened', () => {
  it('have a note instead of rows, no bytes and nothing that they are bound to', () => {
    const died = { code: 'bench-sample-died', what: 'It died.' };
    const configurations = tune.configurations.map((each) =>
      each.saved === null ? each : { ...each, readyMs: null, sizeBytes: null, boundTo: null, error: died },
    );
    const { rows, notes } = tabulateTuning({ ...tune, configurations });
    expect(rows.map(([files]) => files?.text)).not.toContain('saved');
    expect(rows.length).toBe(tune.configurations.length - 2);
    expect(notes).toContain(
      'Not shown: 2 of 2 ways to open graphs that were saved, which failed (bench-sample-died).',
    );
    expect(notes.join('\n')).not.toContain('are bound to');
  });
});

describe('the table of a sweep', () => {
  it('reads as it should on a terminal', () => {
    expect(renderSweepText(sweep, { colour: false })).toMatchSnapshot();
  });

  it('has a column of costs only with a price, and says why one is missing', () => {
    const bare = tabulateSweep({ ...sweep, priceBasis: null });
    expect(bare.columns.map((column) => column.title)).not.toContain('USD per 100,000');
    const [first] = sweep.points;
    const unpriced = first === undefined ? [] : [{ ...first, costPer100kUsd: null }];
    expect(tabulateSweep({ ...sweep, points: unpriced }).notes.join(' ')).toContain('one request at a time');
  });

  it('says how processors and memory were limited, and why there is no price', () => {
    const facts = { variantId: 'v', memoryMiB: 4096, basis: 'Lambda', reason: 'nothing held them' };
    const findings = [makeFinding('warning', 'sweep-not-priced', facts)];
    const profile = sweep.profile && {
      ...sweep.profile,
      cpuLimit: 'affinity' as const,
      memoryLimit: 'none' as const,
    };
    const notes = tabulateSweep({ ...sweep, priceBasis: null, profile, findings }).notes.join('\n');
    expect(notes).toContain(
      '† only imitated: 2.32 vCPU wanted; processors limited by affinity and threads alone; memory not limited.',
    );
    expect(notes).toContain('nothing held them, so the price (Lambda) is not for what was measured');
    expect(tabulateTuning(tune).notes).toContain('Limits: none; the machine as it is.');
    expect(tabulateTuning({ ...tune, profile }).notes.join('\n')).toContain('memory not limited');
  });

  it('writes a cost below a dollar finely enough to tell them apart', () => {
    const [first] = sweep.points;
    const points = [0.59259, 2.05224].map((costPer100kUsd) => ({ ...(first ?? failed), costPer100kUsd }));
    const { rows, columns } = tabulateSweep({ ...sweep, points });
    const place = columns.findIndex((column) => column.title === 'USD per 100,000');
    expect(rows.map((row) => row[place]?.text)).toEqual(['0.5926', '2.05']);
  });
});

describe('the table of session options', () => {
  it('reads as it should on a terminal', () => {
    expect(renderTuneText(tune, { colour: false })).toMatchSnapshot();
  });

  it('marks what was chosen only among files that a release holds', () => {
    const outcomes = tabulateTuning(tune).rows.map((row) => row.at(-1)?.text);
    expect(outcomes).toEqual([
      'chosen, front',
      'chosen for stream, front',
      '',
      'front',
      'failed: bench-sample-died',
    ]);
  });
});

it('the documents take the examples as they are', () => {
  expect(sweepResultSchema.parse(sweep)).toEqual(sweep);
  expect(tuneResultSchema.parse(tune)).toEqual(tune);
});
