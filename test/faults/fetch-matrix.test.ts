import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { fetchArtifact } from '../../src/stage/fetch-artifact.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { seededBytes, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { endOf, useFaultLab } from './fault-lab.js';
import { nameCases, readMatrix } from './fault-rows.js';
import { hashFolder } from './plain-store.js';

/** What fetching comes to when one of its requests goes wrong. */
const matrix = readMatrix(
  `
                             | get current | get release | get range | get record
reset before headers ×1      | ok | ok | ok | ok
reset before headers, always | unreachable | unreachable | unreachable | unreachable
reset mid-answer ×1          | ok | ok | ok | ok
reset mid-answer, always     | unreachable | unreachable | unreachable | unreachable
answer lost ×1               | ok | ok | ok | ok
500 ×1                       | ok | ok | ok | ok
500, always                  | failed | failed | failed | failed
503 ×2                       | ok | ok | ok | ok
503 ×3                       | failed | failed |    | failed
403, always                  | access-denied | access-denied | access-denied | access-denied
404, always                  | object-missing | object-missing | object-missing | object-missing
200 with error ×1            | record-wrong | record-wrong | download-corrupt | record-wrong
200 with error, always       | record-wrong | record-wrong | download-corrupt | record-wrong
wrong bytes answered ×1      | record-wrong | record-wrong | download-corrupt | record-wrong
wrong bytes answered, always | record-wrong | record-wrong | download-corrupt | record-wrong
clock 1 h ahead              | ok | ok | ok | ok
`,
  {
    'get current': { call: 'get', key: /current\.json$/ },
    'get release': { call: 'get', key: /releases/ },
    'get range': { call: 'get-range', key: /\.data$/ },
    'get record': { call: 'get', key: /artifact\.json$/ },
  },
);

/** Three ranges of the second file. */
const contents = { 'model.onnx': seededBytes(70_000, 8), 'model.onnx.data': seededBytes(300_001, 9) };
const reading = { concurrency: 3, partSizeBytes: 128 * 1024 };
let record: ArtifactRecord;
const lab = useFaultLab(20, async (folder) => {
  record = await writeOpaqueArtifact(join(folder, 'artifact'), contents);
});

describe('fetching, when a request goes wrong', () => {
  it.concurrent.for(nameCases(matrix))('%s', async ([, { outcome, rule }], context) => {
    const { expect } = context;
    const { store, storeUrl, folder, play } = await lab.open(context);
    const artifact = join(lab.folder(), 'artifact');
    await store.putArtifact(record, artifact);
    await store.putRelease(record);
    const log = play([rule]);
    const to = join(folder, 'model');
    const options = { url: `${storeUrl}/vit/current.json`, to, ...reading };
    const ending = await endOf(fetchArtifact(options));
    const names = await readdir(folder);
    expect(log.troubles).toEqual([]);
    expect({ outcome: ending.outcome, names }).toEqual({ outcome, names: outcome === 'ok' ? ['model'] : [] });
    expect(log.hits()[0]).toBeGreaterThan(0);
    if (outcome !== 'ok') {
      expect(ending.exitCode).toBe(/^(object-missing|record-wrong)$/.test(outcome) ? 2 : 3);
      play([]);
      expect((await endOf(fetchArtifact(options))).outcome).toBe('ok');
    }
    expect(await hashFolder(to)).toEqual(await hashFolder(artifact));
  });
});
