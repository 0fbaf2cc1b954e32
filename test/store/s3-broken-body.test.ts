import { describe, expect, it, onTestFinished } from 'vitest';
import { hashBytes } from '../../src/lib/sha256.js';
import { openStore } from '../../src/store/open-store.js';
import { errorBody, type S3Answer, type S3Call, startScriptedS3 } from '../aws/scripted-s3.js';
import { downloadOne, type OneDownload } from '../fixtures/download-one.js';
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

async function download(
  script: (call: S3Call) => S3Answer,
  change: Partial<OneDownload> = {},
): Promise<Uint8Array> {
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
    ...change,
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

  it('is read on from where it stopped when the server falls silent', async () => {
    process.env.OPTIMISE_MODEL_S3_SILENCE_SECONDS = '0.3';
    onTestFinished(() => {
      delete process.env.OPTIMISE_MODEL_S3_SILENCE_SECONDS;
    });
    const ranges: string[] = [];
    const bytes = await download(
      ({ range }) => {
        ranges.push(range);
        const answer = rangeAnswer(range);
        return ranges.length > 1 ? answer : { ...answer, breakAfterBytes: 40_000, breakAfterMs: 60_000 };
      },
      { concurrency: 1 },
    );
    expect(hashBytes(bytes)).toBe(hashBytes(content));
    expect(ranges).toContain('bytes=40000-99999');
  });

  it('is given up when every try brings a little: all ranges share one budget', async () => {
    let requests = 0;
    const reading = download(({ range }) => {
      requests += 1;
      return { ...rangeAnswer(range), breakAfterBytes: 1 };
    });
    await expect(reading).rejects.toMatchObject({ code: 's3-unreachable' });
    expect(requests).toBeGreaterThan(20);
    expect(requests).toBeLessThanOrEqual(22);
  }, 30_000);
});

describe('an S3 object that is overwritten while it is downloaded', () => {
  const oneAtATime = { concurrency: 1 };
  const changed = { code: 'object-changed', exitCode: 3, facts: { url: 's3://bucket/p/k' } };

  it('is asked for by the ETag of the first answer, and noticed as such', async () => {
    const asked: (string | undefined)[] = [];
    const reading = download(({ range, headers }) => {
      asked.push(headers['if-match']);
      if (headers['if-match'] === '"1"') return { status: 412, body: errorBody('PreconditionFailed') };
      const answer = rangeAnswer(range);
      return { ...answer, headers: { ...answer.headers, etag: '"1"' } };
    }, oneAtATime);
    await expect(reading).rejects.toMatchObject(changed);
    expect(asked).toEqual([undefined, '"1"']);
  });

  it.each([
    ['of the same size', content.length],
    ['of another size', content.length + 1],
  ])('is noticed too when the server does not know If-Match and it is %s', async (_how, total) => {
    let requests = 0;
    const reading = download(({ range }) => {
      requests += 1;
      const answer = rangeAnswer(range);
      const bounds = range.replace('bytes=', 'bytes ');
      const headers = {
        ...answer.headers,
        'content-range': `${bounds}/${requests > 1 ? total : content.length}`,
      };
      return { ...answer, headers: { ...headers, etag: `"${requests}"` } };
    }, oneAtATime);
    await expect(reading).rejects.toMatchObject({ ...changed, facts: { expected: '"1"', seen: '"2"' } });
  });

  it('is noticed when a range goes on after a break', async () => {
    let requests = 0;
    const reading = download(({ range }) => {
      requests += 1;
      const answer = rangeAnswer(range);
      const headers = { ...answer.headers, etag: `"${requests}"` };
      return { ...answer, headers, ...(requests === 1 ? { breakAfterBytes: 40_000 } : {}) };
    }, oneAtATime);
    await expect(reading).rejects.toMatchObject(changed);
    expect(requests).toBe(2);
  });
});

describe('a server that answers a range', () => {
  it.each([
    [
      'with the whole object',
      { status: 200, headers: { 'content-length': String(content.length) }, body: content },
    ],
    [
      'with another range',
      {
        status: 206,
        headers: { 'content-range': `bytes 1-100000/${content.length}`, 'content-length': '100000' },
        body: content.subarray(1, 100_001),
      },
    ],
  ])('%s is refused', async (_how, answer) => {
    await expect(download(() => answer, { concurrency: 1 })).rejects.toMatchObject({
      code: 'range-refused',
      exitCode: 3,
    });
  });

  it('with the checksum of the object costs no checksum in JavaScript', async () => {
    const asked: (string | undefined)[] = [];
    const bytes = await download(
      ({ range, headers }) => {
        asked.push(headers['x-amz-checksum-mode']?.toString());
        const answer = rangeAnswer(range);
        // Wrong on purpose: whoever computed it would refuse the body.
        return { ...answer, headers: { ...answer.headers, 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' } };
      },
      { partSizeBytes: content.length },
    );
    expect(hashBytes(bytes)).toBe(hashBytes(content));
    expect(asked).toEqual([undefined]);
  });
});
