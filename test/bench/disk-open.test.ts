import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { deviceGround, findDevice, splitDevice } from '../../src/bench/disk/find-device.js';
import { measureRead } from '../../src/bench/disk/measure-read.js';
import { type DiskGround, limitReads, openDisk, readDiskGround } from '../../src/bench/disk/open-disk.js';
import type { GroupFiles } from '../../src/bench/profile/group-files.js';
import { launchInGroups } from '../../src/bench/profile/launch-in-groups.js';
import { converseWithChild } from '../../src/lib/converse-with-child.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const { signal } = new AbortController();
const model = { bytesPerSecond: 125 * 2 ** 20 };

/** A kernel that takes every setting, and notes them. */
function fakeKernel(): { files: GroupFiles; groups: Set<string>; written: string[] } {
  const groups = new Set<string>();
  const written: string[] = [];
  return {
    groups,
    written,
    files: {
      make: async (folder) => void groups.add(folder),
      remove: async (folder) => void groups.delete(folder),
      list: async () => [],
      read: async () => 'io',
      write: async (path, text) =>
        void written.push(`${path.replace(/optimise-model-[^/]*/, 'GROUP')} ${text}`),
    },
  };
}

/** A machine whose device with the folder's number is a part of the disk 8:0. */
async function fakeMachine(over: Partial<DiskGround>) {
  const folder = await tempFolder();
  const sysFolder = join(folder, 'sys');
  await mkdir(join(sysFolder, 'dev', 'block'), { recursive: true });
  await mkdir(join(sysFolder, 'disk', 'part'), { recursive: true });
  await writeFile(join(sysFolder, 'disk', 'dev'), '8:0\n');
  await writeFile(join(sysFolder, 'disk', 'part', 'partition'), '1\n');
  const { dev } = await stat(folder, { bigint: true });
  await symlink(join(sysFolder, 'disk', 'part'), join(sysFolder, 'dev', 'block', splitDevice(dev)));
  const kernel = fakeKernel();
  const ground: DiskGround = {
    cgroupRoot: '/fake',
    cgroupText: '7:blkio:/\n',
    files: kernel.files,
    devices: { sysFolder, mountinfoPath: join(folder, 'none') },
    findDevice,
    temporaryFolder: '/proc',
    mayJoin: () => Promise.resolve(true),
    measureRead: () => Promise.resolve(model.bytesPerSecond * 1.04),
    ...over,
  };
  return { folder, kernel, ground };
}

/** What is below a folder of this name is on another disk. */
const findEither: DiskGround['findDevice'] = async (path, devices) =>
  path.includes('second') ? '9:0' : findDevice(path, devices);

async function makeSecond(folder: string): Promise<string> {
  const second = join(folder, 'second', 'artifact');
  await mkdir(second, { recursive: true });
  return second;
}

