import { statfs } from 'node:fs/promises';

/** `tmpfs` and `ramfs`. @see https://man7.org/linux/man-pages/man2/statfs.2.html */
const memoryFileSystems: readonly number[] = [0x01021994, 0x858458f6];

/**
 * Tells whether a file or folder is on a file system that is memory, where writing and reading cost no disk.
 *
 * @param path - Of one that exists.
 * @returns True for tmpfs and ramfs.
 */
export async function isInMemory(path: string): Promise<boolean> {
  const { type } = await statfs(path);
  return memoryFileSystems.includes(type);
}
