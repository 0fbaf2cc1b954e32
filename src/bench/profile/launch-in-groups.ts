import { execFile } from 'node:child_process';
import type { Launcher } from '../../lib/converse-with-child.js';

/** Joins each group before `--`, then becomes the program, so that all of its life is under their limits. */
const joinAll =
  'while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"';

/**
 * Makes what starts a process inside control groups.
 *
 * @param groups - Folders of the groups; none starts it as it is.
 * @param enter - Runs the start itself; see `Launcher`.
 * @returns The launcher.
 */
export function launchInGroups(groups: readonly string[], enter: Launcher['enter']): Launcher {
  if (groups.length === 0) return { execPath: process.execPath, execArgv: [], enter };
  const execArgv = ['-c', joinAll, 'sh', ...groups, '--', process.execPath];
  return { execPath: '/bin/sh', execArgv, enter };
}

/**
 * Tries whether a process of this user may join control groups.
 *
 * @param groups - Their folders.
 * @returns True when one could.
 */
export function mayJoin(groups: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', joinAll, 'sh', ...groups, '--', 'true'], (error) => resolve(error === null));
  });
}
