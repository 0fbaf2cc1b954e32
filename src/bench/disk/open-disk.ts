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
  /** `bench-disk-not-enforced`, or nothing. */
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
  const shared = { files: groupFiles, devices: deviceGround, mayJoin, measureRead };
  const temporaryFolder = tmpdir();
  return { cgroupRoot, cgroupText: cgroupText ?? '', temporaryFolder, ...shared };
}

/**
 * Limits what a disk gives to one group of processes.
 *
 * @param device - The whole disk.
 * @param bytesPerSecond - What is read from it at most.
 * @returns The limit.
 * @see https://docs.kernel.org/admin-guide/cgroup-v1/blkio-controller.html
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html (io.max)
 */
export function limitReads(device: DeviceNumber, bytesPerSecond: number): GroupLimit {
  const rate = Math.round(bytesPerSecond);
  const setting = (file: string, text: string) => [{ file, text, isNeeded: true }];
  return {
    v1: { controller: 'blkio', settings: setting('blkio.throttle.read_bps_device', `${device} ${rate}`) },
    v2: { controller: 'io', settings: setting('io.max', `${device} rbps=${rate}`) },
  };
}

/**
 * Holds what samples read from this machine's disk to a stated throughput, and checks that it holds: a temporary file is
 * written, made to leave the page cache, and read inside the limit.
 *
 * @param model - The disk to imitate; null for the disk as it is.
 * @param folder - Where the files are that samples read. The check writes its own file elsewhere on the same disk, if it
 *   can.
 * @param ground - What it stands on.
 * @param signal - Ends the check.
 * @returns The disk, to be closed; its label says how it was held, or that it was not.
 * @throws The signal's reason.
 */
export async function openDisk(
  model: DiskModel | null,
  folder: string,
  ground: DiskGround,
  signal: AbortSignal,
): Promise<OpenedDisk> {
  if (model === null) return leaveAsIs([]);
  const { bytesPerSecond } = model;
  const giveUp = (reason: string) =>
    leaveAsIs([
      makeFinding('warning', 'bench-disk-not-enforced', {
        askedBytesPerSecond: bytesPerSecond,
        folder,
        reason,
      }),
    ]);
  const device = await findDevice(folder, ground.devices);
  if (device === null) return giveUp('it is on no disk of this machine');
  const { groups: opened, reasons } = await openLimit(device, bytesPerSecond, ground);
  const [group] = opened;
  if (group === undefined)
    return giveUp(reasons.join(', ') || 'there is no block controller of control groups');
  const close = () => removeGroup(group.path, ground.files);
  const checkFolder = await findCheckFolder(folder, device, ground);
  const check = { model, folder: checkFolder, groups: [group.path], measureRead: ground.measureRead };
  const read = await checkDisk(check, signal).catch(async (error) => {
    await close();
    throw error;
  });
  if (typeof read === 'string') {
    await close();
    return giveUp(read);
  }
  const enforcement = `cgroup-${group.version}` as const;
  const label = `disk held to ${printRate(bytesPerSecond)} by control group ${group.version}; checked: ${printRate(read)}`;
  return { disk: { bytesPerSecond, enforcement, label }, groups: [group.path], findings: [], close };
}

/** Not among the files of an artifact, where a file that a killed process left would be one too many. */
async function findCheckFolder(
  folder: string,
  device: DeviceNumber,
  { temporaryFolder, devices }: DiskGround,
): Promise<string> {
  for (const candidate of [temporaryFolder, dirname(folder)]) {
    const found = await findDevice(candidate, devices).catch(() => null);
    if (found === device) return candidate;
  }
  return folder;
}

function leaveAsIs(findings: readonly Finding[]): OpenedDisk {
  const label = findings.length === 0 ? 'disk as it is' : 'disk as it is, not enforced';
  const disk: BenchDisk = { bytesPerSecond: null, enforcement: 'none', label };
  return { disk, groups: [], findings, close: () => Promise.resolve() };
}

async function openLimit(
  device: DeviceNumber,
  bytesPerSecond: number,
  { cgroupRoot: root, cgroupText, files, mayJoin: mayBeJoined }: DiskGround,
): Promise<OpenedGroups> {
  const place = { root, cgroupText, insideV2: null };
  const opened = await openGroups(place, [limitReads(device, bytesPerSecond)], files);
  if (opened.groups.length === 0 || (await mayBeJoined(opened.groups.map(({ path }) => path)))) return opened;
  for (const { path } of opened.groups) await removeGroup(path, files);
  return { groups: [], reasons: ['a process may not be moved into a new control group'] };
}
