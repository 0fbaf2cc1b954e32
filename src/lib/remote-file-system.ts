import { statfs } from 'node:fs/promises';

/** File systems behind which a daemon or a server keeps files. @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const remoteFileSystems: ReadonlyMap<number, string> = new Map([
  [0x65735546, 'FUSE'],
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x5346414f, 'AFS'],
]);

/**
 * Tells whether files come through a daemon or over a network, so that there may be caches of which the kernel here
 * knows nothing.
 *
 * @param path - A file or folder that exists.
 * @param readType - Gives the type of its file system.
 * @returns What it is, such as `FUSE`; null for a file system of this machine's kernel alone.
 */
export async function nameRemoteFileSystem(
  path: string,
  readType: (path: string) => Promise<number> = async (each) => (await statfs(each)).type,
): Promise<string | null> {
  return remoteFileSystems.get(await readType(path)) ?? null;
}
