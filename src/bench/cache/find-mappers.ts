import { readdir, readFile, stat } from 'node:fs/promises';

/** A process that keeps a file's pages in memory by mapping it. */
export type Mapper = { readonly pid: number; readonly name: string };

/**
 * Looks which processes map a file; those of other users show it to root alone.
 *
 * @param path - The file.
 * @returns The processes, by id; empty where none shows it.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html
 */
export async function findMappers(path: string): Promise<readonly Mapper[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return [];
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const mappers: Mapper[] = [];
  for (const pid of pids) {
    const maps = await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '');
    // The inode finds it under whatever path it was opened.
    const isMapped = maps.split('\n').some((line) => line.trimEnd().split(/\s+/)[4] === String(found.ino));
    if (!isMapped) continue;
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    mappers.push({ pid: Number(pid), name: name.trim() || 'unknown' });
  }
  return mappers.sort((left, right) => left.pid - right.pid);
}
