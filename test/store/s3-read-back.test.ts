import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PartSlots } from '../../src/lib/part-slots.js';
import { hashBytes } from '../../src/lib/sha256.js';
import { openStore } from '../../src/store/open-store.js';
import { type S3Answer, startScriptedS3 } from '../aws/scripted-s3.js';
import { seededBytes, temporaryFolder } from '../fixtures/opaque-artifact.js';
import { useS3 } from '../services/require-s3.js';

const content = seededBytes(100_000, 11);

async function put(stored: Buffer): Promise<{ error: unknown; calls: readonly string[] }> {
  const headers = { 'content-length': String(stored.length), etag: '"e"' };
  const range = `bytes 0-${stored.length - 1}/${stored.length}`;
  const answers: Readonly<Record<string, S3Answer>> = {
    head: { status: 200, headers },
    get: { status: 206, headers: { ...headers, 'content-range': range }, body: stored },
  };
  const { endpoint, calls } = await startScriptedS3(({ call }) => answers[call]);
  useS3({ endpoint, accessKeyId: 'a', secretAccessKey: 'b' });
  const path = join(await temporaryFolder(), 'x');
  await writeFile(path, content);
  const store = await openStore('s3://bucket');
  const how = { partSizeBytes: 5 * 1024 ** 2, slots: new PartSlots(1), onProgress: () => undefined };
  const file = { key: 'k', path, sizeBytes: content.length, sha256: hashBytes(content) };
  const signal = new AbortController().signal;
  return {
    error: await store.putFile({ ...file, ...how, signal }).catch((caught: unknown) => caught),
    calls,
  };
}

describe('a server that returns no checksum', () => {
  it('has what it stored read back, and is believed when that is right', async () => {
    const { error, calls } = await put(content);
    expect(error).toMatchObject({ key: 'k', sizeBytes: content.length });
    expect(calls).toEqual(['put', 'head', 'get']);
  });

  it('has an object removed that comes back different', async () => {
    const damaged = Buffer.from(content);
    damaged[5_000] = (damaged[5_000] ?? 0) ^ 1;
    const { error, calls } = await put(damaged);
    expect(error).toMatchObject({ code: 'stored-differs', facts: { problem: 'its SHA-256' } });
    expect(calls.at(-1)).toBe('delete');
  });
});
