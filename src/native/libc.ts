import { openKoffi } from './open-koffi.js';

/** The C functions this tool calls, all of them of Linux; each returns what C returns. */
export type Libc = {
  /** 0, or an error number. @see https://man7.org/linux/man-pages/man2/posix_fadvise.2.html */
  readonly posixFadvise: (fd: number, offset: number, length: number, advice: number) => number;
  /** An address, or -1. @see https://man7.org/linux/man-pages/man2/mmap.2.html */
  readonly mmap: (
    address: number,
    length: number,
    protection: number,
    flags: number,
    fd: number,
    offset: number,
  ) => number | bigint;
  readonly munmap: (address: number | bigint, length: number) => number;
  /** Writes one byte per page. @see https://man7.org/linux/man-pages/man2/mincore.2.html */
  readonly mincore: (address: number | bigint, length: number, pages: Uint8Array) => number;
  readonly sync: () => void;
  /** Bytes in a page. */
  readonly pageSizeBytes: number;
  /** Of the calling thread, as 0 says. @see https://man7.org/linux/man-pages/man2/sched_setaffinity.2.html */
  readonly schedGetaffinity: (pid: number, sizeBytes: number, mask: Uint8Array) => number;
  readonly schedSetaffinity: (pid: number, sizeBytes: number, mask: Uint8Array) => number;
};

/** `_SC_PAGESIZE` of glibc and musl. */
const pageSizeName = 30;

let libc: Promise<Libc | null> | undefined;

/**
 * Opens the C library that this process runs on. The loader never does: it would cost its start.
 *
 * @returns Its functions; null where they are not those of 64-bit Linux, or cannot be called.
 */
export function openLibc(): Promise<Libc | null> {
  libc ??= bindLibc();
  return libc;
}

async function bindLibc(): Promise<Libc | null> {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return null;
  // koffi has no binary for some machines, and a package may have been installed without it.
  const koffi = await openKoffi();
  if (koffi === null) return null;
  try {
    const library = koffi.load(null);
    const sysconf = library.func('long sysconf(int name)');
    return {
      posixFadvise: library.func('int posix_fadvise(int fd, int64_t offset, int64_t length, int advice)'),
      mmap: library.func(
        'intptr_t mmap(intptr_t address, size_t length, int protection, int flags, int fd, int64_t offset)',
      ),
      munmap: library.func('int munmap(intptr_t address, size_t length)'),
      mincore: library.func('int mincore(intptr_t address, size_t length, _Out_ uint8_t *pages)'),
      sync: library.func('void sync()'),
      pageSizeBytes: Number(sysconf(pageSizeName)),
      schedGetaffinity: library.func('int sched_getaffinity(int pid, size_t size, _Out_ uint8_t *mask)'),
      schedSetaffinity: library.func('int sched_setaffinity(int pid, size_t size, const uint8_t *mask)'),
    };
  } catch {
    return null;
  }
}
