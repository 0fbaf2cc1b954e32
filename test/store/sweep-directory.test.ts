import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { markName } from '../../src/lib/marked-name.js';
import { defaultObjectSettings } from '../../src/lib/object-settings.js';
import { cleanUploads } from '../../src/stage/clean-uploads.js';
import { openStore } from '../../src/store/open-store.js';
import type { SweepOptions, UploadSweep } from '../../src/store/store.js';
import { nameOfDead } from '../fixtures/left-behind.js';
import { temporaryFolder } from '../fixtures/opaque-artifact.js';

const foldersRead = vi.hoisted((): string[] => []);

/** A superuser may do what permissions forbid; these folders refuse everybody. */
vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  const refuseBelow = (folder: string, path: unknown): void => {
    if (!String(path).includes(`vit/${folder}`)) return;
    throw Object.assign(new Error('refused'), { code: 'EACCES', syscall: 'test' });
  };
  return {
    ...real,
    rm: async (...args: Parameters<typeof real.rm>) => {
      refuseBelow('fixed', args[0]);
      return real.rm(...args);
    },
    readdir: async (...args: Parameters<typeof real.readdir>) => {
      foldersRead.push(String(args[0]));
      refuseBelow('hidden', args[0]);
      return real.readdir(...args);
    },
  };
});

const graceMs = 3_600_000;
let root: string;

beforeEach(async () => {
  root = await temporaryFolder();
});

/** Writes half a file below the store, and says where. */
async function leave(folder: string, name: string, ageMs = 0): Promise<string> {
  const path = join(root, folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'half');
  const at = (Date.now() - ageMs) / 1000;
  await utimes(path, at, at);
  return path;
}

function ofAnotherContainer(target: string): string {
  return `.${target}.17-99-0123456789abcdef-00112233.part`;
}

async function sweep(prefix: string, change: Partial<SweepOptions> = {}): Promise<UploadSweep> {
  const store = await openStore(root);
  const how = { graceMs, lists: true, isDryRun: false, ...change };
  return store.sweepUploads(prefix, how, new AbortController().signal);
}

describe('what dead processes left in a folder store', () => {
  it('is removed, of files and of documents, with the folders that become empty', async () => {
    const part = nameOfDead('.model.onnx.data.', '.part');
    const big = await leave('vit/objects/d1', part);
    const document = await leave('vit', nameOfDead('.current.json.', '.part'));
    const { abandoned, ...rest } = await sweep('');
    expect(abandoned).toContainEqual({
      url: big,
      uploadId: part,
      initiatedAtMs: expect.any(Number),
      reason: 'interrupted',
      refusal: null,
    });
    expect(abandoned.map(({ url }) => url).sort()).toEqual([document, big].sort());
    expect(rest).toEqual({ runningKeys: [], listRefusal: null });
    expect(await readdir(root)).toEqual([]);
  });

  it('is only named in a dry run', async () => {
    const path = await leave('vit', nameOfDead('.a.', '.part'));
    expect((await sweep('', { isDryRun: true })).abandoned).toMatchObject([{ url: path, refusal: null }]);
    expect(await readdir(join(root, 'vit'))).toHaveLength(1);
  });

  it('stays where the prefix does not reach', async () => {
    await leave('other/objects/d1', nameOfDead('.a.', '.part'));
    const wanted = await leave('vit/objects/d1', nameOfDead('.a.', '.part'));
    expect((await sweep('vit/')).abandoned.map(({ url }) => url)).toEqual([wanted]);
    expect(await readdir(root)).toEqual(['other']);
  });

  it('is looked for, as objects are, in no folder beside or above that of the prefix', async () => {
    const wanted = await leave('vit/objects/d1', nameOfDead('.a.', '.part'));
    await leave('vit/objects/d1', 'model.onnx');
    await leave('vit/objects/d2', 'model.onnx');
    foldersRead.length = 0;
    expect((await sweep('vit/objects/d1/')).abandoned.map(({ url }) => url)).toEqual([wanted]);
    const keys: string[] = [];
    for await (const { key } of (await openStore(root)).list('vit/objects/d1/')) keys.push(key);
    expect(keys).toEqual(['vit/objects/d1/model.onnx']);
    expect(foldersRead).toEqual([dirname(wanted), dirname(wanted)].map((folder) => join(folder, '/')));
  });

  it('goes at the age of the grace when it was made in another container', async () => {
    const old = await leave('vit', ofAnotherContainer('a'), graceMs + 60_000);
    await leave('vit', ofAnotherContainer('b'), graceMs - 60_000);
    const { abandoned, runningKeys } = await sweep('vit/');
    expect(abandoned).toMatchObject([{ url: old, reason: 'old', refusal: null }]);
    expect(runningKeys).toEqual(['vit/b']);
  });

  it('is nothing that a living process writes, that is not ours, or that is no file', async () => {
    await leave('vit', markName({ prefix: '.a.', suffix: '.part' }), graceMs * 100);
    await leave('vit', '.mine.part', graceMs * 100);
    await leave('vit', '.mine.somehow.part', graceMs * 100);
    await leave('vit', 'model.part', graceMs * 100);
    await leave(`vit/${nameOfDead('.fetched.', '.part')}`, nameOfDead('.b.', '.part'));
    expect(await sweep('')).toEqual({ abandoned: [], runningKeys: ['vit/a'], listRefusal: null });
    expect(await readdir(join(root, 'vit'))).toHaveLength(5);
  });

  it('is not looked for without a list, and not in a store that is not there', async () => {
    await leave('vit', nameOfDead('.a.', '.part'));
    expect((await sweep('', { lists: false })).abandoned).toEqual([]);
    root = join(root, 'nowhere');
    expect(await sweep('')).toEqual({ abandoned: [], runningKeys: [], listRefusal: null });
  });

  it('is named with the reason when it cannot be removed or seen', async () => {
    const path = await leave('vit/fixed', nameOfDead('.a.', '.part'));
    await leave('vit/hidden', nameOfDead('.b.', '.part'));
    const { abandoned, listRefusal } = await sweep('');
    expect(abandoned).toMatchObject([{ url: path, refusal: expect.stringContaining(path) }]);
    expect(listRefusal).toContain(join(root, 'vit/hidden'));
  });

  it('is told of without the permissions of a bucket', async () => {
    await leave('vit/fixed', nameOfDead('.a.', '.part'));
    await leave('vit/hidden', nameOfDead('.b.', '.part'));
    const { findings } = await cleanUploads({
      to: root,
      name: 'vit',
      graceMs,
      isDryRun: false,
      settings: defaultObjectSettings,
    });
    expect(findings.map(({ code }) => code)).toEqual(['uploads-left', 'uploads-unknown']);
    for (const { remedy } of findings) expect(remedy).not.toContain('s3:');
  });
});
