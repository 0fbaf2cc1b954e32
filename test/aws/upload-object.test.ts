import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectS3 } from '../../src/aws/s3-connection.js';
import { type S3Upload, uploadObject } from '../../src/aws/upload-object.js';
import type { UploadSource } from '../../src/aws/upload-source.js';
import type { FileCrc32 } from '../../src/lib/crc32.js';
import { PartSlots } from '../../src/lib/part-slots.js';
import { useS3 } from '../services/require-s3.js';
import {
  errorBody,
  type S3Answer,
  type S3Call,
  type S3Script,
  type ScriptedS3,
  serveScriptedS3,
} from './scripted-s3.js';

// Most of these tests wait: each has a bucket of its own on one server, so that they do so at the same time.
vi.setConfig({ maxConcurrency: 8 });

const partSizeBytes = 5 * 1024 ** 2;
/** Two parts. */
const bytes = Buffer.alloc(partSizeBytes + 1000, 1);

const scripts = new Map<string, S3Script>();
let server: ScriptedS3;
let state: string;
beforeAll(async () => {
  server = await serveScriptedS3((call) => scripts.get(call.url.split(/[/?]/)[1] ?? '')?.(call));
  useS3({ endpoint: server.endpoint, accessKeyId: 'a', secretAccessKey: 'b' });
  delete process.env.AWS_REQUEST_CHECKSUM_CALCULATION;
  state = await mkdtemp(join(tmpdir(), 'state-'));
  process.env.OPTIMISE_MODEL_STATE = state;
});
afterAll(async () => {
  server.stop();
  await rm(state, { recursive: true });
});

function sourceOf(content: Buffer, change: Partial<UploadSource> = {}): UploadSource {
  return {
    readPart: async (offset, buffer) => {
      content.copy(buffer, 0, offset);
    },
    refuseIfChanged: async () => undefined,
    explainChange: async () => new Error('changed'),
    close: async () => undefined,
    ...change,
  };
}

function crc32Of(content: Buffer): FileCrc32 {
  const parts: number[] = [];
  for (let offset = 0; offset < content.length; offset += partSizeBytes)
    parts.push(crc32(content.subarray(offset, offset + partSizeBytes)));
  return { parts, whole: crc32(content) };
}

async function upload(
  script: S3Script,
  change: Partial<S3Upload> = {},
): Promise<{ error: unknown; calls: string[] }> {
  const bucket = `bucket-${scripts.size + 1}`;
  const calls: string[] = [];
  scripts.set(bucket, (call) => {
    calls.push(call.call);
    return script(call);
  });
  const error = await uploadObject(await connectS3(bucket, process.env), {
    key: 'k',
    sizeBytes: bytes.length,
    crc32: crc32Of(bytes),
    metadata: {},
    openSource: async () => sourceOf(bytes),
    partSizeBytes,
    slots: new PartSlots(1),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...change,
  }).catch((caught: unknown) => caught);
  return { error, calls };
}

const stored: S3Answer = { status: 200, headers: { 'content-length': String(bytes.length), etag: '"e-3"' } };
const tooLarge: S3Answer = { status: 400, body: errorBody('EntityTooLarge') };

