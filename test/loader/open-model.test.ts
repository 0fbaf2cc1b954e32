import { appendFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashFile } from '../../src/lib/sha256.js';
import { type ColdStartLog, type OpenOptions, openModel } from '../../src/loader/index.js';
import { digestFiles } from '../../src/store/artifact-record.js';
import { tinyFeeds, writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { catchError } from '../fixtures/catch-error.js';
import { copyingExpansion } from '../fixtures/expand-artifact.js';
import { leaveFolder } from '../fixtures/left-behind.js';
import { type ReleasedModel, writeReleasedModel } from '../fixtures/released-model.js';

let ephemeralDir: string;
let released: ReleasedModel;
let logs: ColdStartLog[];
let options: OpenOptions;

beforeEach(async () => {
  ephemeralDir = await mkdtemp(join(tmpdir(), 'ephemeral-'));
  released = await writeReleasedModel('s3-copy', 1);
  logs = [];
  options = { ephemeralDir, onLog: (log) => logs.push(log) };
});

afterEach(async () => {
  await rm(ephemeralDir, { recursive: true, force: true });
  await rm(released.store, { recursive: true, force: true });
});

function pathOf(digest: string, file = 'artifact.json'): string {
  return join(released.store, 'tiny', 'objects', digest, file);
}

const sums = Float32Array.from({ length: 64 }, (_, index) => index + 1);

describe('openModel', () => {
  it('opens the published variant by the published delivery and threads, and runs it', async () => {
    const model = await openModel(released.current, options);
    expect(model).toMatchObject({ delivery: 's3-copy', release: 'r1', variant: { id: 'fp32.single' } });
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    expect(logs[0]).toMatchObject({ threads: 1, release: 'r1', digest: released.single.digest });
    await model.close();
  });

  it('opens a pinned release, another variant of it, and another delivery', async () => {
    const model = await openModel(released.pinned, {
      ...options,
      variant: 'fp32.external',
      delivery: 'layer',
    });
    expect(model).toMatchObject({ delivery: 'layer', variant: { id: 'fp32.external' } });
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    await model.close();
  });

  it('opens an artifact by its record or its folder; a local one is a layer by default', async () => {
    const folder = join(released.store, 'tiny', 'objects', released.single.digest);
    for (const source of [pathOf(released.single.digest), folder, `${folder}/`]) {
      const model = await openModel(source, options);
      expect(model).toMatchObject({ delivery: 'layer', release: null });
      await model.close();
    }
  });

  it('opens what is published by the folder of the model', async () => {
    const folder = join(released.store, 'tiny');
    for (const source of [folder, `${folder}/`]) {
      const model = await openModel(source, options);
      expect(model).toMatchObject({ delivery: 's3-copy', release: 'r1' });
      await model.close();
    }
  });

  it.each(['s3-copy', 'layer', 'lazy'] as const)(
    'refuses by %s what cannot run here before anything of it is read',
    async (delivery) => {
      const digest = released.external.digest;
      const record = JSON.parse(await readFile(pathOf(digest), 'utf8'));
      await writeFile(
        pathOf(digest),
        JSON.stringify({ ...record, requires: { ...record.requires, minimumVersion: '99.0.0' } }),
      );
      for (const { path } of record.files) await rm(pathOf(digest, path));
      const opening = openModel(pathOf(digest), { ...options, delivery }).then((model) =>
        model.run(tinyFeeds()),
      );
      await expect(opening).rejects.toMatchObject({
        code: 'requirement-not-met',
        facts: { unmet: [{ expected: 'at least 99.0.0' }] },
      });
      expect(logs).toMatchObject([{ status: 'failed', error: { code: 'requirement-not-met' } }]);
      expect(logs[0]?.phases.runtimeMs).toBeNull();
    },
  );

  it.each(['s3-copy', 'layer', 'lazy'] as const)(
    'gives the same by %s for both layouts',
    async (delivery) => {
      for (const digest of [released.single.digest, released.external.digest]) {
        const model = await openModel(pathOf(digest), { ...options, delivery });
        expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
        expect(await model.inputs()).toEqual([{ name: 'x', isTensor: true, type: 'float32', dims: [64] }]);
        expect((await model.outputs())[0]?.name).toBe('y');
        expect(await model.native()).toHaveProperty('inputNames', ['x']);
        await model.close();
      }
    },
  );

  it('removes the copy of a process that died before it could', async () => {
    await leaveFolder(ephemeralDir, 'optimise-model-', '');
    const model = await openModel(released.current, options);
    expect(await readdir(ephemeralDir)).toHaveLength(1);
    await model.close();
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('removes what it downloaded on close, which may be called twice', async () => {
    const model = await openModel(released.current, options);
    expect(await readdir(ephemeralDir)).toHaveLength(1);
    await model.close();
    await model.close();
    expect(await readdir(ephemeralDir)).toEqual([]);
    await expect(model.run(tinyFeeds())).rejects.toMatchObject({ code: 'model-closed' });
  });

  it('ends a run that has begun before it closes the session', async () => {
    const model = await openModel(released.current, options);
    const native = (await model.native()) as { run: (...inputs: unknown[]) => Promise<unknown> };
    const run = native.run.bind(native);
    const begun = new Promise<void>((resolve) => {
      native.run = (...inputs) => {
        resolve();
        return run(...inputs);
      };
    });
    const running = model.run(tinyFeeds());
    await begun;
    await Promise.all([model.close(), expect(running).resolves.toHaveProperty('y')]);
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('removes what it downloaded when the bytes are not those of the record', async () => {
    const file = pathOf(released.external.digest, 'model.onnx.data');
    await rm(file);
    await writeFile(file, new Uint8Array(256));
    const opening = openModel(pathOf(released.external.digest), { ...options, delivery: 's3-copy' });
    await expect(opening).rejects.toMatchObject({ code: 'download-corrupt' });
    expect(await readdir(ephemeralDir)).toEqual([]);
  });

  it('removes what it downloaded when the engine refuses the model', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refused-'));
    await writeTinyArtifact(folder, { layout: 'external', weightCount: 4 });
    const record = await writeTinyArtifact(folder, { layout: 'single', weightCount: 4 });
    // A record whose entry is no model: the data file of the other layout.
    const data = { path: 'model.onnx.data', sizeBytes: 16 };
    const files = [
      { ...data, sha256: await hashFile(join(folder, data.path), new AbortController().signal) },
    ];
    const wrong = {
      ...record,
      ...{ entry: data.path, files, digest: digestFiles(files), sizeBytes: 16, expandedSizeBytes: 16 },
      expansion: copyingExpansion(files, data.path),
    };
    await writeFile(join(folder, 'artifact.json'), JSON.stringify(wrong));
    await expect(openModel(folder, { ...options, delivery: 's3-copy' })).rejects.toMatchObject({
      code: 'runtime-refused-model',
    });
    expect(await readdir(ephemeralDir)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('refuses an unknown delivery, variant or number, and a source that is a model file', async () => {
    const attempts: [OpenOptions, string][] = [
      [{ delivery: 'post' as 'lazy' }, 'delivery-unknown'],
      [{ variant: 'fp16.single' }, 'variant-missing'],
      [{ threads: 0 }, 'open-option-wrong'],
      [{ concurrency: 1.5 }, 'open-option-wrong'],
    ];
    for (const [wrong, code] of attempts)
      await expect(openModel(released.current, { ...options, ...wrong })).rejects.toMatchObject({ code });
    await expect(openModel('/somewhere/model.onnx', options)).rejects.toMatchObject({
      code: 'model-source-wrong',
    });
    await expect(openModel(join(released.store, 'nothing'), options)).rejects.toMatchObject({
      code: 'no-document-there',
    });
  });
});

describe('the layer delivery', () => {
  it('takes the folder it is told, if it holds the artifact wanted', async () => {
    const layerDir = join(released.store, 'tiny', 'objects', released.external.digest);
    const wanted = { ...options, delivery: 'layer', layerDir } as const;
    await expect(openModel(released.current, wanted)).rejects.toMatchObject({
      code: 'layer-artifact-differs',
      facts: { foundVariant: 'fp32.external', wantedVariant: 'fp32.single' },
    });
    const model = await openModel(released.current, { ...wanted, variant: 'fp32.external' });
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    await model.close();
  });

  it('refuses a folder in which a file has another size', async () => {
    await appendFile(pathOf(released.single.digest, 'model.onnx'), 'x');
    const opening = openModel(released.current, { ...options, delivery: 'layer' });
    await expect(opening).rejects.toMatchObject({ code: 'artifact-wrong' });
  });
});

describe('the lazy delivery', () => {
  it('reads nothing before the first run, not even whether the source exists', async () => {
    const model = await openModel('/nowhere/artifact.json', { ...options, delivery: 'lazy' });
    expect(model).toMatchObject({ delivery: 'lazy', variant: null, release: null });
    const { startMs: _first, ...rest } = model.phases;
    expect(Object.values(rest)).toEqual([null, null, null, null]);
    await expect(model.run(tinyFeeds())).rejects.toMatchObject({ code: 'object-missing' });
  });

  it('writes nothing to disk', async () => {
    const model = await openModel(released.current, { ...options, delivery: 'lazy' });
    await model.run(tinyFeeds());
    expect(await readdir(ephemeralDir)).toEqual([]);
    await model.close();
  });

  it('lets concurrent runs share one load, and calls one of them the first inference', async () => {
    const model = await openModel(released.current, { ...options, delivery: 'lazy' });
    const results = await Promise.all([1, 2, 3].map(() => model.run(tinyFeeds())));
    for (const result of results) expect(result.y?.data).toEqual(sums);
    expect(logs).toHaveLength(1);
    await model.close();
  });

  it('tries again after a load that failed, and measures the new try by itself', async () => {
    const model = await openModel(pathOf(released.single.digest), { ...options, delivery: 'lazy' });
    const record = await readFile(pathOf(released.single.digest));
    await rm(pathOf(released.single.digest));
    await expect(model.run(tinyFeeds())).rejects.toMatchObject({ code: 'object-missing' });
    expect(model.phases.downloadMs).toBeNull();
    await writeFile(pathOf(released.single.digest), record);
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    expect(logs.map((log) => [log.status, log.error?.code])).toEqual([
      ['failed', 'object-missing'],
      ['ready', undefined],
    ]);
    await model.close();
  });

  it('sees on the next try what has been published meanwhile, and begins its clock anew', async () => {
    const model = await openModel(released.current, { ...options, delivery: 'lazy' });
    await writeFile(pathOf(released.single.digest, 'model.onnx'), 'damaged');
    await expect(model.run(tinyFeeds())).rejects.toMatchObject({ code: 'download-corrupt' });
    expect(logs[0]).toMatchObject({ status: 'failed', release: 'r1', variantId: 'fp32.single' });
    expect(model.phases).toMatchObject({ startMs: null, runtimeMs: null, downloadMs: null });
    const release = JSON.parse(await readFile(released.pinned, 'utf8'));
    const { digest, variant } = released.external;
    release.chosen = { ...release.chosen, digest, variantId: variant.id };
    await writeFile(released.pinned, JSON.stringify(release));
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    expect(model.variant?.id).toBe('fp32.external');
    await model.close();
  });

  it('says what to do where the engine opens external data from files only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'branching-'));
    await writeTinyArtifact(folder, { layout: 'external', isInBody: true });
    const fromFiles = await openModel(folder, { ...options, delivery: 's3-copy' });
    expect((await fromFiles.run(tinyFeeds())).y?.data).toEqual(sums);
    await fromFiles.close();
    const fromMemory = await openModel(folder, { ...options, delivery: 'lazy' });
    await expect(fromMemory.run(tinyFeeds())).rejects.toMatchObject({
      code: 'external-refused-from-memory',
      facts: { variant: 'fp32.external', engine: 'onnxruntime' },
    });
    await rm(folder, { recursive: true });
  });

  it('runs nothing on a session that was closed while it was loaded', async () => {
    const model = await openModel(released.current, { ...options, delivery: 'lazy' });
    const running = model.run(tinyFeeds());
    const asking = model.native();
    const closing = model.close();
    await expect(running).rejects.toMatchObject({ code: 'model-closed' });
    await expect(asking).rejects.toMatchObject({ code: 'model-closed' });
    await closing;
  });

  it('is what a release chose still after a load that failed, with variant and release', async () => {
    const lazily = await writeReleasedModel('lazy');
    const file = join(lazily.store, 'tiny', 'objects', lazily.single.digest, 'model.onnx');
    const model = await openModel(lazily.current, options);
    await rename(file, `${file}.away`);
    await expect(model.run(tinyFeeds())).rejects.toMatchObject({ code: 'object-missing' });
    const chosen = { delivery: 'lazy', release: 'r1', variant: { id: 'fp32.single' } };
    expect(model).toMatchObject(chosen);
    await rename(`${file}.away`, file);
    expect((await model.run(tinyFeeds())).y?.data).toEqual(sums);
    expect(model).toMatchObject(chosen);
    expect(logs.map(({ status, delivery }) => [status, delivery])).toEqual([
      ['failed', 'lazy'],
      ['ready', 'lazy'],
    ]);
    await model.close();
    await rm(lazily.store, { recursive: true });
  });

  it('is what a release can choose too: then its records are read at once, and nothing else', async () => {
    const lazily = await writeReleasedModel('lazy');
    const model = await openModel(lazily.current, options);
    expect(model).toMatchObject({ delivery: 'lazy', release: 'r1', variant: { id: 'fp32.single' } });
    expect(model.phases).toMatchObject({ runtimeMs: null, sessionMs: null });
    await model.close();
    await rm(lazily.store, { recursive: true });
  });
});

describe('what the loader says of a cold start', () => {
  it.each([
    'https://user:s3cr3t@localhost:1/vit/current.json',
    'https://user:s3cr3t@localhost:1/vit/model.onnx',
    'https://localhost:1/vit/current.json?X-Amz-Signature=s3cr3t',
    's3://bucket/vit/current.json?X-Amz-Signature=s3cr3t',
  ])('holds nothing secret of %s, nor does the error', async (source) => {
    const failure = await catchError(() => openModel(source, options));
    expect(logs).toHaveLength(1);
    for (const text of [JSON.stringify(logs), failure.message, failure.remedy, JSON.stringify(failure.facts)])
      expect(text).not.toContain('s3cr3t');
  });

  it('is one record with every phase, after the first inference', async () => {
    const model = await openModel(released.current, options);
    expect(model.phases.firstInferenceMs).toBeNull();
    expect(logs).toEqual([]);
    await model.run(tinyFeeds());
    await model.run(tinyFeeds());
    expect(logs).toHaveLength(1);
    expect(logs[0]?.phases).toEqual(model.phases);
    const { startMs: _first, ...rest } = model.phases;
    for (const spentMs of Object.values(rest)) expect(spentMs).toBeGreaterThan(0);
    expect(logs[0]).toMatchObject({
      status: 'ready',
      engine: 'onnxruntime',
      variantId: 'fp32.single',
      error: null,
    });
    await model.close();
  });

  it('does not take feeds that do not fit for the first inference', async () => {
    const model = await openModel(released.current, options);
    await expect(model.run({})).rejects.toMatchObject({ code: 'feed-wrong' });
    expect(model.phases.firstInferenceMs).toBeNull();
    await model.run(tinyFeeds());
    expect(model.phases.firstInferenceMs).toBeGreaterThan(0);
    await model.close();
  });

  it('is also said of a failure, with what is known and no phase that did not end', async () => {
    await expect(openModel(join(released.store, 'x', 'artifact.json'), options)).rejects.toThrow();
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatchObject({ status: 'failed', sums: null, error: { code: 'object-missing' } });
    expect(logs[0]?.phases).toMatchObject({ downloadMs: null, sessionMs: null });
  });
});