describe('openDisk', () => {
  it('limits the whole disk by the block controller, says what the check saw, and removes the group', async () => {
    const { folder, kernel, ground } = await fakeMachine({});
    const opened = await openDisk(model, [folder], ground, signal);
    expect(kernel.written).toEqual(['/fake/blkio/GROUP/blkio.throttle.read_bps_device 8:0 131072000']);
    expect(opened.groups).toEqual([...kernel.groups]);
    expect(opened.disk).toEqual({
      bytesPerSecond: model.bytesPerSecond,
      enforcement: 'cgroup-v1',
      label: 'disk held to 125 MiB/s by control group v1; checked: 130 MiB/s',
    });
    expect(opened.findings).toEqual([]);
    await opened.close();
    expect(kernel.groups.size).toBe(0);
  });

  it('uses version 2 where that is what there is', async () => {
    const { folder, kernel, ground } = await fakeMachine({ cgroupText: '0::/a\n' });
    const opened = await openDisk(model, [folder], ground, signal);
    expect(kernel.written).toEqual(['/fake/a/GROUP/io.max 8:0 rbps=131072000']);
    expect(opened.disk.enforcement).toBe('cgroup-v2');
  });

  it.each([
    ['the check reads faster', { measureRead: () => Promise.resolve(9e8) }, /858.3 MiB\/s/],
    ['the check reads slower', { measureRead: () => Promise.resolve(5e7) }, /47.68 MiB\/s/],
    ['nothing can be evicted', { measureRead: () => Promise.resolve(null) }, /page cache/],
    ['nothing can be written', { measureRead: () => Promise.reject(new Error('EROFS')) }, /EROFS/],
    ['no process may join', { mayJoin: () => Promise.resolve(false) }, /may not be moved/],
    ['there is no block controller', { cgroupText: '' }, /no block controller/],
  ])('leaves the disk as it is when %s, says so and keeps no group', async (_what, over, reason) => {
    const { folder, kernel, ground } = await fakeMachine(over);
    const opened = await openDisk(model, [folder], ground, signal);
    expect(opened.disk).toEqual({
      bytesPerSecond: null,
      enforcement: 'none',
      label: 'disk as it is, not enforced',
    });
    expect(opened.findings).toMatchObject([
      {
        code: 'bench-disk-not-enforced',
        severity: 'warning',
        facts: {
          askedBytesPerSecond: model.bytesPerSecond,
          folder,
          reason: expect.stringMatching(reason),
        },
      },
    ]);
    expect(opened.groups).toEqual([]);
    expect(kernel.groups.size).toBe(0);
  });

  it('takes the check that shows the limit when others used the disk before', async () => {
    const rates = [5e7, 1.3e8];
    const { folder, ground } = await fakeMachine({ measureRead: () => Promise.resolve(rates.shift() ?? 0) });
    expect((await openDisk(model, [folder], ground, signal)).disk.enforcement).toBe('cgroup-v1');
  });

  it('writes the file of the check outside the artifact, on the same disk', async () => {
    const folders: string[] = [];
    const note: DiskGround['measureRead'] = (folder) => {
      folders.push(folder);
      return Promise.resolve(model.bytesPerSecond);
    };
    const { folder, ground } = await fakeMachine({ measureRead: note });
    await openDisk(model, [folder], ground, signal);
    await openDisk(model, [folder], { ...ground, temporaryFolder: tmpdir() }, signal);
    expect(folders).toEqual([dirname(folder), tmpdir()]);
  });

  it('limits every disk that is read from, and checks each', async () => {
    const { folder, kernel, ground } = await fakeMachine({ findDevice: findEither });
    const second = await makeSecond(folder);
    const read: string[] = [];
    const measureRead: DiskGround['measureRead'] = (where) => {
      read.push(where);
      return Promise.resolve(model.bytesPerSecond);
    };
    const opened = await openDisk(
      model,
      [folder, join(folder, 'sys'), second],
      { ...ground, measureRead },
      signal,
    );
    expect(kernel.written).toEqual([
      '/fake/blkio/GROUP/blkio.throttle.read_bps_device 8:0 131072000',
      '/fake/blkio/GROUP/blkio.throttle.read_bps_device 9:0 131072000',
    ]);
    expect(read).toEqual([dirname(folder), expect.stringContaining('second')]);
    expect(opened.disk.label).toBe(
      '2 disks, each held to 125 MiB/s by control group v1; checked: 125 MiB/s, 125 MiB/s',
    );
    expect(opened).toMatchObject({ findings: [], unheldFolders: [] });
  });

  it('holds none where one does not hold, and names each', async () => {
    const { folder, kernel, ground } = await fakeMachine({ findDevice: findEither });
    const second = await makeSecond(folder);
    const measureRead: DiskGround['measureRead'] = (where) =>
      Promise.resolve(where.includes('second') ? 9e8 : model.bytesPerSecond);
    const opened = await openDisk(model, [folder, second], { ...ground, measureRead }, signal);
    expect(opened.disk.enforcement).toBe('none');
    expect(opened.unheldFolders).toEqual([folder, second]);
    expect(opened.findings.map(({ facts }) => facts.folder)).toEqual([second, folder]);
    expect(kernel.groups.size).toBe(0);
  });

  it('names a folder that is on no disk beside those that are held', async () => {
    const { folder, ground } = await fakeMachine({});
    const opened = await openDisk(model, [folder, '/proc'], ground, signal);
    expect(opened.disk.enforcement).toBe('cgroup-v1');
    expect(opened.unheldFolders).toEqual(['/proc']);
    expect(opened.findings).toMatchObject([{ code: 'bench-disk-not-enforced', facts: { folder: '/proc' } }]);
  });

  it('has nothing to say of a disk that is to be left as it is', async () => {
    const { folder, ground } = await fakeMachine({});
    const opened = await openDisk(null, [folder], ground, signal);
    expect([opened.disk.label, opened.groups, opened.findings]).toEqual(['disk as it is', [], []]);
  });

  it('removes the group when it is told to stop', async () => {
    const abort = new AbortController();
    const { folder, kernel, ground } = await fakeMachine({
      measureRead: () => {
        abort.abort(new Error('stop'));
        return Promise.reject(new Error('killed'));
      },
    });
    await expect(openDisk(model, [folder], ground, abort.signal)).rejects.toThrow('stop');
    expect(kernel.groups.size).toBe(0);
  });
});

