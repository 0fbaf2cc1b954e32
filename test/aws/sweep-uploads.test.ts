import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectS3, type S3Connection } from '../../src/aws/s3-connection.js';
import { type SweepOptions, sweepUploads, type UploadSweep } from '../../src/aws/sweep-uploads.js';
import { openJournalEntry } from '../../src/aws/upload-journal.js';
import { identifyProcess } from '../../src/lib/process-identity.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { makeBucket } from '../services/bucket.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';

const hourMs = 3_600_000;
const tempFolder = useTempFolder();
const signal = new AbortController().signal;
let running: RunningS3 | undefined;
let connection: S3Connection;
let state: string;

beforeAll(async () => {
  running = await startS3IfFound();
});
afterAll(() => running?.stop());
beforeEach(async (context) => {
  const s3 = await requireS3(context, running);
  useS3(s3);
  delete process.env.AWS_REQUEST_CHECKSUM_CALCULATION;
  state = await tempFolder();
  process.env.OPTIMISE_MODEL_STATE = state;
  connection = await connectS3((await makeBucket(s3)).name, process.env);
});

/** Begins an upload with one part, as any other program would. */
async function beginUpload(key: string): Promise<string> {
  const { client, bucket: Bucket } = connection;
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: key }));
  await client.send(
    new UploadPartCommand({ Bucket, Key: key, UploadId, PartNumber: 1, Body: Buffer.alloc(1000) }),
  );
  return String(UploadId);
}

async function listOpen(): Promise<readonly (string | undefined)[]> {
  const { client, bucket: Bucket } = connection;
  const { Uploads: uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  return (uploads ?? []).map(({ Key: key }) => key).sort();
}

/** Notes an upload as a process did that is gone now. */
async function noteAsDead(key: string, uploadId: string | null, startedAtMs: number): Promise<void> {
  const child = spawn('sleep', ['60']);
  const process = identifyProcess(child.pid);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const { server, bucket } = connection;
  const note = { schemaVersion: 1, server, bucket, key, uploadId, startedAtMs, process };
  await (await openJournalEntry(connection, key)).close();
  await writeFile(join(state, 'uploads', '00000000000000aa.json'), JSON.stringify(note));
}

function sweep(change: Partial<SweepOptions> = {}, prefix = 'vit/'): Promise<UploadSweep> {
  return sweepUploads(
    connection,
    prefix,
    { graceMs: hourMs, lists: true, isDryRun: false, ...change },
    signal,
  );
}

describe('sweeping interrupted uploads', () => {
  it('removes one whose process is gone by what the journal says, wherever in the bucket it is', async () => {
    const uploadId = await beginUpload('other/a.bin');
    await noteAsDead('other/a.bin', uploadId, Date.now());
    const dry = await sweep({ isDryRun: true });
    expect(dry.abandoned).toMatchObject([
      { key: 'other/a.bin', uploadId, reason: 'interrupted', refusal: null },
    ]);
    expect(await listOpen()).toEqual(['other/a.bin']);
    expect(await sweep({ lists: false })).toEqual(dry);
    expect(await listOpen()).toEqual([]);
    expect(await readdir(join(state, 'uploads'))).toEqual([]);
  });

  it('finds one whose id had not arrived when its process was killed', async () => {
    await beginUpload('vit/a.bin');
    await beginUpload('vit/a.bin.data');
    await noteAsDead('vit/a.bin', null, Date.now() - 1000);
    expect((await sweep()).abandoned).toMatchObject([{ key: 'vit/a.bin', reason: 'interrupted' }]);
    expect(await listOpen()).toEqual(['vit/a.bin.data']);
    expect(await readdir(join(state, 'uploads'))).toEqual([]);
  });

  it.each([
    ['before', 10_000],
    ['long after', -190_000],
    ['after a connection would have been given up', -40_000],
  ])('takes no upload for that one which began %s it was asked for', async (_when, startedInMs) => {
    connection = { ...connection, silenceMs: 10_000 };
    await beginUpload('vit/a.bin');
    await noteAsDead('vit/a.bin', null, Date.now() + startedInMs);
    expect((await sweep()).abandoned).toEqual([]);
    expect(await listOpen()).toEqual(['vit/a.bin']);
  });

  it('takes none of two that it cannot tell from each other', async () => {
    await beginUpload('vit/a.bin');
    await beginUpload('vit/a.bin');
    await noteAsDead('vit/a.bin', null, Date.now() - 1000);
    expect((await sweep()).abandoned).toEqual([]);
    expect(await listOpen()).toEqual(['vit/a.bin', 'vit/a.bin']);
  });

  it('leaves alone what runs, and what no journal knows as long as it is young', async () => {
    const uploadId = await beginUpload('vit/running.bin');
    const entry = await openJournalEntry(connection, 'vit/running.bin');
    await entry.noteUploadId(uploadId);
    await beginUpload('vit/unknown.bin');
    const { abandoned, running: left } = await sweep();
    expect(abandoned).toEqual([]);
    expect(left.map(({ key }) => key).sort()).toEqual(['vit/running.bin', 'vit/unknown.bin']);
    // With no grace at all, only what no journal knows goes.
    const { abandoned: old } = await sweep({ graceMs: -5000 });
    expect(old).toMatchObject([{ key: 'vit/unknown.bin', reason: 'old' }]);
    expect(await listOpen()).toEqual(['vit/running.bin']);
  });

  it('removes what no journal knows only below the prefix', async () => {
    await beginUpload('vit/a.bin');
    await beginUpload('vitamin/a.bin');
    expect((await sweep({ graceMs: -5000 })).abandoned).toMatchObject([{ key: 'vit/a.bin' }]);
    expect(await listOpen()).toEqual(['vitamin/a.bin']);
  });

  it('forgets an upload that was completed or aborted before its process died', async () => {
    await noteAsDead('vit/a.bin', 'gone-already', Date.now());
    expect((await sweep()).abandoned).toMatchObject([{ key: 'vit/a.bin', refusal: null }]);
    expect(await readdir(join(state, 'uploads'))).toEqual([]);
  });
});
