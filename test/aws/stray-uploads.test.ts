import { crc32 } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectS3 } from '../../src/aws/s3-connection.js';
import { openJournalEntry } from '../../src/aws/upload-journal.js';
import { uploadObject } from '../../src/aws/upload-object.js';
import { PartSlots } from '../../src/lib/part-slots.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { useS3 } from '../services/require-s3.js';
import { errorBody, type S3Answer, startScriptedS3 } from './scripted-s3.js';

const MiB = 1024 ** 2;
const content = Buffer.alloc(6 * MiB, 3);
const parts = [content.subarray(0, 5 * MiB), content.subarray(5 * MiB)];
const tempFolder = useTempFolder();

afterEach(() => vi.unstubAllEnvs());

/** What the server lists beside ours: how long after our request each was begun, ms. */
type Script = {
  readonly others: readonly number[];
  readonly clockLeadMs?: number;
  readonly losesAll?: boolean;
};

function listOf(atMs: readonly number[], clockLeadMs: number): S3Answer {
  const uploads = atMs.map(
    (each, index) =>
      `<Upload><Key>k</Key><UploadId>OTHER${index}</UploadId><Initiated>${new Date(each).toISOString()}</Initiated></Upload>`,
  );
  return {
    status: 200,
    headers: { date: new Date(Date.now() + clockLeadMs).toUTCString() },
    body: `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`,
  };
}

/** Uploads in parts; the first request for an id is answered by a reset, or each of them is. */
async function uploadLosingAnAnswer(
  { others, clockLeadMs = 0, losesAll = false }: Script,
  before: (connection: Awaited<ReturnType<typeof connectS3>>) => Promise<unknown> = async () => undefined,
): Promise<readonly string[]> {
  let creates = 0;
  let askedAtMs = 0;
  const aborted: string[] = [];
  const { endpoint } = await startScriptedS3(({ call, url }) => {
    if (call === 'create') {
      creates += 1;
      if (creates === 1) askedAtMs = Date.now();
      return creates === 1 || losesAll ? { status: 0, resets: true } : undefined;
    }
    if (call === 'abort') aborted.push(new URL(url, 'http://x').searchParams.get('uploadId') ?? '');
    if (call === 'uploads')
      return listOf(
        others.map((each) => askedAtMs + clockLeadMs + each),
        clockLeadMs,
      );
    if (call === 'part 2') return { status: 400, body: errorBody('EntityTooLarge') };
    return undefined;
  });
  useS3({ endpoint, accessKeyId: 'a', secretAccessKey: 'b' });
  vi.stubEnv('OPTIMISE_MODEL_STATE', await tempFolder());
  const connection = await connectS3('bucket', process.env);
  await before(connection);
  const sending = uploadObject(connection, {
    key: 'k',
    sizeBytes: content.length,
    crc32: { parts: parts.map((part) => crc32(part)), whole: crc32(content) },
    metadata: {},
    openSource: async () => ({
      readPart: async (offset, buffer) => void content.copy(buffer, 0, offset),
      refuseIfChanged: async () => undefined,
      explainChange: async () => new Error('changed'),
      close: async () => undefined,
    }),
    partSizeBytes: 5 * MiB,
    slots: new PartSlots(2),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  await expect(sending).rejects.toMatchObject({ code: losesAll ? 's3-unreachable' : 's3-failed' });
  return aborted.filter((id) => id !== 'U1').sort();
}

describe('an upload whose id never arrived', () => {
  it('is removed', async () => {
    expect(await uploadLosingAnAnswer({ others: [0] })).toEqual(['OTHER0']);
  });

  it('is removed when no id arrived at all, as often as was asked', async () => {
    const aborted = await uploadLosingAnAnswer({ others: [0, 20, 40], losesAll: true });
    expect(aborted).toEqual(['OTHER0', 'OTHER1', 'OTHER2']);
  });

  it('is known by the clock of the server, an hour ahead or a minute behind', async () => {
    for (const clockLeadMs of [3_600_000, -60_000]) {
      expect(await uploadLosingAnAnswer({ others: [0], clockLeadMs })).toEqual(['OTHER0']);
      expect(await uploadLosingAnAnswer({ others: [-clockLeadMs], clockLeadMs })).toEqual([]);
    }
  });
});

describe("another machine's upload of the same key", () => {
  it('is left alone when it began before our request or after its answer', async () => {
    expect(await uploadLosingAnAnswer({ others: [-600_000, -10_000, 60_000] })).toEqual([]);
  });

  it('is left alone when it began just then and cannot be told from the one that we lost', async () => {
    expect(await uploadLosingAnAnswer({ others: [0, 10] })).toEqual([]);
  });
});

describe("another process's upload of the same key", () => {
  it('is left alone while it waits for its id', async () => {
    const aborted = await uploadLosingAnAnswer({ others: [0] }, async (connection) => {
      await openJournalEntry(connection, 'k');
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    expect(aborted).toEqual([]);
  });
});
