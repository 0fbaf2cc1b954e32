import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Delivery } from '../../src/lib/delivery.js';
import { hashFile } from '../../src/lib/sha256.js';
import type { Engine, Layout } from '../../src/lib/variant.js';
import { type ColdStartLog, type OpenOptions, openModel } from '../../src/loader/index.js';
import type { OpenvinoNative } from '../../src/runtimes/openvino/openvino-adapter.js';
import { type ArtifactRecord, digestFiles } from '../../src/store/artifact-record.js';
import { openStore } from '../../src/store/open-store.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { useTempFolder } from '../fixtures/temp-folder.js';
import { requireOpenvino } from '../services/require-openvino.js';
import { requireS3, startS3IfFound, useS3 } from '../services/require-s3.js';
import type { RunningS3 } from '../services/versitygw.mjs';
import { startWebServer } from '../services/web-server.js';

const temporaryFolder = useTempFolder();
const sums = Float32Array.from({ length: 64 }, (_, index) => index + 1);

const artifacts: readonly (readonly [Engine, Layout])[] = [
  ['onnxruntime', 'single'],
  ['onnxruntime', 'external'],
  ['openvino', 'single'],
  ['openvino', 'external'],
  ['openvino', 'ir'],
  ['openvino', 'blob'],
];
const ways: readonly (readonly [Delivery, 'copy' | 'direct'])[] = [
  ['s3-copy', 'copy'],
  ['lazy', 'copy'],
  ['stream', 'copy'],
  ['url', 'copy'],
  ['layer', 'copy'],
  ['mount', 'copy'],
  ['mount', 'direct'],
];

let s3: RunningS3 | undefined;

beforeAll(async () => {
  s3 = await startS3IfFound();
  if (s3 === undefined) return;
  useS3(s3);
  await mkdir(join(s3.folder, 'engines'));
});

beforeEach(async (context) => {
  await requireS3(context, s3);
});

afterAll(async () => s3?.stop());

/** Where each delivery finds the artifact of a folder. */
async function placeFor(delivery: Delivery, folder: string, record: ArtifactRecord): Promise<string> {
  const names = ['artifact.json', ...record.files.map(({ path }) => path)];
  if (delivery === 'layer' || delivery === 'mount') return folder;
  if (delivery === 'url') {
    const paths = names.map(async (name) => [`/${name}`, await readFile(join(folder, name))] as const);
    const server = await startWebServer(new Map(await Promise.all(paths)));
    onTestFinished(() => server.stop());
    return `${server.url}/artifact.json`;
  }
  const store = await openStore('s3://engines');
  for (const name of names)
    await store.write(`${record.digest}/${name}`, await readFile(join(folder, name)), undefined);
  return `s3://engines/${record.digest}/artifact.json`;
}

