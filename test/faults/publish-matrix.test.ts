import { join } from 'node:path';
import { describe, it } from 'vitest';
import { type PublishOptions, publishRelease } from '../../src/publish/publish-release.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { seededBytes, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';
import type { FaultRule } from '../services/fault.js';
import { endOf, useFaultLab } from './fault-lab.js';
import { nameCases, readMatrix } from './fault-rows.js';

/** What publishing comes to when one of its requests goes wrong. */
const matrix = readMatrix(
  `
                             | head | get record | get current | put release | put current
reset before headers ×1      | ok | ok | ok | ok | ok
reset before headers, always | unreachable | unreachable | unreachable | unreachable | unreachable
reset mid-request ×1         |    |    |    | ok | ok
reset mid-answer ×1          |    | ok | ok |    |
answer lost ×1               | ok | ok | ok | ok | ok
answer lost, always          |    |    |    | unreachable | ok
500 ×1                       | ok | ok | ok | ok | ok
500, always                  | failed | failed | failed | failed | failed
503 ×2                       | ok | ok | ok | ok | ok
503 ×3                       | failed | failed | failed | failed | failed
403, always                  | access-denied | access-denied | access-denied | access-denied | access-denied
404, always                  | publish-not-staged | publish-not-staged | publish-conflict | no-such-bucket | no-such-bucket
200 with error ×1            | download-corrupt | publish-not-staged | ok | ok | ok
200 with error, always       | download-corrupt | publish-not-staged | ok | failed | failed
wrong checksum, always       | ok |    |    | ok | ok
wrong ETag, always           | ok |    | publish-conflict | ok | ok
wrong bytes sent ×1          |    |    |    | ok | ok
wrong bytes sent, always     |    |    |    | failed | failed
wrong bytes stored ×1        |    |    |    | ok | ok
wrong bytes answered, always |    |    | ok |    |
clock 1 h ahead              | ok | ok | ok | ok | ok
`,
  {
    head: { call: 'head', key: /model\.onnx$/ },
    'get record': { call: 'get', key: /artifact\.json$/ },
    'get current': { call: 'get', key: /current\.json$/ },
    'put release': { call: 'put-document', key: /releases/ },
    'put current': { call: 'put-document', key: /current\.json$/ },
  },
);

/** The same for the writes that must be refused, which prove that the server heeds conditions, and for the last looks. */
const proofMatrix = readMatrix(
  `
                             | put proof | look at artifact | look at release
reset before headers ×1      | ok | ok | ok
reset before headers, always | unreachable | unreachable | ok
reset mid-request ×1         | ok |    |
answer lost ×1               | ok | ok | ok
500 ×1                       | ok | ok | ok
500, always                  | failed | failed | ok
503 ×2                       | ok | ok | ok
403, always                  | access-denied | access-denied | ok
404, always                  | no-such-bucket | publish-not-staged | ok
200 with error, always       | failed | ok | ok
wrong bytes sent ×1          | ok |    |
`,
  {
    'put proof': { call: 'put-document', key: /releases/, after: 1 },
    'look at artifact': { call: 'head', key: /artifact\.json$/ },
    'look at release': { call: 'head', key: /releases/ },
  },
);

/** The same for taking the release document back, while the move of `current.json` is refused for good. */
const withdrawMatrix = readMatrix(
  `
                             | get own release | delete
reset before headers ×1      | access-denied | access-denied
reset before headers, always | publish-left | publish-left
answer lost ×1               | access-denied | access-denied
500, always                  | publish-left | publish-left
503 ×2                       | access-denied | access-denied
403, always                  | publish-left | publish-left
`,
  { 'get own release': { call: 'get', key: /releases/ }, delete: { call: 'delete' } },
);
const refusedMove: FaultRule = {
  call: 'put-document',
  key: /current\.json$/,
  times: Number.POSITIVE_INFINITY,
  fault: { kind: 'refuse', status: 403, code: 'AccessDenied' },
};

let old: ArtifactRecord;
let record: ArtifactRecord;
const lab = useFaultLab(20, async (folder) => {
  old = await writeOpaqueArtifact(join(folder, 'old'), { 'model.onnx': seededBytes(50_000, 7) });
  record = await writeOpaqueArtifact(join(folder, 'new'), { 'model.onnx': seededBytes(300_000, 8) });
});

function optionsFor(storeUrl: string, now: string): PublishOptions {
  const about = { name: 'vit', reason: 'the fastest', to: 'current' as const, now: new Date(now) };
  return { storeUrl, chosen: choiceOf(record), artifacts: [releasedOf(record)], ...about };
}

describe('publishing, when a request goes wrong', () => {
  const cases = [
    ...[...matrix, ...proofMatrix].map((cell) => ({ ...cell, others: [] })),
    ...withdrawMatrix.map((cell) => ({ ...cell, others: [refusedMove] })),
  ];
  it.concurrent.for(nameCases(cases))('%s', async ([, { outcome, rule, others }], context) => {
    const { expect } = context;
    const { store, storeUrl, play } = await lab.open(context);
    await store.putArtifact(old, join(lab.folder(), 'old'));
    await store.putArtifact(record, join(lab.folder(), 'new'));
    const before = await store.putRelease(old);
    const log = play([rule, ...others]);
    const ending = await endOf(publishRelease(optionsFor(storeUrl, '2026-12-01T08:00:00Z')));
    const seen = await store.survey();
    expect(log.troubles).toEqual([]);
    expect({ outcome: ending.outcome, problems: seen.problems }).toEqual({ outcome, problems: [] });
    expect(log.hits()[0]).toBeGreaterThan(0);
    const after = `20261201T080000Z-${record.digest.slice(0, 8)}`;
    expect(seen.current).toBe(outcome === 'ok' ? after : before);
    if (outcome === 'ok') return;
    // Who fails takes the release document back, unless that is what fails.
    const isLeft = outcome === 'publish-left';
    expect(seen.releases.includes(after)).toBe(isLeft);
    expect(ending.exitCode).toBe(/^(publish-not-staged|record-wrong)$/.test(outcome) ? 2 : 3);
    // Nothing that a failure leaves is in the way of the next run.
    play([]);
    expect((await endOf(publishRelease(optionsFor(storeUrl, '2026-12-01T08:00:01Z')))).outcome).toBe('ok');
    expect(await store.survey()).toMatchObject({
      problems: [],
      current: `20261201T080001Z-${record.digest.slice(0, 8)}`,
    });
  });
});
