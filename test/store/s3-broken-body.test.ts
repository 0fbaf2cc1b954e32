import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/lib/sha256.js';
import { openStore } from '../../src/store/open-store.js';
import { type S3Answer, type S3Call, startScriptedS3 } from '../aws/scripted-s3.js';
import { downloadOne } from '../fixtures/download-one.js';
import { seededBytes } from '../fixtures/opaque-artifact.js';
import { useS3 } from '../services/require-s3.js';

const content = seededBytes(200_000, 10);

function rangeAnswer(range: string): S3Answer & { readonly body: Buffer } {
  const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  const body = content.subarray(Number(first), Number(last) + 1);
  const headers = {
    'content-range': `bytes ${first}-${last}/${content.length}`,
    'content-length': String(body.length),
  };
  return { status: 206, headers, body };
}

async function download(script: (call: S3Call) => S3Answer): Promise<Uint8Array> {
  const { endpoint } = await startScriptedS3(script);
  useS3({ endpoint, accessKeyId: 'a', secretAccessKey: 'b' });
  const store = await openStore('s3://bucket/p');
  const how = { partSizeBytes: 100_000, concurrency: 2, onProgress: () => undefined };
  const signal = new AbortController().signal;
  return downloadOne({
    store,
    key: 'k',
    sizeBytes: content.length,
    sha256: hashBytes(content),
    signal,
    ...how,
  });
}

describe('a range of an S3 object whose connection breaks', () => {
  it('is read on from where it stopped', async () => {
    const ranges: string[] = [];
    let breaks = 0;
    const bytes = await download(({ range }) => {
      ranges.push(range);
      breaks += 1;
      return { ...rangeAnswer(range), ...(breaks <= 2 ? { breakAfterBytes: 40_000 } : {}) };
    });
    expect(hashBytes(bytes)).toBe(hashBytes(content));
    expect(ranges).toContain('bytes=40000-99999');
    expect(ranges).toContain('bytes=140000-199999');
  });

  it('is given up after three tries that bring nothing', async () => {
    let requests = 0;
    const reading = download(({ range }) => {
      if (range.startsWith('bytes=0-')) requests += 1;
      return { ...rangeAnswer(range), ...(range.startsWith('bytes=0-') ? { breakAfterBytes: 0 } : {}) };
    });
    await expect(reading).rejects.toMatchObject({
      code: 's3-unreachable',
      facts: { operation: 'GetObject' },
    });
    expect(requests).toBe(3);
  });
});
