import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ColdStartLog, type OpenOptions, openModel } from '../../src/loader/index.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { tinyFeeds } from '../fixtures/artifact-folder.js';
import { catchError } from '../fixtures/catch-error.js';
import { type ReleasedModel, writeReleasedModel } from '../fixtures/released-model.js';

let ephemeralDir: string;
let released: ReleasedModel;
let logs: ColdStartLog[];
let options: OpenOptions;

beforeEach(async () => {
  ephemeralDir = await mkdtemp(join(tmpdir(), 'ephemeral-'));
  released = await writeReleasedModel('stream', 1);
  logs = [];
  options = { ephemeralDir, delivery: 'stream', onLog: (log) => logs.push(log) };
});

afterEach(async () => {
  await rm(ephemeralDir, { recursive: true, force: true });
  await rm(released.store, { recursive: true, force: true });
});

function pathOf({ digest }: ArtifactRecord, file = 'artifact.json'): string {
  return join(released.store, 'tiny', 'objects', digest, file);
}

async function rewriteRecord(artifact: ArtifactRecord, change: object): Promise<void> {
  await writeFile(pathOf(artifact), JSON.stringify({ ...artifact, ...change }));
}

/** Opens the model of a folder and expects a refusal that leaves nothing behind. */
async function refusalOf(source: string): ReturnType<typeof catchError> {
  const failure = await catchError(() => openModel(source, options));
  expect(await readdir(ephemeralDir)).toEqual([]);
  return failure;
}

const sums = Float32Array.from({ length: 64 }, (_, index) => index + 1);

describe('the delivery stream', () => {
  it('opens what a release publishes: the plan, which a release is without, is read beside the files', async () => {
    const model = await openModel(released.current, { ...options, variant: 'fp32.external' });
    expect(model).toMatchObject({ delivery: 'stream', release: 'r1', variant: { id: 'fp32.external' } });
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    expect(logs).toMatchObject([{ status: 'ready', delivery: 'stream' }]);
    await model.close();
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('refuses a plan that is not there, or of another artifact', async () => {
    const { single, external } = released;
    await writeFile(pathOf(single), await readFile(pathOf(external)));
    expect(await refusalOf(released.current)).toMatchObject({
      code: 'record-wrong',
      facts: { where: pathOf(single), problem: expect.stringContaining(single.digest) },
    });
    await rm(pathOf(single));
    expect(await refusalOf(released.current)).toMatchObject({
      code: 'object-missing',
      facts: { url: pathOf(single) },
    });
  });

  it('refuses literals that are not what the plan needs', async () => {
    const { single } = released;
    const parts = [['literal', 0, 4] as const];
    const files = [{ path: 'model.onnx', sizeBytes: 4, parts }];
    const expansion = { entry: 'model.onnx', literals: 'AAAA', files };
    await rewriteRecord(single, { expandedSizeBytes: 4, expansion });
    expect(await refusalOf(pathOf(single))).toMatchObject({ code: 'record-wrong' });
  });

  it.each(['model.onnx', 'model.onnx.data'])('keeps nothing when a byte of %s is wrong', async (file) => {
    const path = pathOf(released.external, file);
    const bytes = await readFile(path);
    const wrong = Math.floor(bytes.length / 2);
    bytes[wrong] = (bytes[wrong] ?? 0) ^ 1;
    await writeFile(path, bytes);
    for (const sizes of [{}, { partSizeBytes: 7, concurrency: 3 }]) {
      options = { ...options, ...sizes };
      expect(await refusalOf(pathOf(released.external))).toMatchObject({
        code: 'download-corrupt',
        facts: { url: path, problem: 'its SHA-256' },
      });
    }
  });

  it('is refused before anything is read when the expanded size does not fit', async () => {
    const { single } = released;
    const expandedSizeBytes = 2 ** 50;
    const files = [
      { path: 'model.onnx', sizeBytes: expandedSizeBytes, parts: [['zeros', expandedSizeBytes]] },
    ];
    await rewriteRecord(single, {
      expandedSizeBytes,
      expansion: { entry: 'model.onnx', literals: '', files },
    });
    await rm(pathOf(single, 'model.onnx'));
    const failure = await refusalOf(pathOf(single));
    expect(failure).toMatchObject({
      code: 'ephemeral-storage-full',
      facts: { folder: ephemeralDir, neededBytes: expandedSizeBytes, isExpanded: true },
    });
    expect(failure.message).toContain('expanded to FP32');
  });
});

/** Serves a folder; what is no document is begun and never ended. */
async function serveHalf(folder: string): Promise<string> {
  const server: Server = createServer(async (request, response) => {
    const bytes = await readFile(join(folder, request.url ?? ''));
    if (request.headers.range === undefined) return void response.end(bytes);
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range) ?? [];
    const [start, end] = [Number(first), Number(last) + 1];
    const contentRange = `bytes ${start}-${end - 1}/${bytes.length}`;
    response.writeHead(206, { 'content-length': end - start, 'content-range': contentRange, etag: '"1"' });
    return void response.write(bytes.subarray(start, start + Math.floor((end - start) / 2)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a process that dies', () => {
  const program = fileURLToPath(new URL('../fixtures/open-and-wait.mjs', import.meta.url));

  async function startProcess(source: string) {
    const child = spawn(process.execPath, [program, source, 'stream', ephemeralDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  it('half-way leaves nothing that is used or stays', async () => {
    const artifact = dirname(pathOf(released.external));
    const child = await startProcess(`${await serveHalf(artifact)}/artifact.json`);
    for (let left: string[] = []; left.length === 0; left = await readdir(ephemeralDir)) await sleep(20);
    const [half = ''] = await readdir(ephemeralDir);
    child.kill('SIGKILL');
    await once(child, 'close');
    const model = await openModel(artifact, options);
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    expect(await stat(join(ephemeralDir, half)).catch(() => undefined)).toBeUndefined();
    await model.close();
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('with the model open leaves its expanded files to the next, which downloads nothing', async () => {
    const artifact = dirname(pathOf(released.external));
    const child = await startProcess(artifact);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    for (const { path } of released.external.files) await rm(join(artifact, path));
    const model = await openModel(artifact, options);
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    await model.close();
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('leaves nothing to who has another plan for the same files', async () => {
    const artifact = dirname(pathOf(released.external));
    const child = await startProcess(artifact);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const [entry, data] = released.external.expansion.files;
    if (entry === undefined || data === undefined) throw new Error('two files were expected');
    // Zeros of the same size for the weights.
    const files = [entry, { ...data, parts: [['zeros', data.sizeBytes]] }];
    await rewriteRecord(released.external, { expansion: { ...released.external.expansion, files } });
    const model = await openModel(artifact, options);
    expect((await model.run(tinyFeeds())).y?.data).toEqual(new Float32Array(64).fill(1));
    await model.close();
  });
});
