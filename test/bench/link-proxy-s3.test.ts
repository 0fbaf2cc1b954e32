import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LinkModel } from '../../src/bench/link/link-model.js';
import { type ShapedProxy, startShapedProxy } from '../../src/bench/link/shaped-proxy.js';
import { PartSlots } from '../../src/lib/part-slots.js';
import { openReadableStore } from '../../src/store/open-readable-store.js';
import { openStore } from '../../src/store/open-store.js';
import { makeBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

const link: LinkModel = {
  latencyMs: 3,
  jitterMs: 1,
  bytesPerSecond: 300e6,
  perConnectionBytesPerSecond: 100e6,
};
const content = Buffer.from(
  Array.from({ length: 9_000_000 }, (_, index) => (index * 31 + (index >> 9)) % 253),
);
const sha256 = createHash('sha256').update(content).digest('hex');
let s3: RunningS3 | undefined;
let proxy: ShapedProxy | undefined;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-s3-'));
  s3 = await startS3IfFound();
  if (s3 === undefined) return;
  proxy = await startShapedProxy(new URL(s3.endpoint), link);
  useS3({ ...s3, endpoint: proxy.endpoint });
});

beforeEach(async (context) => {
  await requireS3(context, s3);
});

afterAll(async () => {
  await proxy?.close();
  await s3?.stop();
  await rm(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;

/** A bucket whose objects were put there past the proxy. */
async function withBucket(): Promise<string> {
  if (s3 === undefined) throw new Error('no server');
  const bucket = await makeBucket(s3);
  await bucket.put('p/model.bin', content);
  return bucket.name;
}

describe('startShapedProxy before a real S3 server', () => {
  it('lets signed requests through: HEAD, documents and ranges give the bytes that are stored', async () => {
    const store = await openReadableStore(`s3://${await withBucket()}/p`);
    expect(await store.head('model.bin')).toMatchObject({ sizeBytes: content.length });
    expect((await store.read('model.bin')).bytes.length).toBe(content.length);
    const ranges = Array.from({ length: 9 }, (_, index) => ({
      offset: index * 1_000_000,
      length: 1_000_000,
    }));
    const parts = await Promise.all(
      ranges.map(async (range) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of store.readRange('model.bin', range, signal))
          chunks.push(Buffer.from(chunk));
        return Buffer.concat(chunks);
      }),
    );
    expect(createHash('sha256').update(Buffer.concat(parts)).digest('hex')).toBe(sha256);
  });

  it('lets refusals through as they are', async () => {
    const store = await openReadableStore(`s3://${await withBucket()}/p`);
    expect(await store.head('nothing')).toBeUndefined();
    await expect(store.read('nothing')).rejects.toMatchObject({ code: 'object-missing' });
    const secret = process.env.AWS_SECRET_ACCESS_KEY;
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
    try {
      const stranger = await openReadableStore(`s3://${await withBucket()}/p`);
      await expect(stranger.read('model.bin')).rejects.toMatchObject({
        code: expect.stringMatching(/denied|refused|credentials/),
      });
    } finally {
      process.env.AWS_SECRET_ACCESS_KEY = secret;
    }
  });

  it('lets uploads through, in parts too', async () => {
    const path = join(folder, 'model.bin');
    await writeFile(path, content);
    const store = await openStore(`s3://${await withBucket()}/q`);
    await store.putFile({
      key: 'model.bin',
      path,
      sizeBytes: content.length,
      sha256,
      partSizeBytes: 5 << 20,
      slots: new PartSlots(2),
      signal,
      onProgress: () => {},
    });
    expect(await store.examine('model.bin', signal)).toMatchObject({ sizeBytes: content.length, sha256 });
    await store.write('note.json', Buffer.from('{}'), { ifAbsent: true });
    await expect(store.write('note.json', Buffer.from('[]'), { ifAbsent: true })).rejects.toMatchObject({
      code: 'write-conflict',
    });
    expect(Buffer.from((await store.read('note.json')).bytes).toString()).toBe('{}');
  });
});
