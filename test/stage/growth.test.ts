import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { publishRelease } from '../../src/publish/publish-release.js';
import { stageArtifact } from '../../src/stage/stage-artifact.js';
import { resolveStaged } from '../../src/store/resolve-staged.js';
import { seededBytes, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';
import { makeBucket, type TestBucket } from '../services/bucket.js';
import { type FaultProxy, type ProxyLog, startFaultProxy } from '../services/fault-proxy.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

/** What grows is requests for each artifact: one more for each is far beyond {@link mostForDocuments} with a hundred. */
const count = process.env.OPTIMISE_MODEL_LARGE ? 1000 : 100;
const artifactsAtOnce = 4;
const filesEach = 2;
/** For the release and `current.json`, whatever the number of artifacts: reading, proving that conditions hold, writing. */
const mostForDocuments = 12;

let running: RunningS3 | undefined;
let proxy: FaultProxy | undefined;
let bucket: TestBucket;
let log: ProxyLog;

beforeAll(async () => {
  running = await startS3IfFound();
  if (running !== undefined) proxy = await startFaultProxy(running);
});
afterAll(async () => {
  await proxy?.stop();
  await running?.stop();
});
beforeEach(async (context) => {
  const s3 = await requireS3(context, running);
  bucket = await makeBucket(s3);
  if (proxy === undefined) throw new Error('the proxy was not started');
  useS3({ ...s3, endpoint: proxy.endpoint });
  log = proxy.play(bucket.name, {});
});

let counted = 0;
/** How often each kind of request was sent since the last call. */
function countRequests(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name } of log.calls.slice(counted)) counts[name] = (counts[name] ?? 0) + 1;
  counted = log.calls.length;
  return counts;
}

async function makeArtifacts(folder: string) {
  const limit = pLimit(artifactsAtOnce);
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      limit(async () => {
        const path = join(folder, `artifact-${index}`);
        const contents = {
          'model.onnx': seededBytes(1_000 + index, index),
          'model.onnx.data': seededBytes(4_000 + index, count + index),
        };
        return { path, record: await writeOpaqueArtifact(path, contents) };
      }),
    ),
  );
}

describe(`${count} small artifacts of one release`, () => {
  it('cost a fixed number of requests each, and staged again one for each object, none of which is sent', {
    timeout: 600_000,
  }, async () => {
    counted = 0;
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.name);
    process.on('warning', onWarning);
    onTestFinished(() => {
      process.off('warning', onWarning);
    });
    const artifacts = await makeArtifacts(await temporaryFolder());
    const storeUrl = `s3://${bucket.name}/models`;
    const how = { to: storeUrl, name: 'many', partSizeBytes: null, concurrency: 4 };
    const limit = pLimit(artifactsAtOnce);
    const stageAll = () =>
      Promise.all(
        artifacts.map(({ path }) =>
          limit(() => stageArtifact({ artifact: path, ...how, settings: defaultObjectSettings })),
        ),
      );

    const first = await stageAll();
    expect(first.every(({ reusedBytes }) => reusedBytes === 0)).toBe(true);
    // Is its record there, what else is there, its files, its record, and is all of it still there.
    expect(countRequests()).toEqual({
      get: count,
      list: count * 2,
      put: count * filesEach,
      'put-document': count,
    });

    const second = await stageAll();
    expect(second.every(({ sentBytes }) => sentBytes === 0)).toBe(true);
    expect(countRequests()).toEqual({ get: count, head: count * filesEach });

    const [one] = artifacts;
    if (one === undefined) throw new Error('there is no artifact');
    const { currentUrl } = await publishRelease({
      storeUrl,
      name: 'many',
      chosen: choiceOf(one.record),
      reason: 'the first',
      artifacts: artifacts.map(({ record }) => releasedOf(record)),
      to: 'current',
      now: new Date('2026-11-30T16:05:01Z'),
    });
    const publishing = countRequests();
    const { head = 0, get = 0 } = publishing;
    // Each file is looked at, each record is read, and looked at once more before the release becomes the current one.
    expect(head).toBeGreaterThanOrEqual(count * filesEach + count);
    expect(get).toBeGreaterThanOrEqual(count);
    const all = Object.values(publishing).reduce((sum, requests) => sum + requests, 0);
    expect(all - count * (filesEach + 2)).toBeLessThanOrEqual(mostForDocuments);
    expect(log.troubles).toEqual([]);
    expect(warnings).toEqual([]);

    const found = await resolveStaged(currentUrl, undefined, new AbortController().signal);
    expect(found.release?.artifacts).toHaveLength(count);
  });
});
