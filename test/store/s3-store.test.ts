import { appendFile, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PartSlots } from '../../src/lib/part-slots.js';
import { hashBytes } from '../../src/lib/sha256.js';
import { openStore } from '../../src/store/open-store.js';
import type { PutFile } from '../../src/store/store.js';
import { downloadOne, downloadOneToFile } from '../fixtures/download-one.js';
import { seededBytes, temporaryFolder } from '../fixtures/opaque-artifact.js';
import { makeBucket, type TestBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

const partSizeBytes = 5 * 1024 ** 2;
const bytes = seededBytes(12 * 1024 ** 2, 4);
const sha256 = hashBytes(bytes);

let running: RunningS3 | undefined;
let s3: RunningS3;
let bucket: TestBucket;
let folder: string;

beforeAll(async () => {
  running = await startS3IfFound();
});
afterAll(() => running?.stop());
beforeEach(async (context) => {
  s3 = await requireS3(context, running);
  useS3(s3);
  delete process.env.AWS_REQUEST_CHECKSUM_CALCULATION;
  bucket = await makeBucket(s3);
  folder = await temporaryFolder();
});

async function putOf(change: Partial<PutFile> = {}): Promise<PutFile> {
  const path = join(folder, 'source.bin');
  await writeFile(path, bytes);
  return {
    key: 'a/t.bin',
    path,
    sizeBytes: bytes.length,
    sha256,
    partSizeBytes,
    slots: new PartSlots(2),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...change,
  };
}

function requestOf(store: Awaited<ReturnType<typeof openStore>>, key = 'a/t.bin') {
  const how = {
    partSizeBytes,
    concurrency: 3,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  return { store, key, sizeBytes: bytes.length, sha256, ...how };
}

describe('a bucket as a store', () => {
  it.each([
    ['in parts', partSizeBytes],
    ['in one request', 64 * 1024 ** 2],
  ])('stores a file %s and gives it back by ranges, byte for byte', async (_how, size) => {
    const store = await openStore(`s3://${bucket.name}/some/prefix`);
    const sent: number[] = [];
    const put = await putOf({ partSizeBytes: size, onProgress: (count) => sent.push(count) });
    await symlink(put.path, join(folder, 'link.bin'));
    const stored = await store.putFile({ ...put, path: join(folder, 'link.bin') });
    expect(sent.at(-1)).toBe(bytes.length);
    expect(stored).toMatchObject({ key: 'a/t.bin', sizeBytes: bytes.length });
    expect(await store.head('a/t.bin')).toMatchObject({ etag: stored.etag });
    expect(await bucket.keys()).toEqual(['some/prefix/a/t.bin']);
    expect(hashBytes(await downloadOne(requestOf(store)))).toBe(sha256);
    await downloadOneToFile({ ...requestOf(store), path: join(folder, 't.bin') });
    expect(hashBytes(await readFile(join(folder, 't.bin')))).toBe(sha256);
    expect(await bucket.openUploads()).toBe(0);
  });

  it.each([
    ['in parts', partSizeBytes],
    ['in one request', 64 * 1024 ** 2],
  ])(
    'knows the content of a file stored %s, also after another program has replaced it',
    async (_how, size) => {
      const store = await openStore(`s3://${bucket.name}`);
      const { signal } = new AbortController();
      expect(await store.examine('a/t.bin', signal)).toBeUndefined();
      const { etag } = await store.putFile(await putOf({ partSizeBytes: size }));
      expect(await store.examine('a/t.bin', signal)).toMatchObject({
        key: 'a/t.bin',
        sizeBytes: bytes.length,
        etag,
        sha256,
      });
      const others = Buffer.alloc(bytes.length);
      await bucket.put('a/t.bin', others);
      expect((await store.examine('a/t.bin', signal))?.sha256).toBe(hashBytes(others));
      await bucket.put('a/t.bin', Buffer.alloc(0));
      expect((await store.examine('a/t.bin', signal))?.sha256).toBe(hashBytes(''));
    },
  );

  it('reads the whole object to know its content where the server keeps no checksum', async () => {
    process.env.AWS_REQUEST_CHECKSUM_CALCULATION = 'when_required';
    const store = await openStore(`s3://${bucket.name}`);
    const put = await putOf();
    await store.putFile(put);
    expect((await store.examine(put.key, put.signal))?.sha256).toBe(sha256);
    const damaged = Buffer.from(bytes);
    damaged[7_000_000] = (damaged[7_000_000] ?? 0) ^ 1;
    await writeFile(join(s3.folder, bucket.name, put.key), damaged);
    expect((await store.examine(put.key, put.signal))?.sha256).toBe(hashBytes(damaged));
  });

  it('stores an empty file', async () => {
    const store = await openStore(`s3://${bucket.name}`);
    const path = join(folder, 'empty');
    await writeFile(path, '');
    const put = await putOf({ key: 'empty', path, sizeBytes: 0, sha256: hashBytes('') });
    await store.putFile(put);
    expect(await store.head('empty')).toMatchObject({ sizeBytes: 0 });
  });

  it('verifies by reading back when checksums are turned off', async () => {
    process.env.AWS_REQUEST_CHECKSUM_CALCULATION = 'when_required';
    const store = await openStore(`s3://${bucket.name}`);
    await store.putFile(await putOf());
    expect(hashBytes(await downloadOne(requestOf(store)))).toBe(sha256);
  });

  it.each([
    [
      'shrinks, keeping the number of parts',
      (path: string) => truncate(path, 11 * 1024 ** 2),
      { seenBytes: 11_534_336 },
    ],
    ['loses a whole part', (path: string) => truncate(path, 9 * 1024 ** 2), { nowBytes: 9_437_184 }],
    ['grows', (path: string) => appendFile(path, Buffer.alloc(1024 ** 2)), { nowBytes: 13_631_488 }],
  ])('leaves nothing of a file that %s before it is read to its end', async (_how, change, facts) => {
    const store = await openStore(`s3://${bucket.name}`);
    const put = await putOf();
    await change(put.path);
    await expect(store.putFile(put)).rejects.toMatchObject({
      code: 'source-changed',
      facts: { expectedBytes: 12_582_912, ...facts },
    });
    await expect(store.putFile({ ...put, partSizeBytes: 64 * 1024 ** 2 })).rejects.toMatchObject({
      code: 'source-changed',
    });
    expect(await bucket.keys()).toEqual([]);
    expect(await bucket.openUploads()).toBe(0);
  });

  it('leaves nothing of a file that is written to while its parts are sent', async () => {
    const store = await openStore(`s3://${bucket.name}`);
    let _grown: Promise<void> | undefined;
    const put = await putOf();
    const onProgress = (): void => {
      _grown ??= appendFile(put.path, 'x');
    };
    await expect(store.putFile({ ...put, onProgress })).rejects.toMatchObject({ code: 'source-changed' });
    expect(await bucket.keys()).toEqual([]);
    expect(await bucket.openUploads()).toBe(0);
  });

  it('stops on the signal and leaves no parts behind when it returns', async () => {
    const store = await openStore(`s3://${bucket.name}`);
    const stop = new AbortController();
    const put = await putOf({ signal: stop.signal, onProgress: () => stop.abort() });
    await expect(store.putFile(put)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await bucket.openUploads()).toBe(0);
    const before = await putOf({ signal: AbortSignal.abort() });
    await expect(store.putFile(before)).rejects.toMatchObject({ name: 'AbortError' });
    expect(await bucket.keys()).toEqual([]);
  });

  it('leaves no parts behind at whatever moment it is stopped', async () => {
    const store = await openStore(`s3://${bucket.name}`);
    for (let delayMs = 0; delayMs < 120; delayMs += 8) {
      const stop = new AbortController();
      const put = await putOf({ signal: stop.signal, slots: new PartSlots(3) });
      setTimeout(() => stop.abort(), delayMs);
      await store.putFile(put).catch((error: Error) => expect(error.name).toBe('AbortError'));
      expect(await bucket.openUploads()).toBe(0);
    }
  });

  it('refuses parts that S3 does not take', async () => {
    const store = await openStore(`s3://${bucket.name}`);
    await expect(store.putFile(await putOf({ partSizeBytes: 1024 }))).rejects.toMatchObject({
      code: 's3-part-size-wrong',
      exitCode: 2,
    });
  });

  it('writes a document only on its condition, and lets one of two racing writers win', async () => {
    const store = await openStore(`s3://${bucket.name}/p`);
    const race = async (condition: { ifAbsent: true } | { ifEtag: string }): Promise<string[]> => {
      const writes = ['1', '2'].map((text) => store.write('c.json', Buffer.from(text), condition));
      const ended = await Promise.allSettled(writes);
      return ended.map((end) => (end.status === 'rejected' ? end.reason.code : 'won')).sort();
    };
    expect(await race({ ifAbsent: true })).toEqual(['won', 'write-conflict']);
    const { etag } = await store.write('c.json', Buffer.from('3'), undefined);
    expect((await store.head('c.json'))?.etag).toBe(etag);
    expect(await race({ ifEtag: etag })).toEqual(['won', 'write-conflict']);
    await expect(store.write('none.json', Buffer.from('4'), { ifEtag: etag })).rejects.toMatchObject({
      code: 'write-conflict',
    });
  });

  it('says when an object is missing, damaged, shorter or longer', async () => {
    const store = await openStore(`s3://${bucket.name}`);
    expect(await store.head('none')).toBeUndefined();
    await expect(store.read('none')).rejects.toMatchObject({ code: 'object-missing' });
    await expect(downloadOne(requestOf(store))).rejects.toMatchObject({ code: 'object-missing' });
    await store.putFile(await putOf());
    const { sizeBytes } = requestOf(store);
    for (const expected of [sizeBytes - 1, sizeBytes + 1, sizeBytes + partSizeBytes * 2]) {
      await expect(downloadOne({ ...requestOf(store), sizeBytes: expected })).rejects.toMatchObject({
        code: 'download-corrupt',
        facts: { seen: sizeBytes },
      });
    }
    await expect(downloadOne({ ...requestOf(store), sha256: 'f'.repeat(64) })).rejects.toMatchObject({
      code: 'download-corrupt',
      facts: { seen: sha256 },
    });
  });

  it('passes on what the disk says while bytes arrive, and asks no more', async () => {
    const store = await openStore(`s3://${bucket.name}`);
    await store.putFile(await putOf());
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
    const take = (): void => {
      throw full;
    };
    const range = { offset: 0, length: bytes.length };
    await expect(store.receiveRange?.('a/t.bin', range, take, new AbortController().signal)).rejects.toBe(
      full,
    );
  });

  it('lists below its prefix', async () => {
    const store = await openStore(`s3://${bucket.name}/p`);
    for (const key of ['x/b', 'x/a', 'y']) await store.write(key, Buffer.from('1'), undefined);
    const keys: string[] = [];
    for await (const found of store.list('x/')) keys.push(`${found.key} ${found.sizeBytes}`);
    expect(keys).toEqual(['x/a 1', 'x/b 1']);
  });
});

describe('what S3 refuses, in our words', () => {
  const place = { bucket: expect.any(String), endpoint: expect.stringContaining('http://127.0.0.1:') };

  it('a bucket that is not there', async () => {
    const store = await openStore('s3://no-such-bucket/p');
    const facts = { ...place, status: 404, awsCode: 'NoSuchBucket' };
    await expect(store.putFile(await putOf())).rejects.toMatchObject({
      code: 's3-no-such-bucket',
      exitCode: 3,
      facts,
    });
    await expect(store.read('x')).rejects.toMatchObject({ code: 's3-no-such-bucket', facts });
  });

  it('credentials that are wrong, without repeating them', async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong-and-secret';
    const store = await openStore(`s3://${bucket.name}`);
    const error = await store.putFile(await putOf()).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 's3-credentials-refused',
      exitCode: 3,
      facts: { ...place, status: 403 },
    });
    expect(JSON.stringify(error)).not.toContain('wrong-and-secret');
  });

  it('credentials that are missing', async () => {
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    const store = await openStore(`s3://${bucket.name}`);
    await expect(store.read('x')).rejects.toMatchObject({ code: 's3-credentials-missing', exitCode: 3 });
  });

  it('an endpoint where nobody answers', async () => {
    process.env.AWS_ENDPOINT_URL_S3 = 'http://user:geheim@127.0.0.1:2';
    const store = await openStore(`s3://${bucket.name}`);
    const error = await store.putFile(await putOf()).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 's3-unreachable',
      exitCode: 3,
      facts: { endpoint: 'http://127.0.0.1:2', awsCode: 'ECONNREFUSED', status: 0 },
    });
    expect(JSON.stringify(error)).not.toContain('geheim');
  });

  it('a region that nobody names, when there is no endpoint either', async () => {
    for (const name of ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL', 'AWS_REGION', 'AWS_DEFAULT_REGION']) {
      delete process.env[name];
    }
    await expect(openStore('s3://bucket')).rejects.toMatchObject({ code: 's3-region-missing' });
  });
});