describe.concurrent('an upload that fails', () => {
  it('keeps its first error and tells of the parts when they could not be removed', async () => {
    const { error, calls } = await upload(({ call }) => {
      if (call === 'part 2') return tooLarge;
      return call === 'abort' ? { status: 403, body: errorBody('AccessDenied') } : undefined;
    });
    expect(error).toMatchObject({
      code: 's3-parts-left',
      facts: { uploadId: 'U1', refusal: 'AccessDenied, HTTP 403', first: { code: 's3-failed' } },
      cause: {
        code: 's3-failed',
        facts: { awsCode: 'EntityTooLarge', status: 400, operation: 'UploadPart 2' },
      },
      remedy: expect.stringContaining('s3:AbortMultipartUpload'),
    });
    expect((error as Error).message).toMatch(/EntityTooLarge.*AccessDenied/);
    expect(calls).toEqual(['create', 'part 1', 'part 2', 'abort']);
  });

  it.each([
    ['removed', 204, undefined],
    ['gone already', 404, errorBody('NoSuchUpload')],
  ])('reports only its first error when the parts are %s', async (_how, status, body) => {
    const { error } = await upload(({ call }) => {
      if (call === 'part 2') return tooLarge;
      return call === 'abort' ? { status, ...(body === undefined ? {} : { body }) } : undefined;
    });
    expect(error).toMatchObject({ code: 's3-failed', facts: { awsCode: 'EntityTooLarge' } });
  });

  it('aborts again while parts that were in flight arrive late', async () => {
    let lists = 0;
    const late = '<ListPartsResult><Part><PartNumber>1</PartNumber><Size>1</Size></Part></ListPartsResult>';
    const { error, calls } = await upload(({ call }) => {
      if (call === 'part 2') return tooLarge;
      if (call !== 'parts') return undefined;
      lists += 1;
      return lists === 1 ? { status: 200, body: late } : undefined;
    });
    expect(error).toMatchObject({ code: 's3-failed' });
    expect(calls.slice(-4)).toEqual(['abort', 'parts', 'abort', 'parts']);
  });

  it('waits for parts on their way when it is stopped, cuts them off after a moment, and aborts twice then', async () => {
    const stop = new AbortController();
    const startedMs = performance.now();
    const { error, calls } = await upload(
      ({ call }) => {
        if (call === 'part 2') setTimeout(() => stop.abort(), 10);
        return call === 'part 2' ? { status: 200, hangs: true } : undefined;
      },
      { signal: stop.signal },
    );
    expect(error).toBe(stop.signal.reason);
    expect(performance.now() - startedMs).toBeGreaterThan(1_900);
    expect(calls).toEqual(['create', 'part 1', 'part 2', 'abort', 'parts', 'abort', 'parts']);
  });

  it('sends nothing more when it is stopped between two parts', async () => {
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    const { error, calls } = await upload(() => undefined, { signal: stop.signal, onProgress });
    expect(error).toBe(stop.signal.reason);
    expect(calls).toEqual(['create', 'part 1', 'abort', 'parts']);
  });

  it('does not wait long for the other parts when one fails', async () => {
    const { error } = await upload(
      ({ call }) => {
        if (call === 'part 1') return { status: 200, hangs: true };
        return call === 'part 2' ? tooLarge : undefined;
      },
      { slots: new PartSlots(2) },
    );
    expect(error).toMatchObject({ code: 's3-failed', facts: { awsCode: 'EntityTooLarge' } });
  }, 10_000);

  it('is one when the server says so after the whole was assembled (status 200 with an error in it)', async () => {
    const { error, calls } = await upload(({ call }) =>
      call === 'complete' ? { status: 200, body: errorBody('InternalError') } : undefined,
    );
    expect(error).toMatchObject({ code: 's3-failed', facts: { awsCode: 'InternalError' } });
    expect(calls.filter((call) => call === 'complete')).toHaveLength(3);
    expect(calls).toContain('abort');
  });

  it('never completes when the source says that it changed', async () => {
    const refuseIfChanged = () => Promise.reject(new Error('changed'));
    const openSource = async () => sourceOf(bytes, { refuseIfChanged });
    const { error, calls } = await upload(() => undefined, { openSource });
    expect(error).toMatchObject({ message: 'changed' });
    expect(calls).not.toContain('complete');
    expect(calls).toContain('abort');
  });

  it('passes on an error of the source and aborts', async () => {
    const readPart = async (offset: number): Promise<void> => {
      if (offset > 0) throw new Error('disk broken');
    };
    const openSource = async () => sourceOf(bytes, { readPart });
    const { error, calls } = await upload(() => undefined, { openSource });
    expect(error).toMatchObject({ message: 'disk broken' });
    expect(calls.at(-2)).toBe('abort');
  });
});

describe.concurrent('an upload that another try mends', () => {
  it('sends the same part again after a 503', async () => {
    const sizes: number[] = [];
    let refused = false;
    const { error } = await upload(({ call, body }) => {
      if (call === 'head') return stored;
      if (call !== 'part 2') return undefined;
      sizes.push(body.length);
      if (refused) return undefined;
      refused = true;
      return { status: 503, body: errorBody('SlowDown') };
    });
    expect(error).toMatchObject({ isVerified: false });
    expect(sizes[0]).toBe(sizes[1]);
    expect(sizes).toHaveLength(2);
  });
});

describe.concurrent('what was stored', () => {
  const expected = Buffer.alloc(4);
  expected.writeUInt32BE(crc32(bytes));

  const completeWith = (sum: string): S3Answer => ({
    status: 200,
    body: `<CompleteMultipartUploadResult><ETag>"e-3"</ETag><ChecksumCRC32>${sum}</ChecksumCRC32></CompleteMultipartUploadResult>`,
  });

  it('is verified by the CRC32 of the whole, whatever its ETag is', async () => {
    const announced: string[] = [];
    const { error } = await upload(({ call, crc32: sum }) => {
      if (call === 'complete') announced.push(sum);
      if (call === 'complete') return completeWith(expected.toString('base64'));
      return call === 'head' ? stored : undefined;
    });
    expect(error).toEqual({ etag: '"e-3"', isVerified: true });
    // The server is told beforehand, so that it can refuse to make a damaged whole visible.
    expect(announced).toEqual([expected.toString('base64')]);
  });

  it('is removed when its CRC32 or its size is another', async () => {
    const other = await upload(({ call }) => {
      if (call === 'complete') return completeWith('AAAAAA==');
      return call === 'head' ? stored : undefined;
    });
    expect(other.error).toMatchObject({ code: 'stored-differs', facts: { seen: 'AAAAAA==' } });
    expect(other.calls).toContain('delete');
    const short = await upload(({ call }) =>
      call === 'head' ? { status: 200, headers: { 'content-length': '7' } } : undefined,
    );
    expect(short.error).toMatchObject({ code: 'stored-differs', facts: { seen: '7' } });
    expect(short.calls).toContain('delete');
  });
});

describe('a server that refuses checksums', () => {
  afterEach(() => {
    delete process.env.AWS_REQUEST_CHECKSUM_CALCULATION;
  });

  it('is named with the setting to change, and works with it', async () => {
    const refuse = ({ call }: S3Call): S3Answer | undefined =>
      call === 'create' ? { status: 501, body: errorBody('NotImplemented') } : undefined;
    const { error } = await upload(refuse);
    expect(error).toMatchObject({
      code: 's3-not-supported',
      facts: { status: 501 },
      remedy: expect.stringContaining('AWS_REQUEST_CHECKSUM_CALCULATION=when_required'),
    });
    process.env.AWS_REQUEST_CHECKSUM_CALCULATION = 'when_required';
    const { error: result } = await upload(({ call }) => (call === 'head' ? stored : undefined));
    expect(result).toMatchObject({ isVerified: false });
  });
});
