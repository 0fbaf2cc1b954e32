import { chmod, mkdir, readdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ColdStartLog, type OpenOptions, openModel } from '../../src/loader/index.js';
import {
  type KeptPlace,
  makeFilesFolder,
  noteFiles,
  removeWhileShort,
  sweepFiles,
  takeOverFiles,
} from '../../src/loader/kept-files.js';
import { tinyFeeds } from '../fixtures/artifact-folder.js';
import { nameOfDead } from '../fixtures/left-behind.js';
import { writeReleasedModel } from '../fixtures/released-model.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const temporaryFolder = useTempFolder();
const files = [
  { path: 'model.onnx', sizeBytes: 5 },
  { path: 'data/weights', sizeBytes: 3 },
];
let place: KeptPlace;

beforeEach(async () => {
  place = { parent: await temporaryFolder(), digest: 'a'.repeat(64), form: 'own' };
});

/** Gives a folder of this process to one that has died. */
async function dieWith(folder: string): Promise<string> {
  const prefix = /^optimise-model-[0-9a-f]{64}-(expanded-)?/.exec(basename(folder))?.[0] ?? '';
  const dead = join(place.parent, nameOfDead(prefix, ''));
  await rename(folder, dead);
  return dead;
}

/** What a process leaves that dies after it has verified its files. */
async function leaveVerified(of: KeptPlace = place): Promise<string> {
  const folder = await makeFilesFolder(of);
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'model.onnx'), 'model');
  await writeFile(join(folder, 'data/weights'), 'www');
  await noteFiles(folder, files);
  return dieWith(folder);
}

describe('files that a dead process had verified', () => {
  it('are taken over where they are unchanged, and are nobody else’s then', async () => {
    const left = await leaveVerified();
    const { ino } = await stat(join(left, 'model.onnx'));
    const mine = (await takeOverFiles(place, files)) ?? '';
    expect(await readFile(join(mine, 'data/weights'), 'utf8')).toBe('www');
    expect(await stat(join(mine, 'model.onnx'))).toMatchObject({ ino, nlink: 1 });
    expect(await takeOverFiles(place, files)).toBeUndefined();
    expect(await readdir(place.parent)).toEqual([basename(mine)]);
  });

  it('are each taken over by one of several that want them', async () => {
    await leaveVerified();
    const taken = await Promise.all([1, 2, 3].map(() => takeOverFiles(place, files)));
    expect(taken.filter((folder) => folder !== undefined)).toHaveLength(1);
  });

  it.each<[string, (left: string) => Promise<unknown>]>([
    ['has another size', (left) => writeFile(join(left, 'model.onnx'), 'longer')],
    ['was written to', (left) => utimes(join(left, 'model.onnx'), 1, 1)],
    ['is another file', (left) => replaceFile(join(left, 'model.onnx'))],
    ['is a link', (left) => replaceByLink(join(left, 'model.onnx'))],
    ['was never verified', (left) => writeFile(join(left, 'optimise-model-kept.json'), '[]')],
  ])('are removed when one of them %s', async (_what, change) => {
    await change(await leaveVerified());
    expect(await takeOverFiles(place, files)).toBeUndefined();
    expect(await readdir(place.parent)).toEqual([]);
  });

  it('are left alone in a folder that others may write to', async () => {
    await chmod(await leaveVerified(), 0o777);
    expect(await takeOverFiles(place, files)).toBeUndefined();
  });

  it('are those of the same form of the same artifact', async () => {
    await leaveVerified({ ...place, form: 'expanded' });
    await leaveVerified({ ...place, digest: 'b'.repeat(64) });
    expect(await takeOverFiles(place, files)).toBeUndefined();
    expect(await takeOverFiles({ ...place, form: 'expanded' }, files)).toBeDefined();
  });

  it('are not taken from a process that lives', async () => {
    const folder = await makeFilesFolder(place);
    await noteFiles(folder, []);
    expect(await takeOverFiles(place, [])).toBeUndefined();
  });

  it('go as soon as space is short, and after a day', async () => {
    await leaveVerified();
    await removeWhileShort(place.parent, async () => false);
    await sweepFiles(place.parent);
    expect(await readdir(place.parent)).toHaveLength(1);
    await removeWhileShort(place.parent, async () => true);
    expect(await readdir(place.parent)).toEqual([]);
    await utimes(join(await leaveVerified(), 'optimise-model-kept.json'), 1, 1);
    await sweepFiles(place.parent);
    expect(await readdir(place.parent)).toEqual([]);
  });

  it('are left alone where it cannot be seen whether their process lives, and go after a day', async () => {
    const left = await leaveVerified();
    const elsewhere = left.replace(/-[0-9a-f]{16}-([0-9a-f]{8})$/, '-0123456789abcdef-$1');
    await rename(left, elsewhere);
    await sweepFiles(place.parent);
    await removeWhileShort(place.parent, async () => true);
    expect(await takeOverFiles(place, files)).toBeUndefined();
    expect(await readdir(place.parent)).toEqual([basename(elsewhere)]);
    await utimes(join(elsewhere, 'optimise-model-kept.json'), 1, 1);
    await sweepFiles(place.parent);
    expect(await readdir(place.parent)).toEqual([basename(elsewhere)]);
    await utimes(elsewhere, 1, 1);
    await sweepFiles(place.parent);
    expect(await readdir(place.parent)).toEqual([]);
  });

  it('go after a day when space is short too, whoever left them', async () => {
    const left = await leaveVerified();
    const elsewhere = left.replace(/-[0-9a-f]{16}-([0-9a-f]{8})$/, '-0123456789abcdef-$1');
    await rename(left, elsewhere);
    await utimes(elsewhere, 1, 1);
    await removeWhileShort(place.parent, async () => true);
    expect(await readdir(place.parent)).toEqual([]);
  });

  it('have a day again once they are taken over', async () => {
    await utimes(await leaveVerified(), 1, 1);
    const mine = (await takeOverFiles(place, files)) ?? '';
    expect((await stat(mine)).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });

  it('are not what a process left half done: that goes at once', async () => {
    await dieWith(await makeFilesFolder(place));
    await sweepFiles(place.parent);
    expect(await readdir(place.parent)).toEqual([]);
  });
});

describe('opening a model after a crash', () => {
  it.each(['s3-copy', 'stream', 'url', 'mount'] as const)(
    'takes over by %s what was brought, and says so',
    async (delivery) => {
      const released = await writeReleasedModel('s3-copy', 1);
      const logs: ColdStartLog[] = [];
      const ephemeralDir = place.parent;
      const options: OpenOptions = { delivery, ephemeralDir, onLog: (log) => logs.push(log) };
      const first = await openModel(released.current, options);
      await first.run(tinyFeeds());
      const [folder = ''] = await readdir(ephemeralDir);
      await dieWith(join(ephemeralDir, folder));
      const second = await openModel(released.current, options);
      const { y } = await second.run(tinyFeeds());
      expect(y?.data.at(-1)).toBe(64);
      expect(logs.map(({ reused }) => reused)).toEqual([false, true]);
      await second.close();
      expect(await readdir(ephemeralDir)).toEqual([]);
    },
  );
});

async function replaceFile(path: string): Promise<void> {
  const { atime, mtime } = await stat(path);
  await writeFile(`${path}.new`, 'other');
  await utimes(`${path}.new`, atime, mtime);
  await rename(`${path}.new`, path);
}

async function replaceByLink(path: string): Promise<void> {
  await rename(path, `${path}.real`);
  await symlink(`${path}.real`, path);
}
