import { writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { quietContext } from '../../src/lib/work-context.js';
import { publishRelease } from '../../src/publish/publish-release.js';
import { fetchArtifact } from '../../src/stage/fetch-artifact.js';
import { refuseIfGone } from '../../src/stage/list-present.js';
import { type StageOptions, stageArtifact } from '../../src/stage/stage-artifact.js';
import { stageStep } from '../../src/stage/step.js';
import type { ArtifactRecord } from '../../src/store/artifact-record.js';
import { openStore } from '../../src/store/open-store.js';
import { leaveFolder } from '../fixtures/left-behind.js';
import { recordOf, seededBytes, temporaryFolder, writeOpaqueArtifact } from '../fixtures/opaque-artifact.js';
import { choiceOf, releasedOf } from '../fixtures/opaque-release.js';

const contents = { 'model.onnx': seededBytes(70_000, 5), 'parts/model.data': seededBytes(900_000, 6) };

async function prepare(): Promise<{ folder: string; record: ArtifactRecord; options: StageOptions }> {
  const folder = await temporaryFolder();
  const record = await writeOpaqueArtifact(join(folder, 'artifact'), contents);
  const how = { partSizeBytes: 5 * 1024 ** 2, concurrency: 2, settings: defaultObjectSettings };
  return {
    folder,
    record,
    options: { artifact: join(folder, 'artifact'), to: join(folder, 'store'), name: 'vit', ...how },
  };
}

const reading = { concurrency: 3, partSizeBytes: 100_000 };

describe('staging an artifact', () => {
  it('puts all files side by side under its digest, and the record', async () => {
    const { folder, record, options } = await prepare();
    const result = await stageArtifact(options);
    const base = join(folder, 'store/vit/objects', record.digest);
    expect((await readdir(base)).sort()).toEqual(['artifact.json', 'model.onnx', 'parts']);
    for (const name of ['artifact.json', ...Object.keys(contents)]) {
      expect((await readFile(join(base, name))).equals(await readFile(join(options.artifact, name)))).toBe(
        true,
      );
    }
    expect(result).toMatchObject({
      storeUrl: options.to,
      digest: record.digest,
      variantId: 'fp16-weights.external',
      artifactUrl: join(base, 'artifact.json'),
      reusedBytes: 0,
    });
    expect(result.files.map((file) => file.sent)).toEqual([true, true, true]);
    expect(result.files.at(-1)?.key).toBe(result.artifactKey);
  });

  it('does not send again what is there, and sends what went missing or lost bytes', async () => {
    const { folder, record, options } = await prepare();
    await stageArtifact(options);
    const again = await stageArtifact(options);
    expect(again.files.map((file) => file.sent)).toEqual([false, false, false]);
    expect(again.sentBytes).toBe(0);
    const base = join(folder, 'store/vit/objects', record.digest);
    await rm(join(base, 'model.onnx'));
    await writeFile(join(base, 'parts/model.data'), 'short');
    const third = await stageArtifact(options);
    expect(third.files.map((file) => file.sent)).toEqual([true, true, false]);
    expect((await readFile(join(base, 'model.onnx'))).equals(contents['model.onnx'])).toBe(true);
  });

  it('sends again what was damaged without changing its size', async () => {
    const { folder, record, options } = await prepare();
    await stageArtifact(options);
    const path = join(folder, 'store/vit/objects', record.digest, 'parts/model.data');
    const bytes = await readFile(path);
    bytes[450_000] = (bytes[450_000] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const result = await stageArtifact(options);
    expect(result.files.map((file) => file.sent)).toEqual([false, true, false]);
    expect((await readFile(path)).equals(contents['parts/model.data'])).toBe(true);
  });

  it('sends again, of what an interrupted stage has left, only what is not intact', async () => {
    const { folder, record, options } = await prepare();
    await stageArtifact(options);
    const recordPath = join(folder, 'store/vit/objects', record.digest, 'artifact.json');
    await writeFile(recordPath, '{');
    const [first] = record.files;
    await writeFile(join(dirname(recordPath), first?.path ?? ''), Buffer.alloc(first?.sizeBytes ?? 0));
    const result = await stageArtifact(options);
    expect(result.files.map((file) => file.sent)).toEqual([true, false, true]);
    expect(JSON.parse(await readFile(recordPath, 'utf8'))).toEqual(record);
  });

  it('refuses a record that was replaced while the files were sent', async () => {
    const { folder, record, options } = await prepare();
    const other = await writeOpaqueArtifact(join(folder, 'other'), { 'model.onnx': Buffer.from('another') });
    const recordPath = join(options.artifact, 'artifact.json');
    const replace = () => writeFileSync(recordPath, JSON.stringify(other));
    await stageArtifact(options, { signal: new AbortController().signal, progress: replace });
    const stored = join(folder, 'store/vit/objects', record.digest, 'artifact.json');
    expect(JSON.parse(await readFile(stored, 'utf8'))).toMatchObject({ digest: record.digest });
  });

  it('says so when what it has staged is removed at the same time', async () => {
    const { folder, options } = await prepare();
    const { files } = await stageArtifact(options);
    const store = await openStore(options.to);
    const staged = files.map(({ key }) => key);
    const prefix = dirname(staged[0] ?? '');
    await refuseIfGone(store, prefix, staged, quietContext().signal);
    await rm(join(folder, 'store', staged[0] ?? ''));
    await expect(refuseIfGone(store, prefix, staged, quietContext().signal)).rejects.toMatchObject({
      code: 'staged-gone',
      facts: { keys: [staged[0]] },
    });
  });

  it('says that what is there already keeps its settings', async () => {
    const { options } = await prepare();
    expect((await stageArtifact(options)).findings).toEqual([]);
    const settings = { ...defaultObjectSettings, tags: { team: 'a' } };
    expect((await stageArtifact({ ...options, settings })).findings).toMatchObject([
      { code: 'settings-not-applied', severity: 'warning', facts: { count: 3 } },
    ]);
  });

  it('writes no record when a file is not what the record says', async () => {
    const { folder, record, options } = await prepare();
    const damaged = Buffer.from(contents['model.onnx']);
    damaged[0] = (damaged[0] ?? 0) ^ 1;
    await writeFile(join(options.artifact, 'model.onnx'), damaged);
    await expect(stageArtifact(options)).rejects.toMatchObject({ code: 'artifact-wrong' });
    const left = await readdir(join(folder, 'store/vit/objects', record.digest));
    expect(left).not.toContain('artifact.json');
    expect(left).not.toContain('model.onnx');
  });

  it('reports progress up to the size of the artifact, and stops on the signal', async () => {
    const { options, record } = await prepare();
    const events: number[] = [];
    const progress = (event: { done: number; total?: number }): void => {
      expect(event.total).toBe(record.sizeBytes);
      events.push(event.done);
    };
    await stageArtifact(options, { signal: new AbortController().signal, progress });
    expect(events.at(-1)).toBe(record.sizeBytes);
    const stopped = { signal: AbortSignal.abort(), progress };
    await expect(stageArtifact({ ...options, name: 'other' }, stopped)).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('lets two stage the same artifact at the same time', async () => {
    const { options } = await prepare();
    const results = await Promise.all([stageArtifact(options), stageArtifact(options)]);
    expect(results[0]?.artifactUrl).toBe(results[1]?.artifactUrl);
  });

  it('is still done as a step while every object has its size and content', async () => {
    const { folder, record, options } = await prepare();
    const step = stageStep({ ...options, digest: record.digest, variantId: record.variant.id });
    const context = { signal: new AbortController().signal, progress: () => undefined };
    const { output, line } = await step.call(context);
    expect(line).toMatch(/\b948\.\d KiB/);
    expect(await step.ensures(output, context)).toBe(true);
    const path = join(folder, 'store/vit/objects', record.digest, 'model.onnx');
    await writeFile(path, Buffer.alloc(contents['model.onnx'].length));
    expect(await step.ensures(output, context)).toBe(false);
    await writeFile(path, 'short');
    expect(await step.ensures(output, context)).toBe(false);
    await rm(path);
    expect(await step.ensures(output, context)).toBe(false);
    await stageArtifact(options);
    expect(await step.ensures(output, context)).toBe(true);
    await writeFile(join(folder, 'store/vit/objects', record.digest, 'artifact.json'), '{');
    expect(await step.ensures(output, context)).toBe(false);
  });

  it('stops looking whether it is still done on the signal', async () => {
    const { record, options } = await prepare();
    const step = stageStep({ ...options, digest: record.digest, variantId: record.variant.id });
    const { output } = await step.call(quietContext());
    const stopped = { ...quietContext(), signal: AbortSignal.abort() };
    await expect(step.ensures(output, stopped)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('fetching an artifact', () => {
  it('gives a folder that is byte for byte the staged one, and reuses it', async () => {
    const { folder, options, record } = await prepare();
    const { artifactUrl } = await stageArtifact(options);
    const to = join(folder, 'fetched');
    const result = await fetchArtifact({ url: artifactUrl, to, ...reading });
    expect(result).toMatchObject({ folder: to, digest: record.digest, release: null, reused: false });
    expect(result.bytesPerSecond).toBeGreaterThan(0);
    for (const name of ['artifact.json', ...Object.keys(contents)]) {
      expect((await readFile(join(to, name))).equals(await readFile(join(options.artifact, name)))).toBe(
        true,
      );
    }
    expect((await readdir(folder)).sort()).toEqual(['artifact', 'fetched', 'store']);
    const again = await fetchArtifact({ url: artifactUrl, to, ...reading });
    expect(again).toMatchObject({ reused: true, bytesPerSecond: null });
  });

  it('removes what a fetch that was killed left beside the same folder', async () => {
    const { folder, options } = await prepare();
    await leaveFolder(folder, '.fetched.', '.part');
    await fetchArtifact({ url: options.artifact, to: join(folder, 'fetched'), ...reading });
    expect((await readdir(folder)).sort()).toEqual(['artifact', 'fetched']);
  });

  it('says in whole sentences what else the folder holds', async () => {
    const { folder, options } = await prepare();
    const to = join(folder, 'mine');
    await writeOpaqueArtifact(to, { 'model.onnx': Buffer.from('another') });
    await rm(join(to, 'model.onnx'));
    const told = async (): Promise<string> =>
      fetchArtifact({ url: options.artifact, to, ...reading }).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await told()).toMatch(/model\.onnx is missing\. It was not touched\.$/);
    await rename(join(to, 'artifact.json'), join(to, 'other.json'));
    expect(await told()).toContain('holds something else: 1 file or folder, no artifact.json. It');
    await writeFile(join(to, 'model.onnx'), 'mine');
    expect(await told()).toContain('holds something else: 2 files or folders, no artifact.json. It');
  });

  it('refuses a folder with anything else in it, and does not touch it', async () => {
    const { folder, options } = await prepare();
    const { artifactUrl } = await stageArtifact(options);
    const to = join(folder, 'mine');
    await writeOpaqueArtifact(to, { 'model.onnx': Buffer.from('another') });
    await expect(fetchArtifact({ url: artifactUrl, to, ...reading })).rejects.toMatchObject({
      code: 'fetch-target-differs',
      exitCode: 2,
    });
    await writeFile(join(to, 'model.onnx'), 'damaged');
    await expect(fetchArtifact({ url: artifactUrl, to, ...reading })).rejects.toMatchObject({
      code: 'fetch-target-differs',
    });
    expect(await readFile(join(to, 'model.onnx'), 'utf8')).toBe('damaged');
    await expect(
      fetchArtifact({ url: artifactUrl, to: join(to, 'model.onnx'), ...reading }),
    ).rejects.toMatchObject({ code: 'fetch-target-differs' });
  });

  it('leaves nothing when an object is damaged in the store', async () => {
    const { folder, options, record } = await prepare();
    const { artifactUrl } = await stageArtifact(options);
    const path = join(folder, 'store/vit/objects', record.digest, 'parts/model.data');
    const bytes = await readFile(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(path, bytes);
    await expect(
      fetchArtifact({ url: artifactUrl, to: join(folder, 'new'), ...reading }),
    ).rejects.toMatchObject({
      code: 'download-corrupt',
      facts: { url: path, problem: 'its SHA-256' },
    });
    expect((await readdir(folder)).sort()).toEqual(['artifact', 'store']);
  });

  it('refuses a store whose record is of another artifact than the release says', async () => {
    const { folder, options, record } = await prepare();
    await stageArtifact(options);
    const about = { name: 'vit', reason: 'the fastest', to: 'current' as const, now: new Date() };
    const released = { chosen: choiceOf(record), artifacts: [releasedOf(record)] };
    const { currentUrl } = await publishRelease({ storeUrl: options.to, ...released, ...about });
    const other = recordOf({ 'model.onnx': Buffer.from('other') });
    await writeFile(join(folder, 'store/vit/objects', record.digest, 'artifact.json'), JSON.stringify(other));
    const to = join(folder, 'new');
    await expect(fetchArtifact({ url: currentUrl, to, ...reading })).rejects.toMatchObject({
      code: 'download-corrupt',
      facts: { expected: record.digest, seen: other.digest },
    });
  });

  it('says so when the address leads to nothing or to something else', async () => {
    const { folder, options } = await prepare();
    await stageArtifact(options);
    const to = join(folder, 'new');
    const url = join(folder, 'store/vit/current.json');
    await expect(fetchArtifact({ url, to, ...reading })).rejects.toMatchObject({ code: 'object-missing' });
    const file = join(options.artifact, 'model.onnx');
    for (const other of [file, options.to, join(options.to, 'vit'), join(folder, 'gone')]) {
      await expect(fetchArtifact({ url: other, to, ...reading })).rejects.toMatchObject({
        code: 'no-document-there',
        exitCode: 2,
        remedy: expect.stringContaining('current.json'),
      });
    }
  });

  it.each(['', 's3://', 'https://host/a?sig=s3cr3t'])('refuses what is no address: %j', async (url) => {
    const to = join(await temporaryFolder(), 'new');
    const refusal = fetchArtifact({ url, to, ...reading });
    await expect(refusal).rejects.toMatchObject({
      code: 'store-url-wrong',
      facts: { url: expect.not.stringMatching(/json|s3cr3t/) },
    });
  });

  it('takes the folder of a model or of an artifact for the document that it holds', async () => {
    const { folder, options, record } = await prepare();
    const { artifactUrl } = await stageArtifact(options);
    const about = { name: 'vit', reason: 'the fastest', to: 'current' as const, now: new Date() };
    const released = { chosen: choiceOf(record), artifacts: [releasedOf(record)] };
    const { release } = await publishRelease({ storeUrl: options.to, ...released, ...about });
    const fetchTo = (url: string, name: string) => fetchArtifact({ url, to: join(folder, name), ...reading });
    expect(await fetchTo(join(options.to, 'vit'), 'a')).toMatchObject({ release, digest: record.digest });
    expect(await fetchTo(`${join(options.to, 'vit')}/`, 'a')).toMatchObject({ release, reused: true });
    expect(await fetchTo(dirname(artifactUrl), 'b')).toMatchObject({ release: null, digest: record.digest });
    expect(await fetchTo(options.artifact, 'c')).toMatchObject({ release: null, digest: record.digest });
  });
});
