import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { readCpuEnvironment } from '../../lib/cpu-quota.js';
import { type Finding, makeFinding } from '../../messages/finding.js';
import type { DiskModel } from '../bench-options.js';
import type { BenchDisk } from '../bench-result.js';
import { type GroupFiles, groupFiles } from '../profile/group-files.js';
import type { GroupLimit } from '../profile/group-limit.js';
import { mayJoin } from '../profile/launch-in-groups.js';
import { removeGroup } from '../profile/make-group.js';
import { type OpenedGroups, openGroups } from '../profile/open-groups.js';
import { checkDisk, printRate } from './check-disk.js';
import { type DeviceGround, type DeviceNumber, deviceGround, findDevice } from './find-device.js';
import { measureRead } from './measure-read.js';

/** A disk that samples read from. */
export type OpenedDisk = {
  readonly disk: BenchDisk;
  /** Folders of control groups that the process of a sample must join to be held to it. */
  readonly groups: readonly string[];
  /** Those of the folders whose files come as fast as they can although another rate is stated. */
  readonly unheldFolders: readonly string[];
  /** `bench-disk-not-enforced` of each such folder or its disk. */
  readonly findings: readonly Finding[];
  /** Removes the groups; processes in them have ended. */
  close(): Promise<void>;
};

/** What a disk's limit stands on; a test puts its own in. */
export type DiskGround = {
  readonly cgroupRoot: string;
  readonly cgroupText: string;
  readonly files: GroupFiles;
  readonly devices: DeviceGround;
  readonly findDevice: typeof findDevice;
  /** Where the file of the check goes if it is on the same disk. */
  readonly temporaryFolder: string;
  readonly mayJoin: (groups: readonly string[]) => Promise<boolean>;
  readonly measureRead: typeof measureRead;
};

/**
 * Looks what a disk's limit can stand on here.
 *
 * @returns The control groups and devices of this machine.
 */
export function readDiskGround(): DiskGround {
  const { cgroupRoot, cgroupText } = readCpuEnvironment();
  const shared = { files: groupFiles, devices: deviceGround, findDevice, mayJoin, measureRead };
  const temporaryFolder = tmpdir();
  return { cgroupRoot, cgroupText: cgroupText ?? '', temporaryFolder, ...shared };
}

/**
 * Limits what disks give to one group of processes.
 *
 * @param devices - The whole disks.
 * @param bytesPerSecond - What is read from each of them at most.
 * @returns The limit.
 * @see https://docs.kernel.org/admin-guide/cgroup-v1/blkio-controller.html
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html (io.max)
 */
export function limitReads(devices: readonly DeviceNumber[], bytesPerSecond: number): GroupLimit {
  const rate = Math.round(bytesPerSecond);
  const settings = (file: string, print: (device: DeviceNumber) => string) =>
    devices.map((device) => ({ file, text: print(device), isNeeded: true }));
  return {
    v1: {
      controller: 'blkio',
      settings: settings('blkio.throttle.read_bps_device', (device) => `${device} ${rate}`),
    },
    v2: { controller: 'io', settings: settings('io.max', (device) => `${device} rbps=${rate}`) },
  };
}

/** A disk, and one of the folders on it. */
type FoundDisk = { readonly device: DeviceNumber; readonly folder: string };

/**
 * Holds what samples read from this machine's disks to a stated throughput, and checks of each that it holds: a temporary
 * file is written, made to leave the page cache, and read inside the limit.
 *
 * @param model - The disk to imitate; null for the disks as they are.
 * @param folders - Where the files are that samples read, each once. The check writes its own file elsewhere on the same
 *   disk, if it can.
 * @param ground - What it stands on.
 * @param signal - Ends the check.
 * @returns The disks, to be closed; the label says how they were held, or that they were not. All of them are held, or
 *   none: rows of one benchmark stand beside each other.
 * @throws The signal's reason.
 */
