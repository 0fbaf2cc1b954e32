import { join } from 'node:path';
import { describe, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { publishRelease } from '../../src/publish/publish-release.js';
import { fetchArtifact } from '../../src/stage/fetch-artifact.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { seededBytes, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';
import type { FaultRule } from '../services/fault.js';
import { type Bench, endOf, useFaultLab } from './fault-lab.js';
import { type Column, nameCases, readMatrix } from './fault-rows.js';
import { hashFolder } from './plain-store.js';

const record = { call: 'get', key: /artifact\.json$/ };
const current = { call: 'get', key: /current\.json$/ };

/** What staging comes to when one of its requests is never answered; the connection is given up after 2 s of silence. */
const staging = readMatrix(
  `
                             | get record | list | list uploads | create | part 2 | complete | put | put record
hang ×1                      | ok | ok | ok | ok | ok | ok | ok | ok
hang mid-answer ×1           | ok | ok | ok | ok |    | ok |    |
hang, always                 | unreachable | unreachable | unreachable | unreachable | unreachable |    | unreachable | unreachable
`,
  {
    'get record': record,
    list: { call: 'list' },
    'list uploads': { call: 'list-uploads' },
    create: { call: 'create' },
    'part 2': { call: 'part 2' },
    complete: { call: 'complete' },
    put: { call: 'put' },
    'put record': { call: 'put-document' },
  } satisfies Readonly<Record<string, Column>>,
);

/** The same for an upload that has to be given up because a part is refused for good. */
const aborting = readMatrix(
  `
                             | abort | list parts
hang ×1                      | access-denied | access-denied
`,
  { abort: { call: 'abort' }, 'list parts': { call: 'list-parts' } },
);
const refusedPart: FaultRule = {
  call: 'part 2',
  times: Number.POSITIVE_INFINITY,
  fault: { kind: 'refuse', status: 403, code: 'AccessDenied' },
};

/** The same for publishing. */
const publishing = readMatrix(
  `
                             | head | get record | get current | put release | put current
hang ×1                      | ok | ok | ok | ok | ok
hang mid-answer ×1           |    | ok | ok |    |
hang, always                 | unreachable | unreachable | unreachable | unreachable | unreachable
`,
  {
    head: { call: 'head', key: /\.data$/ },
    'get record': record,
    'get current': current,
    'put release': { call: 'put-document', key: /releases/ },
    'put current': { call: 'put-document', key: /current\.json$/ },
  },
);

/** The same for fetching. */
const fetching = readMatrix(
  `
                             | get current | get release | get range | get record
hang ×1                      | ok | ok | ok | ok
hang mid-answer ×1           | ok | ok | ok | ok
hang, always                 | unreachable | unreachable | unreachable | unreachable
hang mid-answer, always      | unreachable | unreachable |    | unreachable
`,
  {
    'get current': current,
    'get release': { call: 'get', key: /releases/ },
    'get range': { call: 'get-range', key: /\.data$/ },
    'get record': record,
  },
);

const model = { 'model.onnx': seededBytes(70_000, 8) };
let large: ArtifactRecord;
let small: ArtifactRecord;
const lab = useFaultLab(2, async (folder) => {
  // Three parts to send, and three ranges to read.
  const contentsOf = (sizeBytes: number) => ({ ...model, 'model.onnx.data': seededBytes(sizeBytes, 9) });
  large = await writeOpaqueArtifact(join(folder, 'large'), contentsOf(11_500_001));
  small = await writeOpaqueArtifact(join(folder, 'small'), contentsOf(300_001));
});

function stage({ storeUrl: to }: Bench): Promise<unknown> {
  const how = { concurrency: 3, partSizeBytes: 5 * 1024 ** 2, settings: defaultObjectSettings };
  return stageArtifact({ artifact: join(lab.folder(), 'large'), to, name: 'vit', ...how });
}

function publish({ storeUrl }: Bench): Promise<unknown> {
  const what = { chosen: choiceOf(small), artifacts: [releasedOf(small)] };
  const about = { name: 'vit', reason: 'the fastest', to: 'current' as const };
  return publishRelease({ storeUrl, ...what, ...about, now: new Date('2026-12-01T08:00:00Z') });
}

describe('a request that is never answered', () => {
  const uploads = [
    ...staging.map((cell) => ({ ...cell, others: [] })),
    ...aborting.map((cell) => ({ ...cell, others: [refusedPart] })),
  ];
  it.concurrent.for(nameCases(uploads))('while staging: %s', async ([, cell], context) => {
    const { expect } = context;
    const bench = await lab.open(context);
    const log = bench.play([cell.rule, ...cell.others]);
    const { outcome } = await endOf(stage(bench));
    const seen = await bench.store.survey();
    expect({ outcome, problems: seen.problems }).toEqual({ outcome: cell.outcome, problems: [] });
    expect(log.troubles).toEqual([]);
    expect(log.hits()[0]).toBeGreaterThan(0);
    expect([seen.openUploads, await bench.journalled()]).toEqual([0, 0]);
    expect(seen.recorded).toEqual(outcome === 'ok' ? [large.digest] : []);
  });

  it.concurrent.for(nameCases(publishing))('while publishing: %s', async ([, cell], context) => {
    const { expect } = context;
    const bench = await lab.open(context);
    await bench.store.putArtifact(small, join(lab.folder(), 'small'));
    const before = await bench.store.putRelease(small);
    const log = bench.play([cell.rule]);
    const { outcome } = await endOf(publish(bench));
    const seen = await bench.store.survey();
    expect({ outcome, problems: seen.problems }).toEqual({ outcome: cell.outcome, problems: [] });
    expect(log.hits()[0]).toBeGreaterThan(0);
    expect(seen.current === before).toBe(outcome !== 'ok');
  });

  it.concurrent.for(nameCases(fetching))('while fetching: %s', async ([, cell], context) => {
    const { expect } = context;
    const bench = await lab.open(context);
    await bench.store.putArtifact(small, join(lab.folder(), 'small'));
    await bench.store.putRelease(small);
    const log = bench.play([cell.rule]);
    const to = join(bench.folder, 'model');
    const url = `${bench.storeUrl}/vit/current.json`;
    const reading = { concurrency: 3, partSizeBytes: 128 * 1024 };
    const { outcome } = await endOf(fetchArtifact({ url, to, ...reading }));
    expect(outcome).toBe(cell.outcome);
    expect(log.hits()[0]).toBeGreaterThan(0);
    const expected = outcome === 'ok' ? await hashFolder(join(lab.folder(), 'small')) : {};
    expect(await hashFolder(to)).toEqual(expected);
  });
});
