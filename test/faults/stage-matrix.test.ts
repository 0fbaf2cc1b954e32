import { join } from 'node:path';
import { describe, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { seededBytes, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import type { FaultRule } from '../services/fault.js';
import { endOf, useFaultLab } from './fault-lab.js';
import { type MatrixCase, nameCases, readMatrix } from './fault-rows.js';

/** What sending a large file comes to when one of the requests for it goes wrong. */
const largeMatrix = readMatrix(
  `
                             | list uploads | create | part 2 | complete
reset before headers ×1      | ok | ok | ok | ok
reset before headers, always | unreachable | unreachable | unreachable | unreachable
reset mid-request ×1         |    |    | ok | ok
reset mid-answer ×1          | ok | ok |    | ok
answer lost ×1               | ok | ok | ok | ok
answer lost, always          | unreachable | unreachable | unreachable | ok
500 ×1                       | ok | ok | ok | ok
500, always                  | failed | failed | failed | failed
503 ×2                       | ok | ok | ok | ok
503 ×3                       | failed | failed | failed | failed
403, always                  | ok | access-denied | access-denied | access-denied
404 ×1                       |    |    | ok | ok
404, always                  | no-such-bucket | no-such-bucket | failed | failed
200 with error ×1            | ok | ok | ok | ok
200 with error, always       | failed | failed | failed | failed
wrong checksum, always       |    |    | stored-differs | stored-differs
wrong ETag, always           |    |    |    | ok
wrong bytes sent ×1          |    |    | ok |
wrong bytes sent, always     |    |    | failed |
wrong bytes stored ×1        |    |    | stored-differs |
wrong bytes answered ×1      |    | ok |    | ok
clock 1 h ahead              | ok | ok | ok | ok
`,
  {
    'list uploads': { call: 'list-uploads' },
    create: { call: 'create' },
    'part 2': { call: 'part 2' },
    complete: { call: 'complete' },
  },
);

/** The same for an upload that has to be given up because a part is refused for good. */
const abortMatrix = readMatrix(
  `
                             | abort | list parts
reset before headers ×1      | access-denied | access-denied
reset before headers, always | parts-left | access-denied
answer lost ×1               | access-denied | access-denied
500, always                  | parts-left | access-denied
503 ×2                       | access-denied | access-denied
403, always                  | parts-left | access-denied
404, always                  | parts-left | access-denied
200 with error, always       | parts-left | access-denied
clock 1 h ahead              | access-denied | access-denied
`,
  { abort: { call: 'abort' }, 'list parts': { call: 'list-parts' } },
);
const refusedPart: FaultRule = {
  call: 'part 2',
  times: Number.POSITIVE_INFINITY,
  fault: { kind: 'refuse', status: 403, code: 'AccessDenied' },
};

/** The same for files that go in one request, and for what is asked about any artifact. */
const smallMatrix = readMatrix(
  `
                             | get record | list | put | put record
reset before headers ×1      | ok | ok | ok | ok
reset before headers, always | unreachable | unreachable | unreachable | unreachable
reset mid-request ×1         |    |    | ok | ok
reset mid-answer ×1          | ok | ok |    |
answer lost ×1               | ok | ok | ok | ok
answer lost, always          | unreachable | unreachable | ok | unreachable
500 ×1                       | ok | ok | ok | ok
500, always                  | failed | failed | failed | failed
503 ×2                       | ok | ok | ok | ok
503 ×3                       | failed | failed | failed | failed
403, always                  | access-denied | access-denied | access-denied | access-denied
404, always                  | ok | no-such-bucket | no-such-bucket | no-such-bucket
200 with error ×1            | ok | ok | ok | ok
200 with error, always       | ok | failed | failed | failed
wrong checksum, always       |    |    | stored-differs | ok
wrong ETag, always           |    |    | ok | ok
wrong bytes sent ×1          |    |    | ok | ok
wrong bytes sent, always     |    |    | failed | failed
wrong bytes stored ×1        |    |    | stored-differs | ok
wrong bytes answered ×1      | ok | ok |    |
clock 1 h ahead              | ok | ok | ok | ok
`,
  {
    'get record': { call: 'get', key: /artifact\.json$/ },
    list: { call: 'list' },
    put: { call: 'put', key: /model\.onnx$/ },
    'put record': { call: 'put-document' },
  },
);

/** What staging comes to when the artifact is there already and looking at it goes wrong. */
const againMatrix = readMatrix(
  `
                             | head
reset before headers ×1      | ok
reset before headers, always | unreachable
answer lost ×1               | ok
500, always                  | failed
503 ×2                       | ok
403, always                  | access-denied
404, always                  | ok
200 with error, always       | download-corrupt
wrong checksum, always       | ok
clock 1 h ahead              | ok
`,
  { head: { call: 'head', key: /model\.onnx$/ } },
);

const model = { 'model.onnx': seededBytes(70_000, 8) };
/** No part but the last is smaller than 5 MiB: one of those is enough, but where others are on their way when one fails. */
const contents = {
  small: { ...model, 'labels.txt': seededBytes(300, 1) },
  'two parts': { ...model, 'model.onnx.data': seededBytes(5_300_001, 9) },
  'three parts': { ...model, 'model.onnx.data': seededBytes(11_500_001, 9) },
} as const;
type Name = keyof typeof contents;

let old: ArtifactRecord;
const records = new Map<Name, ArtifactRecord>();
const lab = useFaultLab(20, async (folder) => {
  old = await writeOpaqueArtifact(join(folder, 'old'), { 'model.onnx': seededBytes(50_000, 7) });
  for (const name of Object.keys(contents) as Name[])
    records.set(name, await writeOpaqueArtifact(join(folder, name), contents[name]));
});

type StageCase = MatrixCase & {
  readonly artifact: Name;
  readonly others?: readonly FaultRule[];
  /** Whether the artifact is staged already. */
  readonly isThere?: boolean;
};

const cases: readonly StageCase[] = [
  ...largeMatrix.map((cell) => ({ ...cell, artifact: 'two parts' as const })),
  ...abortMatrix.map((cell) => ({ ...cell, artifact: 'three parts' as const, others: [refusedPart] })),
  ...smallMatrix.map((cell) => ({ ...cell, artifact: 'small' as const })),
  ...againMatrix.map((cell) => ({ ...cell, artifact: 'small' as const, isThere: true })),
];

describe('staging, when a request goes wrong', () => {
  it.concurrent.for(nameCases(cases))('%s', async ([, { outcome, rule, ...item }], context) => {
    const { expect } = context;
    const { store, storeUrl, play, journalled } = await lab.open(context);
    await store.putArtifact(old, join(lab.folder(), 'old'));
    const current = await store.putRelease(old);
    const how = { partSizeBytes: 5 * 1024 ** 2, concurrency: 3, settings: defaultObjectSettings };
    const options = { artifact: join(lab.folder(), item.artifact), to: storeUrl, name: 'vit', ...how };
    const { digest } = records.get(item.artifact) ?? old;
    if (item.isThere) await stageArtifact(options);
    const log = play([rule, ...(item.others ?? [])]);
    const ending = await endOf(stageArtifact(options));
    const seen = await store.survey();
    expect(log.troubles).toEqual([]);
    expect({ outcome: ending.outcome, problems: seen.problems }).toEqual({ outcome, problems: [] });
    expect(log.hits()[0]).toBeGreaterThan(0);
    expect(seen.current).toBe(current);
    const isLeft = outcome === 'parts-left';
    expect([seen.openUploads, await journalled()]).toEqual(isLeft ? [1, 1] : [0, 0]);
    const isLost = rule.call === 'put-document' && rule.fault.kind === 'lose-answer';
    const isRecorded = outcome === 'ok' || isLost || item.isThere === true;
    expect(seen.recorded.includes(digest)).toBe(isRecorded);
    if (outcome === 'ok') return;
    expect(ending.exitCode).toBe(3);
    // Nothing that a failure leaves is in the way of the next run.
    play([]);
    expect((await endOf(stageArtifact(options))).outcome).toBe('ok');
    const later = await store.survey();
    expect({ problems: later.problems, current: later.current }).toEqual({ problems: [], current });
    expect(later.recorded).toContain(digest);
  });
});