describe.each(artifacts)('an artifact for %s, layout %s,', (engine, layout) => {
  let folder = '';
  let record: ArtifactRecord | undefined;

  // One artifact for all ways, which only read it: a blob takes as long to compile as five take to open.
  beforeEach(async (context) => {
    if (engine === 'openvino') await requireOpenvino(context);
    if (record !== undefined) return;
    folder = await mkdtemp(join(tmpdir(), 'each-engine-'));
    record = await writeTinyArtifact(folder, { engine, layout });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const fitting = ways.filter(
    ([delivery]) => delivery !== 'lazy' || engine !== 'openvino' || layout !== 'external',
  );

  it.each(fitting)('is opened by %s (mounted: %s), and says how', async (delivery, mountMode) => {
    const ephemeralDir = await temporaryFolder();
    if (record === undefined) throw new Error('no artifact was written');
    const logs: ColdStartLog[] = [];
    const onLog = (log: ColdStartLog) => logs.push(log);
    const options = { delivery, mountMode, ephemeralDir, threads: 1, onLog };
    const model = await openModel(await placeFor(delivery, folder, record), options);
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    expect(await model.inputs()).toEqual([{ name: 'x', isTensor: true, type: 'float32', dims: [64] }]);
    expect((await model.outputs())[0]).toMatchObject({ name: 'y', type: 'float32', dims: [64] });
    expect(model).toMatchObject({ delivery, variant: { engine, layout }, threads: 1, inference: 'f32' });
    expect(logs).toMatchObject([
      { status: 'ready', engine, inference: 'f32', fromCache: false, variantId: record.variant.id },
    ]);
    expect(logs[0]?.engineVersion).toMatch(/^\d+\.\d+/);
    const { startMs: _startMs, ...phases } = model.phases;
    expect(Object.values(phases).filter((each) => each === null || each < 0)).toEqual([]);
    if (engine === 'openvino') {
      const { readProperty } = (await model.native()) as OpenvinoNative;
      expect(readProperty('INFERENCE_NUM_THREADS')).toBe('1');
      expect(readProperty('NUM_STREAMS')).toBe('1');
    }
    await model.close();
    expect(await readdir(ephemeralDir)).toEqual([]);
  });
});

describe('an artifact for openvino', () => {
  beforeEach(async (context) => {
    await requireOpenvino(context);
  });

  it('whose weights are beside it cannot be opened from memory, and says by what it can', async () => {
    const folder = await temporaryFolder();
    await writeTinyArtifact(folder, { engine: 'openvino', layout: 'external' });
    const model = await openModel(folder, { delivery: 'lazy' });
    await expect(model.run(tinyFeeds())).rejects.toMatchObject({
      code: 'external-refused-from-memory',
      exitCode: 2,
      facts: { engine: 'openvino', variant: 'fp32.openvino.external' },
      remedy: expect.stringContaining('`s3-copy`'),
    });
  });

  it('that was compiled by another version is refused before a byte of it is read', async () => {
    const folder = await temporaryFolder();
    const record = await writeTinyArtifact(folder, { engine: 'openvino', layout: 'blob' });
    const { boundTo } = record.requires;
    for (const change of [{ engineVersion: '2025.1.0' }, { instructionSets: ['avx-of-tomorrow'] }]) {
      const changed = await temporaryFolder();
      const requires = { ...record.requires, boundTo: { ...boundTo, ...change } };
      // Nothing but the record is there.
      await writeFile(join(changed, 'artifact.json'), JSON.stringify({ ...record, requires }));
      for (const delivery of ['layer', 'lazy', 's3-copy'] as const) {
        const opening = openModel(changed, { delivery }).then((model) => model.run(tinyFeeds()));
        await expect(opening).rejects.toMatchObject({
          code: 'requirement-not-met',
          facts: {
            variant: 'fp32.openvino.blob',
            unmet: [{ expected: expect.stringMatching(/exactly 2025\.1\.0|avx-of-tomorrow/) }],
          },
        });
      }
    }
  });

  it('is opened from what an earlier process has compiled, where it is told to keep that', async () => {
    const [folder, modelCacheDir] = [await temporaryFolder(), await temporaryFolder()];
    const record = await writeTinyArtifact(folder, { engine: 'openvino', layout: 'ir' });
    const logs: ColdStartLog[] = [];
    for (const delivery of ['layer', 'layer', 'lazy', 'lazy'] as const) {
      const onLog = (log: ColdStartLog) => logs.push(log);
      const model = await openModel(folder, { delivery, modelCacheDir, onLog });
      expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
      await model.close();
    }
    expect(logs.map(({ fromCache }) => fromCache)).toEqual([false, true, false, true]);
    expect(await readdir(join(modelCacheDir, record.digest))).toHaveLength(2);
  });

  it('is never opened from what was kept of other weights at its place', async () => {
    const [folder, modelCacheDir] = [await temporaryFolder(), await temporaryFolder()];
    const { digest } = await writeTinyArtifact(folder, { engine: 'openvino', layout: 'ir' });
    await (await openModel(folder, { modelCacheDir })).close();
    const weights = new Float32Array(64).fill(7);
    await writeFile(join(folder, 'model.bin'), weights);
    const record: ArtifactRecord = JSON.parse(await readFile(join(folder, 'artifact.json'), 'utf8'));
    const sha256 = await hashFile(join(folder, 'model.bin'), new AbortController().signal);
    const files = record.files.map((file) => (file.path === 'model.bin' ? { ...file, sha256 } : file));
    const changed = { ...record, files, digest: digestFiles(files) };
    await writeFile(join(folder, 'artifact.json'), JSON.stringify(changed));
    const model = await openModel(folder, { modelCacheDir });
    expect((await model.run(tinyFeeds())).y?.data).toEqual(weights.map((each) => each + 1));
    await model.close();
    expect((await readdir(modelCacheDir)).sort()).toEqual([digest, changed.digest].sort());
  });

  it('keeps nothing where no process would find it again, and nothing in what is no folder', async () => {
    const folder = await temporaryFolder();
    await writeTinyArtifact(folder, { engine: 'openvino', layout: 'ir' });
    const wrong: readonly OpenOptions[] = [
      { delivery: 's3-copy', modelCacheDir: await temporaryFolder() },
      { delivery: 'stream', modelCacheDir: await temporaryFolder() },
      { delivery: 'mount', modelCacheDir: await temporaryFolder() },
      { modelCacheDir: join(folder, 'model.xml') },
      { modelCacheDir: '/proc/cache' },
      { modelCacheDir: join(await temporaryFolder(), 'mistyped', 'cache') },
    ];
    for (const options of wrong) {
      await expect(openModel(folder, options)).rejects.toMatchObject({
        code: 'open-option-wrong',
        facts: { option: 'modelCacheDir' },
      });
    }
  });

  it('has no session options: what is given is refused, and none are logged', async () => {
    const folder = await temporaryFolder();
    await writeTinyArtifact(folder, { engine: 'openvino', layout: 'ir' });
    const logs: ColdStartLog[] = [];
    const onLog = (log: ColdStartLog) => logs.push(log);
    await expect(openModel(folder, { onLog, session: { prepacking: true } })).rejects.toMatchObject({
      code: 'open-option-wrong',
      facts: { option: 'session', expected: 'a variant of onnxruntime' },
    });
    const model = await openModel(folder, { onLog, session: {} });
    await model.run(tinyFeeds());
    await model.close();
    expect(logs.map(({ status, session }) => [status, session])).toEqual([
      ['failed', null],
      ['ready', null],
    ]);
  });

  it('says what it computes in, whatever it was to compute in', async () => {
    const folder = await temporaryFolder();
    await writeTinyArtifact(folder, { engine: 'openvino', layout: 'ir', inference: 'bf16' });
    const model = await openModel(folder);
    const { readProperty } = (await model.native()) as OpenvinoNative;
    expect(readProperty('INFERENCE_PRECISION_HINT')).toMatch(model.inference === 'bf16' ? /^bf/ : /^f/);
    await model.close();
  });
});
