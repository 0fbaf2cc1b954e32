import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { type Libc, openLibc } from './libc.js';

/** How much of a file is in the page cache, in pages. */
export type Residency = { readonly resident: number; readonly total: number };

/** `POSIX_FADV_DONTNEED`, `PROT_READ` and `MAP_SHARED` of Linux. */
const [dontNeed, protRead, mapShared] = [4, 1, 1];
/** Bit of `CAP_FOWNER`: what the kernel takes instead of being the owner. */
const capFowner = 3n;

/**
 * Asks for a file's pages to leave the page cache; what has not been written to disk yet is written first, because only
 * then may it go. That they have left is for {@link countResidentPages} to say: pages which a process maps stay, and on
 * a file system in memory none go.
 *
 * @param path - The file; it may be a symbolic link.
 * @returns False where this cannot be asked for.
 * @throws The file system's own error when the file cannot be opened or flushed.
 */
export async function evictFile(path: string): Promise<boolean> {
  const libc = await openLibc();
  if (libc === null) return false;
  const file = await open(path);
  try {
    await file.datasync();
    return libc.posixFadvise(file.fd, 0, 0, dontNeed) === 0;
  } finally {
    await file.close();
  }
}

/**
 * Counts a file's pages that are in the page cache.
 *
 * @param path - The file; it may be a symbolic link.
 * @returns The pages; null where that cannot be known, as for a file of another user, of which the kernel says that all
 *   of it is resident.
 * @throws The file system's own error when the file cannot be opened.
 * @see https://man7.org/linux/man-pages/man2/mincore.2.html
 * @see https://github.com/torvalds/linux/commit/134fca9063ad4851de767d1768180e5dede9a881
 */
export async function countResidentPages(path: string): Promise<Residency | null> {
  const libc = await openLibc();
  if (libc === null) return null;
  const file = await open(path);
  try {
    const { size, uid } = await file.stat();
    if (size === 0) return { resident: 0, total: 0 };
    return (await mayAsk(uid)) ? countPages(libc, file, size) : null;
  } finally {
    await file.close();
  }
}

/**
 * Drops all that the kernel keeps of any file, after it has been written to disk.
 *
 * @returns True only if the kernel accepted it; even root may not be allowed to.
 * @see https://docs.kernel.org/admin-guide/sysctl/vm.html (drop_caches)
 */
export async function dropCaches(): Promise<boolean> {
  (await openLibc())?.sync();
  try {
    // Neither created nor cut: it is no real file.
    const file = await open('/proc/sys/vm/drop_caches', constants.O_WRONLY);
    try {
      await file.write('3\n');
    } finally {
      await file.close();
    }
    return true;
  } catch {
    return false;
  }
}

function countPages(libc: Libc, file: FileHandle, sizeBytes: number): Residency | null {
  const address = libc.mmap(0, sizeBytes, protRead, mapShared, file.fd, 0);
  if (Number(address) === -1) return null;
  try {
    const pages = new Uint8Array(Math.ceil(sizeBytes / libc.pageSizeBytes));
    if (libc.mincore(address, sizeBytes, pages) !== 0) return null;
    // The other bits of each byte are reserved.
    return { resident: pages.reduce((sum, page) => sum + (page & 1), 0), total: pages.length };
  } finally {
    libc.munmap(address, sizeBytes);
  }
}

/** Whether the kernel tells this process the truth: to the owner, and to who may act as the owner. */
async function mayAsk(uid: number): Promise<boolean> {
  if (process.geteuid?.() === uid) return true;
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const capabilities = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return ((capabilities >> capFowner) & 1n) === 1n;
}
