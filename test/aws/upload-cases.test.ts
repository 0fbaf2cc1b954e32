import { createHash } from 'node:crypto';
import { appendFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { printCrc32 } from '../../src/lib/crc32.js';
import { PartSlots } from '../../src/lib/part-slots.js';
import { hashFile } from '../../src/lib/sha256.js';
import { openStore } from '../../src/store/open-store.js';
import type { PutFile } from '../../src/store/store.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { useS3 } from '../services/require-s3.js';
import { errorBody, type S3Answer, type S3Call, startScriptedS3 } from './scripted-s3.js';

const mebibyteBytes = 1024 ** 2;
const signal = new AbortController().signal;
const tempFolder = useTempFolder();

type Outcome = {
  readonly error: unknown;
  readonly calls: readonly string[];
  readonly bodies: ReadonlyMap<string, readonly Buffer[]>;
};

type Case = {
  readonly content: Buffer;
  readonly partSizeBytes: number;
  /** Gets the path of the file too, so that it can change it at a moment of its choice. */
  readonly script?: (call: S3Call, path: string) => S3Answer | undefined;
  readonly before?: (path: string) => Promise<void>;
  readonly change?: Partial<PutFile>;
  readonly env?: Readonly<Record<string, string>>;
};

/** Sends a file through the store to a server that answers as told, and tells all that reached it. */
async function send({ content, partSizeBytes, script, before, change, env }: Case): Promise<Outcome> {
  const folder = await tempFolder();
  const path = join(folder, 't.bin');
  await writeFile(path, content);
  const sha256 = await hashFile(path, signal);
  const bodies = new Map<string, Buffer[]>();
  const { endpoint, calls } = await startScriptedS3((call) => {
    bodies.set(call.call, [...(bodies.get(call.call) ?? []), call.body]);
    return script?.(call, path);
  });
  delete process.env.AWS_REQUEST_CHECKSUM_CALCULATION;
  useS3({ endpoint, accessKeyId: 'a', secretAccessKey: 'b' });
  Object.assign(process.env, { OPTIMISE_MODEL_STATE: join(folder, 'state'), ...env });
  const store = await openStore('s3://bucket');
  await before?.(path);
  const error = await store
    .putFile({
      ...{ key: 't.bin', path, sizeBytes: content.length, sha256, partSizeBytes, signal },
      ...{ slots: new PartSlots(4), onProgress: () => undefined, ...change },
    })
    .catch((caught: unknown) => caught);
  return { error, calls, bodies };
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

/** A server that stores what it gets and says so by ETags, and by CRC32 if it is told to. */
function honestServer(content: Buffer, partSizeBytes: number, returnsCrc32: boolean) {
  const parts = Array.from({ length: Math.ceil(content.length / partSizeBytes) }, (_, index) =>
    content.subarray(index * partSizeBytes, (index + 1) * partSizeBytes),
  );
  const etag = `${md5(Buffer.concat(parts.map((part) => Buffer.from(md5(part), 'hex'))))}-${parts.length}`;
  const sum = printCrc32(crc32(content));
  const crc = returnsCrc32 ? `<ChecksumCRC32>${sum}</ChecksumCRC32>` : '';
  const script = ({ call, body }: S3Call): S3Answer | undefined => {
    if (call.startsWith('part')) return { status: 200, headers: { etag: `"${md5(body)}"` } };
    if (call === 'head') {
      return { status: 200, headers: { 'content-length': `${content.length}`, etag: `"${etag}"` } };
    }
    if (call !== 'complete') return undefined;
    const answer = `<ETag>"${etag}"</ETag>${crc}`;
    return { status: 200, body: `<CompleteMultipartUploadResult>${answer}</CompleteMultipartUploadResult>` };
  };
  return { script, etag };
}

describe('a file that changes, ends early or is a link while it is uploaded (C29)', () => {
  const content = Buffer.alloc(12 * mebibyteBytes, 7);
  const partSizeBytes = 5 * mebibyteBytes;
  const sizes = { expectedBytes: 12_582_912 };

  it.each([
    ['loses its last MiB', (path: string) => truncate(path, 11 * mebibyteBytes), { seenBytes: 11_534_336 }],
    ['loses a whole part', (path: string) => truncate(path, 9 * mebibyteBytes), { nowBytes: 9_437_184 }],
    [
      'grows by a MiB',
      (path: string) => appendFile(path, Buffer.alloc(mebibyteBytes)),
      { nowBytes: 13_631_488 },
    ],
  ])('never becomes an object when it %s after the upload was set up', async (_how, change, facts) => {
    const { error, calls } = await send({ content, partSizeBytes, before: change });
    expect(error).toMatchObject({ code: 'source-changed', exitCode: 3, facts: { ...sizes, ...facts } });
    expect(calls).not.toContain('complete');
    expect(calls.filter((call) => call === 'abort')).toHaveLength(calls.includes('create') ? 1 : 0);
  });

  it('never becomes an object when it changes between two parts', async () => {
    let changed: Promise<void> | undefined;
    const script = ({ call }: S3Call, path: string): undefined => {
      if (call === 'part 1') changed ??= truncate(path, 11 * mebibyteBytes);
    };
    const change = { slots: new PartSlots(1) };
    const { error, calls } = await send({ content, partSizeBytes, script, change });
    await changed;
    expect(error).toMatchObject({ code: 'source-changed', facts: { ...sizes, seenBytes: 11_534_336 } });
    expect(calls).toEqual(['create', 'part 1', 'part 2', 'abort', 'parts']);
  });

  it('is sent as what a link leads to', async () => {
    const folder = await tempFolder();
    const { script } = honestServer(content, partSizeBytes, true);
    const link = join(folder, 'link.bin');
    const before = (path: string) => symlink(path, link);
    const { error, bodies } = await send({ content, partSizeBytes, script, before, change: { path: link } });
    expect(error).toMatchObject({ sizeBytes: content.length });
    const lengths = ['part 1', 'part 2', 'part 3'].map((part) =>
      bodies.get(part)?.map(({ length }) => length),
    );
    expect(lengths).toEqual([[5_242_880], [5_242_880], [2_097_152]]);
  });

  it('is never put in one request when it is shorter than it was', async () => {
    const small = content.subarray(0, 3 * mebibyteBytes);
    const before = (path: string) => truncate(path, 2 * mebibyteBytes);
    const { error, calls } = await send({ content: small, partSizeBytes, before });
    expect(error).toMatchObject({ code: 'source-changed', facts: { seenBytes: 2 * mebibyteBytes } });
    expect(calls).toEqual([]);
  });
});

describe('an ETag that is not the MD5 of the file (C33)', () => {
  const content = Buffer.alloc(11 * mebibyteBytes, 1);
  const withoutChecksums = { AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required' };

  it.each([
    [5, 'de706878f5b4c47b525c5a9b876cdb08-3'],
    [8, '253571bdbe755e431fa2846cd57c616d-2'],
  ])('proves an upload in parts of %i MiB without any checksum', async (partMiB, expected) => {
    const partSizeBytes = partMiB * mebibyteBytes;
    const { script, etag } = honestServer(content, partSizeBytes, false);
    expect(etag).toBe(expected);
    const { error, calls } = await send({ content, partSizeBytes, script, env: withoutChecksums });
    expect(error).toMatchObject({ etag: `"${expected}"` });
    // Neither asked about nor read back.
    expect(calls.filter((call) => /head|get/.test(call))).toEqual([]);
  });

  it('is no error where the CRC32 of the whole is right, as with KMS', async () => {
    const partSizeBytes = 5 * mebibyteBytes;
    const honest = honestServer(content, partSizeBytes, true);
    let count = 0;
    const script = (call: S3Call): S3Answer | undefined => {
      if (!call.call.startsWith('part')) return honest.script(call);
      count += 1;
      return { status: 200, headers: { etag: `"${md5(Buffer.from(`kms ${count}`))}"` } };
    };
    const { error, calls } = await send({ content, partSizeBytes, script });
    expect(error).toMatchObject({ etag: expect.stringContaining('-3') });
    expect(calls).not.toContain('get');
  });

  it('names the part that the server stored otherwise, and nothing is completed', async () => {
    const partSizeBytes = 5 * mebibyteBytes;
    const honest = honestServer(content, partSizeBytes, false);
    const script = (call: S3Call): S3Answer | undefined => {
      if (call.call !== 'part 2') return honest.script(call);
      const damaged = Buffer.from(call.body);
      damaged[100] = (damaged[100] ?? 0) ^ 1;
      return { status: 200, headers: { etag: `"${md5(damaged)}"` } };
    };
    const { error, calls } = await send({ content, partSizeBytes, script });
    expect(error).toMatchObject({ code: 'stored-differs', message: expect.stringContaining('part 2') });
    expect(calls).not.toContain('complete');
    expect(calls).toContain('abort');
  });

  it('does not matter to a server that refuses checksums and is told to do without', async () => {
    const partSizeBytes = 5 * mebibyteBytes;
    const honest = honestServer(content, partSizeBytes, false);
    const script = (call: S3Call): S3Answer | undefined => {
      const isRefused = Object.keys(call.headers).some((header) => /^x-amz-(sdk-)?checksum-/.test(header));
      return isRefused ? { status: 501, body: errorBody('NotImplemented') } : honest.script(call);
    };
    const refused = await send({ content, partSizeBytes, script });
    expect(refused.error).toMatchObject({
      facts: { status: 501 },
      remedy: expect.stringContaining('AWS_REQUEST_CHECKSUM_CALCULATION=when_required'),
    });
    const { error } = await send({ content, partSizeBytes, script, env: withoutChecksums });
    expect(error).toMatchObject({ sizeBytes: content.length });
  });
});

describe('answers that call for another try (C35)', () => {
  const content = Buffer.alloc(12 * mebibyteBytes, 3);
  const partSizeBytes = 5 * mebibyteBytes;
  const { script: honest } = honestServer(content, partSizeBytes, true);
  const times = (calls: readonly string[], name: string): number =>
    calls.filter((call) => call === name).length;
  const failing = (name: string, count: number, answer: S3Answer) => {
    let left = count;
    return (call: S3Call): S3Answer | undefined => {
      if (call.call !== name || left === 0) return honest(call);
      left -= 1;
      return answer;
    };
  };
  const internal: S3Answer = { status: 200, body: errorBody('InternalError') };

  it('completes a second time when the first was answered with 200 and an error', async () => {
    const { error, calls } = await send({ content, partSizeBytes, script: failing('complete', 1, internal) });
    expect(error).toMatchObject({ sizeBytes: content.length });
    expect(times(calls, 'complete')).toBe(2);
  });

  it('fails after three of those and aborts, and never counts as staged', async () => {
    const script = (call: S3Call): S3Answer | undefined =>
      call.call === 'head' ? { status: 404 } : failing('complete', 99, internal)(call);
    const { error, calls } = await send({ content, partSizeBytes, script });
    expect(error).toMatchObject({ code: 's3-failed', facts: { awsCode: 'InternalError' } });
    expect(times(calls, 'complete')).toBe(3);
    expect(times(calls, 'abort')).toBe(1);
  });

  it.each([
    ['503 SlowDown', { status: 503, body: errorBody('SlowDown') }],
    ['a reset', { status: 200, resets: true }],
  ])('sends a part again, byte for byte, after %s', async (_how, answer) => {
    const { error, bodies } = await send({ content, partSizeBytes, script: failing('part 2', 1, answer) });
    expect(error).toMatchObject({ sizeBytes: content.length });
    const sent = (bodies.get('part 2') ?? []).map((body) => `${body.length} ${md5(body)}`);
    const expected = `5242880 ${md5(content.subarray(partSizeBytes, 2 * partSizeBytes))}`;
    expect(sent).toEqual([expected, expected]);
  });

  it('gets every part through after the clock was put right', async () => {
    const skewed = (call: S3Call): S3Answer | undefined => {
      const serverMs = Date.now() + 3_600_000;
      const sentMs = Date.parse(
        String(call.headers['x-amz-date']).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'),
      );
      const headers = { date: new Date(serverMs).toUTCString() };
      const isRefused = call.call.startsWith('part') && Math.abs(serverMs - sentMs) >= 900_000;
      const answer = honest(call) ?? { status: 200 };
      if (!isRefused && call.call !== 'create')
        return { ...answer, headers: { ...answer.headers, ...headers } };
      if (!isRefused) return undefined;
      return { status: 403, headers, body: errorBody('RequestTimeTooSkewed') };
    };
    const { error, bodies } = await send({ content, partSizeBytes, script: skewed });
    expect(error).toMatchObject({ sizeBytes: content.length });
    expect([...bodies.keys()].filter((name) => name.startsWith('part')).sort()).toEqual([
      'part 1',
      'part 2',
      'part 3',
    ]);
  });
});

describe('an upload that others abort', () => {
  const partSizeBytes = 5 * mebibyteBytes;
  const content = Buffer.alloc(partSizeBytes + 1000, 5);

  it('is begun anew, and given up when that goes on', async () => {
    const { script: honest } = honestServer(content, partSizeBytes, true);
    const gone: S3Answer = { status: 404, body: errorBody('NoSuchUpload') };
    let left = 1;
    const script = (call: S3Call): S3Answer | undefined => {
      if (call.call !== 'part 2' || left === 0) return honest(call);
      left -= 1;
      return gone;
    };
    const { error, calls } = await send({ content, partSizeBytes, script });
    expect(error).toMatchObject({ sizeBytes: content.length });
    expect(calls.filter((call) => call === 'create')).toHaveLength(2);
    const never = await send({
      content,
      partSizeBytes,
      script: (call) => (call.call === 'part 2' ? gone : undefined),
    });
    expect(never.error).toMatchObject({ code: 's3-failed', facts: { awsCode: 'NoSuchUpload' } });
    expect(never.calls.filter((call) => call === 'create')).toHaveLength(3);
  });

  it('is aborted also when another has stored the same meanwhile', async () => {
    const { script: honest } = honestServer(content, partSizeBytes, true);
    const sum = { 'x-amz-checksum-crc32': printCrc32(crc32(content)), 'x-amz-checksum-type': 'FULL_OBJECT' };
    const script = (call: S3Call): S3Answer | undefined => {
      if (call.call === 'complete') return { status: 500, body: errorBody('InternalError') };
      const answer = honest(call);
      return call.call === 'head' ? { status: 200, headers: { ...answer?.headers, ...sum } } : answer;
    };
    const { error, calls } = await send({ content, partSizeBytes, script });
    expect(error).toMatchObject({ sizeBytes: content.length });
    expect(calls).toContain('abort');
  });

  it('counts as stored when the answer to its completion got lost and the object is there', async () => {
    const { script: honest } = honestServer(content, partSizeBytes, true);
    const sum = { 'x-amz-checksum-crc32': printCrc32(crc32(content)), 'x-amz-checksum-type': 'FULL_OBJECT' };
    const script = (call: S3Call): S3Answer | undefined => {
      if (call.call === 'complete') return { status: 404, body: errorBody('NoSuchUpload') };
      const answer = honest(call);
      return call.call === 'head' ? { status: 200, headers: { ...answer?.headers, ...sum } } : answer;
    };
    const { error, calls } = await send({ content, partSizeBytes, script });
    expect(error).toMatchObject({ sizeBytes: content.length });
    expect(calls.filter((call) => call === 'create')).toHaveLength(1);
  });
});
