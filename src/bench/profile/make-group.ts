import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findMaker, markName } from '../../lib/marked-name.js';
import type { GroupFiles } from './group-files.js';
import type { GroupSetting } from './group-limit.js';

const name = { prefix: 'optimise-model-', suffix: '' };

/** How often a group whose process is just going is tried, and how long between. */
const [removals, betweenRemovalsMs] = [40, 25];

/**
 * Makes a control group with a name of its own, after the groups of makers that died have been removed.
 *
 * @param parent - The group it is made in.
 * @param files - How groups are spoken to.
 * @returns Its folder.
 * @throws The file system's error where groups may not be made.
 */
export async function makeGroup(parent: string, files: GroupFiles): Promise<string> {
  await sweepGroups(parent, files);
  const path = join(parent, markName(name));
  await files.make(path);
  return path;
}

/**
 * Removes a group and those inside; one that will not go is left to be swept by the next who makes one there.
 *
 * @param path - Its folder.
 * @param files - How groups are spoken to.
 */
export async function removeGroup(path: string, files: GroupFiles): Promise<void> {
  for (const inner of await files.list(path).catch(() => [])) await removeGroup(join(path, inner), files);
  for (let turn = 1; turn <= removals; turn += 1) {
    const code = await files.remove(path).then(
      () => 'gone',
      (error: NodeJS.ErrnoException) => error.code,
    );
    // Busy for as long as the kernel has not yet buried the process that was ended.
    if (code !== 'EBUSY') return;
    await pause(betweenRemovalsMs);
  }
}

/**
 * Writes settings into a group.
 *
 * @param path - The group's folder.
 * @param settings - What is written, in this order.
 * @param files - How groups are spoken to.
 * @throws The file system's error for a setting that is needed.
 */
export async function writeSettings(
  path: string,
  settings: readonly GroupSetting[],
  files: GroupFiles,
): Promise<void> {
  for (const { file, text, isNeeded } of settings) {
    const written = files.write(join(path, file), text);
    await (isNeeded ? written : written.catch(() => undefined));
  }
}

async function sweepGroups(parent: string, files: GroupFiles): Promise<void> {
  for (const entry of await files.list(parent).catch(() => [])) {
    if (!entry.startsWith(name.prefix) || findMaker(entry.slice(name.prefix.length)) !== 'dead') continue;
    await removeGroup(join(parent, entry), files);
  }
}
