import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A block device as the kernel counts them, such as `254:0`. */
export type DeviceNumber = `${number}:${number}`;

/** Where the kernel tells of devices and mounts; a test puts folders of its own in. */
export type DeviceGround = { readonly sysFolder: string; readonly mountinfoPath: string };

/** The real ones. */
export const deviceGround: DeviceGround = { sysFolder: '/sys', mountinfoPath: '/proc/self/mountinfo' };

/**
 * Finds the whole disk that a folder's files are read from: limits are set for a disk, not for a part of it.
 *
 * @param folder - A folder or file that exists.
 * @param ground - Where to look.
 * @returns The device; null for what is on none that can be named, as memory, network and overlay file systems.
 * @throws The file system's own error when the folder is not there.
 */
export async function findDevice(folder: string, ground: DeviceGround): Promise<DeviceNumber | null> {
  const { dev } = await stat(folder, { bigint: true });
  const own = splitDevice(dev);
  const device = own.startsWith('0:') ? await findMountSource(own, ground) : own;
  return device === null ? null : findWhole(device, ground);
}

/**
 * Splits a device number as `stat` gives it.
 *
 * @param device - `st_dev` or `st_rdev` of Linux.
 * @returns Major and minor number.
 * @see https://man7.org/linux/man-pages/man3/makedev.3.html
 */
export function splitDevice(device: bigint): DeviceNumber {
  const major = ((device >> 8n) & 0xfffn) | ((device & 0xfffff00000000000n) >> 32n);
  const minor = (device & 0xffn) | ((device & 0xffffff00000n) >> 12n);
  return `${Number(major)}:${Number(minor)}`;
}

/** Some file systems count their own devices, but are mounted from one that has a file. */
async function findMountSource(own: DeviceNumber, ground: DeviceGround): Promise<DeviceNumber | null> {
  const text = await readFile(ground.mountinfoPath, 'utf8').catch(() => '');
  for (const line of text.split('\n')) {
    const [place = '', kind = ''] = line.split(' - ');
    const source = kind.split(' ')[1] ?? '';
    if (place.split(' ')[2] !== own || !source.startsWith('/dev/')) continue;
    const found = await stat(source, { bigint: true }).catch(() => undefined);
    if (found?.isBlockDevice()) return splitDevice(found.rdev);
  }
  return null;
}

async function findWhole(device: DeviceNumber, { sysFolder }: DeviceGround): Promise<DeviceNumber | null> {
  const path = await realpath(join(sysFolder, 'dev', 'block', device)).catch(() => undefined);
  if (path === undefined) return null;
  const isPart = await stat(join(path, 'partition')).then(
    () => true,
    () => false,
  );
  if (!isPart) return device;
  const text = await readFile(join(path, '..', 'dev'), 'utf8').catch(() => '');
  return /^\d+:\d+$/.test(text.trim()) ? (text.trim() as DeviceNumber) : null;
}