describe('findDevice', () => {
  it('finds none below memory', async () => {
    const { folder, ground } = await fakeMachine({});
    expect(await findDevice(folder, ground.devices)).toBe('8:0');
    expect(await findDevice('/proc', ground.devices)).toBeNull();
    expect(splitDevice(0xfe00n)).toBe('254:0');
    expect(splitDevice(0x1234_5678_9abc_def0n)).toBe('305421534:1737075696');
  });
});

describe('openDisk on this machine', () => {
  /** Control groups belong to the machine: where they may not be written the test is skipped, in CI too. */
  async function openReal(context: TestContext, folder: string) {
    const ground = { ...readDiskGround(), measureRead: () => Promise.resolve(model.bytesPerSecond) };
    const opened = await openDisk(model, [folder], ground, signal);
    context.onTestFinished(() => opened.close());
    const [finding] = opened.findings;
    if (finding !== undefined) context.skip(`reads cannot be limited here: ${finding.what}`);
    return opened;
  }

  it('starts a process inside the limit of the disk its files are on', async (context) => {
    const folder = await tempFolder();
    const { groups, disk } = await openReal(context, folder);
    const device = await findDevice(folder, deviceGround);
    const isV1 = disk.enforcement === 'cgroup-v1';
    const text = await readFile(
      join(groups[0] ?? '', isV1 ? 'blkio.throttle.read_bps_device' : 'io.max'),
      'utf8',
    );
    expect(text).toContain(isV1 ? `${device} 131072000` : `${device} rbps=131072000`);
    const program = join(folder, 'child.mjs');
    await writeFile(
      program,
      `import { readFileSync } from 'node:fs';
       process.send(readFileSync('/proc/self/cgroup', 'utf8'), () => process.disconnect());`,
    );
    const launcher = launchInGroups(groups, (start) => start());
    const conversation = { program, args: [], request: null, timeoutMs: 60_000, signal, launcher };
    const { answer } = await converseWithChild<string>(conversation);
    expect(answer).toContain(groups[0]?.slice(groups[0].lastIndexOf('/')));
  });

  it('measures a read and leaves no file behind', async () => {
    const folder = await tempFolder();
    const seen = await measureRead(folder, 2 ** 20, [], signal);
    expect(seen === null || seen > 0).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('limitReads', () => {
  it('writes whole bytes, as the kernel wants them', () => {
    const { v1, v2 } = limitReads(['8:16'], 1_000_000.6);
    expect(v1.settings[0]?.text).toBe('8:16 1000001');
    expect(v2.settings[0]?.text).toBe('8:16 rbps=1000001');
  });
});
