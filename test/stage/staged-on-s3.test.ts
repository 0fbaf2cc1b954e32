import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { quietContext } from '../../src/lib/work-context.js';
import { publishRelease } from '../../src/publish/publish-release.js';
import { fetchArtifact } from '../../src/stage/fetch-artifact.js';
import { type StageOptions, stageArtifact } from '../../src/stage/stage-artifact.js';
import { stageStep } from '../../src/stage/step.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { seededBytes, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';
import { makeBucket, type TestBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

const contents = { 'model.onnx': seededBytes(70_000, 8), 'model.onnx.data': seededBytes(13_000_001, 9) };
const now = new Date('2026-11-30T16:05:01Z');

let running: RunningS3 | undefined;
let s3: RunningS3;
let bucket: TestBucket;
let folder: string;
let record: ArtifactRecord;
let options: StageOptions;

beforeAll(async () => {
  running = await startS3IfFound();
});
afterAll(() => running?.stop());
beforeEach(async (context) => {
  s3 = await requireS3(context, running);
  useS3(s3);
  bucket = await makeBucket(s3);
  folder = await temporaryFolder();
  const artifact = join(folder, 'artifact');
  record = await writeOpaqueArtifact(artifact, contents);
  const how = { partSizeBytes: 5 * 1024 ** 2, concurrency: 3, settings: defaultObjectSettings };
  options = { artifact, to: `s3://${bucket.name}/models`, name: 'vit', ...how };
});

const reading = { concurrency: 4, partSizeBytes: 4 * 1024 ** 2 };

function publish(at: Date) {
  const about = { name: 'vit', reason: 'the fastest', to: 'current' as const, now: at };
  return publishRelease({
    storeUrl: options.to,
    chosen: choiceOf(record),
    artifacts: [releasedOf(record)],
    ...about,
  });
}

describe('an artifact on a real S3 server', () => {
  it('is staged, published and fetched back byte for byte', async () => {
    const staged = await stageArtifact(options);
    expect(staged.artifactUrl).toBe(`s3://${bucket.name}/models/vit/objects/${record.digest}/artifact.json`);
    const { release, currentUrl, releaseUrl } = await publish(now);
    expect(await bucket.keys()).toEqual([
      'models/vit/current.json',
      `models/vit/objects/${record.digest}/artifact.json`,
      `models/vit/objects/${record.digest}/model.onnx`,
      `models/vit/objects/${record.digest}/model.onnx.data`,
      `models/vit/releases/${release}.json`,
    ]);
    for (const [index, url] of [currentUrl, releaseUrl, staged.artifactUrl].entries()) {
      const to = join(folder, `fetched-${index}`);
      const fetched = await fetchArtifact({ url, to, ...reading });
      expect(fetched.release).toBe(url === staged.artifactUrl ? null : release);
      for (const name of ['artifact.json', ...Object.keys(contents)]) {
        expect((await readFile(join(to, name))).equals(await readFile(join(options.artifact, name)))).toBe(
          true,
        );
      }
    }
    const again = await stageArtifact(options);
    expect(again.sentBytes).toBe(0);
    expect(await bucket.openUploads()).toBe(0);
  });

  it('is found damaged when one byte of an object is another', async () => {
    const { artifactUrl } = await stageArtifact(options);
    const path = join(s3.folder, bucket.name, 'models/vit/objects', record.digest, 'model.onnx.data');
    const bytes = await readFile(path);
    bytes[9_000_000] = (bytes[9_000_000] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const fetching = fetchArtifact({ url: artifactUrl, to: join(folder, 'new'), ...reading });
    await expect(fetching).rejects.toMatchObject({ code: 'download-corrupt', exitCode: 3 });
  });

  it('is noticed to be overwritten while it is fetched, and nothing of it is left', async () => {
    const { artifactUrl } = await stageArtifact(options);
    const key = `models/vit/objects/${record.digest}/model.onnx.data`;
    let overwriting: Promise<void> | undefined;
    const progress = ({ done }: { done: number }): void => {
      if (done > 1_000_000)
        overwriting ??= bucket.put(key, Buffer.alloc(contents['model.onnx.data'].length, 1));
    };
    const context = { signal: new AbortController().signal, progress };
    const how = { to: join(folder, 'new'), concurrency: 1, partSizeBytes: 50_000 };
    await expect(fetchArtifact({ url: artifactUrl, ...how }, context)).rejects.toMatchObject({
      code: 'object-changed',
      exitCode: 3,
      facts: { url: `s3://${bucket.name}/${key}` },
    });
    await overwriting;
    expect(await readdir(folder)).toEqual(['artifact']);
  });

  it('is sent again, and not published, when someone has replaced an object by one of equal size', async () => {
    const staged = await stageArtifact(options);
    const step = stageStep({ ...options, digest: record.digest, variantId: record.variant.id });
    expect(await step.ensures(staged, quietContext())).toBe(true);
    const key = `models/vit/objects/${record.digest}/model.onnx`;
    await bucket.put(key, Buffer.alloc(contents['model.onnx'].length));
    expect(await step.ensures(staged, quietContext())).toBe(false);
    await expect(publish(now)).rejects.toMatchObject({
      code: 'publish-not-staged',
      facts: { problems: [expect.stringContaining('has another content')] },
    });
    const again = await stageArtifact(options);
    expect(again.files.map((file) => file.sent)).toEqual([true, false, false]);
    expect(await step.ensures(staged, quietContext())).toBe(true);
    await expect(publish(now)).resolves.toHaveProperty('release');
  });

  it('is fetched by the prefix that holds it, and a prefix that holds nothing says what to name', async () => {
    await stageArtifact(options);
    const { release } = await publish(now);
    const prefix = `s3://${bucket.name}/models`;
    const fetched = await fetchArtifact({ url: `${prefix}/vit`, to: join(folder, 'new'), ...reading });
    expect(fetched).toMatchObject({ release, digest: record.digest });
    for (const url of [prefix, `s3://${bucket.name}`]) {
      await expect(fetchArtifact({ url, to: join(folder, 'other'), ...reading })).rejects.toMatchObject({
        code: 'no-document-there',
        exitCode: 2,
        facts: { url },
      });
    }
  });

  it('cannot be staged into a bucket whose name no bucket can have', async () => {
    await expect(stageArtifact({ ...options, to: 's3://Not_A_Bucket/models' })).rejects.toMatchObject({
      code: 's3-name-refused',
      exitCode: 2,
    });
  });

  it('leaves no parts and no record when staging is stopped', async () => {
    const stop = new AbortController();
    const progress = (event: { done: number }): void => {
      if (event.done > 5_000_000) stop.abort();
    };
    await expect(stageArtifact(options, { signal: stop.signal, progress })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await bucket.openUploads()).toBe(0);
    expect(await bucket.keys()).not.toContain(`models/vit/objects/${record.digest}/artifact.json`);
  });

  it('is never published over a release that the publisher has not seen, however many race', async () => {
    await stageArtifact(options);
    const ended = await Promise.allSettled(
      [0, 1, 2].map((second) => publish(new Date(now.getTime() + second * 1000))),
    );
    // One that starts late may follow another; each release that got through has a predecessor of its own.
    const published = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const refused = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
    expect(published.length).toBeGreaterThanOrEqual(1);
    expect(new Set(published.map((result) => result.previousRelease)).size).toBe(published.length);
    expect(new Set(refused)).toEqual(refused.length === 0 ? new Set() : new Set(['publish-conflict']));
  });

  it('cannot be staged into a bucket that is not there, with wrong credentials or without a server', async () => {
    const to = 's3://no-such-bucket/models';
    await expect(stageArtifact({ ...options, to })).rejects.toMatchObject({
      code: 's3-no-such-bucket',
      exitCode: 3,
    });
    useS3({ ...s3, secretAccessKey: 'wrong' });
    await expect(stageArtifact(options)).rejects.toMatchObject({
      code: 's3-credentials-refused',
      exitCode: 3,
    });
    useS3({ ...s3, endpoint: 'http://127.0.0.1:2' });
    await expect(stageArtifact(options)).rejects.toMatchObject({ code: 's3-unreachable', exitCode: 3 });
  });
});
