import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ColdStartLog, openModel } from '../../src/loader/index.js';
import { openStore } from '../../src/store/open-store.js';
import { tinyFeeds } from '../fixtures/artifact-folder.js';
import { writeReleasedModel } from '../fixtures/released-model.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

let s3: RunningS3 | undefined;
let ephemeralDir: string;
let logs: ColdStartLog[];

beforeAll(async () => {
  ephemeralDir = await mkdtemp(join(tmpdir(), 'ephemeral-'));
  s3 = await startS3IfFound();
  if (s3 === undefined) return;
  useS3(s3);
  await mkdir(join(s3.folder, 'models'));
  const released = await writeReleasedModel('s3-copy', 1);
  const bucket = await openStore('s3://models/prefix');
  for (const name of await readdir(released.store, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const path = join(name.parentPath, name.name);
    await bucket.write(path.slice(released.store.length + 1), await readFile(path), undefined);
  }
  await rm(released.store, { recursive: true });
});

beforeEach(async (context) => {
  await requireS3(context, s3);
});

afterAll(async () => {
  await s3?.stop();
  await rm(ephemeralDir, { recursive: true, force: true });
});

describe('openModel from S3', () => {
  it.each(['s3-copy', 'lazy', 'stream'] as const)('opens the published release by %s', async (delivery) => {
    const options = { delivery, ephemeralDir, onLog: (log: ColdStartLog) => logs.push(log) };
    for (const variant of ['fp32.single', 'fp32.external']) {
      logs = [];
      const model = await openModel('s3://models/prefix/tiny/current.json', { ...options, variant });
      const { y } = await model.run(tinyFeeds());
      expect(y?.data).toEqual(Float32Array.from({ length: 64 }, (_, index) => index + 1));
      expect(logs[0]).toMatchObject({
        status: 'ready',
        release: 'r1',
        variantId: variant,
        delivery,
        threads: 1,
      });
      await model.close();
      expect(await readdir(ephemeralDir)).toEqual([]);
    }
  });

  it('opens the published release by the prefix of the model', async () => {
    const model = await openModel('s3://models/prefix/tiny', { ephemeralDir });
    expect(model).toMatchObject({ release: 'r1', delivery: 's3-copy' });
    await model.close();
    await expect(openModel('s3://models/prefix')).rejects.toMatchObject({ code: 'no-document-there' });
  });

  it('needs a folder to open a layer, since what is in a bucket is not on this machine', async () => {
    const opening = openModel('s3://models/prefix/tiny/current.json', { delivery: 'layer' });
    await expect(opening).rejects.toMatchObject({ code: 'layer-folder-needed' });
    const mounting = openModel('s3://models/prefix/tiny/current.json', { delivery: 'mount' });
    await expect(mounting).rejects.toMatchObject({ code: 'mount-source-not-local' });
  });
}, 120_000);
