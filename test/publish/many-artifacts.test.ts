import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { expect, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { quietContext } from '../../src/lib/work-context.js';
import { promoteAt } from '../../src/publish/promote-release.js';
import { pruneStore } from '../../src/publish/prune/prune-releases.js';
import { publishInto } from '../../src/publish/publish-release.js';
import { readCurrent } from '../../src/publish/read-current.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { recordOf, temporaryFolder } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';
import { minutesLater, openPlace } from './open-place.js';

const count = 1_000;

/** Puts artifacts into a folder store as stage would, without its checks. */
async function stageMany(store: string): Promise<readonly ArtifactRecord[]> {
  const limit = pLimit(16);
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      limit(async () => {
        const bytes = Buffer.from(`model ${index}`);
        const record = recordOf({ 'model.onnx': bytes });
        const folder = join(store, 'vit/objects', record.digest);
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'model.onnx'), bytes);
        await writeFile(join(folder, 'artifact.json'), JSON.stringify(record));
        return record;
      }),
    ),
  );
}

it('publishes, promotes and prunes a thousand artifacts with a bounded number of requests at a time', async () => {
  const url = join(await temporaryFolder(), 'store');
  const records = await stageMany(url);
  let [running, most, calls] = [0, 0, 0];
  const watch = async <Result>(go: () => Promise<Result>): Promise<Result> => {
    running += 1;
    calls += 1;
    most = Math.max(most, running);
    return go().finally(() => {
      running -= 1;
    });
  };
  const place = await openPlace(url, { head: watch, read: watch, write: watch, remove: watch });
  const [first] = records;
  if (first === undefined) throw new Error('there are records');
  const about = { name: 'vit', reason: 'the fastest', to: 'current' as const };
  const all = { ...about, chosen: choiceOf(first), artifacts: records.map(releasedOf) };
  const { release } = await publishInto(place, { ...all, now: minutesLater(0) }, quietContext());
  // Of A × (F + 2) + 6 of a first release, files are examined past these hooks, and a folder's conditions need no proof.
  expect(calls).toBe(count * 2 + 4);
  const one = { ...about, chosen: choiceOf(first), artifacts: [releasedOf(first)] };
  await publishInto(place, { ...one, now: minutesLater(1) }, quietContext());
  const from = await readCurrent(place, AbortSignal.timeout(9_000));
  expect(await promoteAt(place, { release, from, now: minutesLater(2) }, quietContext())).toMatchObject({
    moved: true,
  });
  await publishInto(place, { ...one, now: minutesLater(3) }, quietContext());
  const how = { keep: 1, graceMs: 0, isDryRun: false, name: 'vit', settings: defaultObjectSettings };
  const pruned = await pruneStore(place.store, { ...how, now: new Date(Date.now() + 1_000) }, quietContext());
  expect(pruned).toMatchObject({ objects: 2 * (count - 1), models: [{ releases: [{}, {}] }] });
  expect(most).toBeLessThanOrEqual(16);
}, 120_000);
