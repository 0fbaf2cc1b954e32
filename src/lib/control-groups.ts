import { posix } from 'node:path';

/** A control group that a process is in, as a folder; its limits bind the process. */
export type GroupFolder = { readonly version: 'v1' | 'v2'; readonly path: string };

/** One line of `/proc/self/cgroup`: `4:cpu,cpuacct:/a/b`, or `0::/a/b` for version 2; a named hierarchy is neither. */
const membership = /^\d+:([^:]*):(\/.*)$/;

/**
 * Lists the control groups that bind a process for one controller, its own first, then the ones above it. What a
 * container does not show is left to whoever reads: a folder listed here need not exist.
 *
 * @param root - Where the control groups are mounted, usually `/sys/fs/cgroup`.
 * @param cgroupText - The process's `/proc/PID/cgroup`.
 * @param controller - Such as `cpu`, `memory` or `blkio`.
 * @returns Folders of version 2 (mounted at the root, or below it as `unified`) and of version 1.
 * @see https://man7.org/linux/man-pages/man7/cgroups.7.html (/proc/[pid]/cgroup)
 */
export function listGroupFolders(
  root: string,
  cgroupText: string,
  controller: string,
): readonly GroupFolder[] {
  // What a container mounts is often its own group alone, while the text still tells the path on the host.
  const mounts = new Map<string, GroupFolder['version']>();
  const add = (version: GroupFolder['version'], mount: string, path: string) => {
    for (const folder of listUpwards(path)) mounts.set(posix.join(mount, ...folder), version);
  };
  for (const line of cgroupText.split('\n')) {
    const [, names = '', path = '/'] = membership.exec(line) ?? [];
    if (line.startsWith('0::')) {
      add('v2', root, path);
      add('v2', posix.join(root, 'unified'), path);
    } else if (names.split(',').includes(controller)) {
      add('v1', posix.join(root, controller), path);
      if (names !== controller) add('v1', posix.join(root, names), path);
    }
  }
  return [...mounts].map(([path, version]) => ({ path, version }));
}

/** `/a/b` as its names, then those of `/a`, then none; a path that leads out of what is mounted counts for nothing. */
function listUpwards(path: string): readonly (readonly string[])[] {
  const names = path.split('/').filter((name) => name !== '');
  if (names.includes('..')) return [[]];
  return Array.from({ length: names.length + 1 }, (_none, index) => names.slice(0, names.length - index));
}