export async function openDisk(
  model: DiskModel | null,
  folders: readonly string[],
  ground: DiskGround,
  signal: AbortSignal,
): Promise<OpenedDisk> {
  if (model === null) return leaveAsIs([], []);
  const found = await findDisks(folders, ground);
  const loose = found.flatMap(({ folder, device }) => (device === null ? [folder] : []));
  const disks = found.flatMap(({ folder, device }) => (device === null ? [] : [{ folder, device }]));
  const distinct = disks.filter(({ device }, at) => disks.findIndex((each) => each.device === device) === at);
  const describe = (folder: string, reason: string) =>
    makeFinding('warning', 'bench-disk-not-enforced', {
      ...{ askedBytesPerSecond: model.bytesPerSecond, folder, reason },
    });
  const findings = loose.map((folder) => describe(folder, 'it is on no disk of this machine'));
  const held = distinct.length === 0 ? null : await holdDisks(model, distinct, ground, signal);
  if (held === null) return leaveAsIs(findings, folders);
  if ('reason' in held) {
    const others = distinct.filter(({ folder }) => folder !== held.folder);
    const why = `so is ${held.folder}, without which rows could not be compared`;
    return leaveAsIs(
      [...findings, describe(held.folder, held.reason), ...others.map(({ folder }) => describe(folder, why))],
      folders,
    );
  }
  return { ...held, unheldFolders: loose, findings };
}

async function findDisks(folders: readonly string[], { devices, findDevice: find }: DiskGround) {
  return Promise.all(folders.map(async (folder) => ({ folder, device: await find(folder, devices) })));
}

/** The disks in one control group; or where and why not. */
async function holdDisks(
  model: DiskModel,
  disks: readonly FoundDisk[],
  ground: DiskGround,
  signal: AbortSignal,
): Promise<
  Pick<OpenedDisk, 'disk' | 'groups' | 'close'> | { readonly folder: string; readonly reason: string }
> {
  const { bytesPerSecond } = model;
  const { groups: opened, reasons } = await openLimit(
    disks.map(({ device }) => device),
    bytesPerSecond,
    ground,
  );
  const [group] = opened;
  if (group === undefined) {
    const reason = reasons.join(', ') || 'there is no block controller of control groups';
    return { folder: disks[0]?.folder ?? '', reason };
  }
  const close = () => removeGroup(group.path, ground.files);
  const rates: number[] = [];
  try {
    for (const { device, folder } of disks) {
      const checkFolder = await findCheckFolder(folder, device, ground);
      const check = { model, folder: checkFolder, groups: [group.path], measureRead: ground.measureRead };
      const read = await checkDisk(check, signal);
      if (typeof read === 'string') {
        await close();
        return { folder, reason: read };
      }
      rates.push(read);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const what = disks.length === 1 ? 'disk' : `${disks.length} disks, each`;
  const label = `${what} held to ${printRate(bytesPerSecond)} by control group ${group.version}; checked: ${rates.map(printRate).join(', ')}`;
  const enforcement = `cgroup-${group.version}` as const;
  return { disk: { bytesPerSecond, enforcement, label }, groups: [group.path], close };
}

/** Not among the files of an artifact, where a file that a killed process left would be one too many. */
async function findCheckFolder(
  folder: string,
  device: DeviceNumber,
  { temporaryFolder, devices, findDevice: find }: DiskGround,
): Promise<string> {
  for (const candidate of [temporaryFolder, dirname(folder)]) {
    const found = await find(candidate, devices).catch(() => null);
    if (found === device) return candidate;
  }
  return folder;
}

function leaveAsIs(findings: readonly Finding[], unheldFolders: readonly string[]): OpenedDisk {
  const label = findings.length === 0 ? 'disk as it is' : 'disk as it is, not enforced';
  const disk: BenchDisk = { bytesPerSecond: null, enforcement: 'none', label };
  return { disk, groups: [], findings, unheldFolders, close: () => Promise.resolve() };
}

async function openLimit(
  devices: readonly DeviceNumber[],
  bytesPerSecond: number,
  { cgroupRoot: root, cgroupText, files, mayJoin: mayBeJoined }: DiskGround,
): Promise<OpenedGroups> {
  const place = { root, cgroupText, insideV2: null };
  const opened = await openGroups(place, [limitReads(devices, bytesPerSecond)], files);
  if (opened.groups.length === 0 || (await mayBeJoined(opened.groups.map(({ path }) => path)))) return opened;
  for (const { path } of opened.groups) await removeGroup(path, files);
  return { groups: [], reasons: ['a process may not be moved into a new control group'] };
}
