import { join } from 'node:path';
import { listGroupFolders } from '../../lib/control-groups.js';
import type { GroupFiles } from './group-files.js';
import type { GroupLimit } from './group-limit.js';
import { makeGroup, removeGroup, writeSettings } from './make-group.js';

/** Where groups can be made. */
export type GroupPlace = {
  /** Where the control groups are mounted. */
  readonly root: string;
  /** This process's `/proc/self/cgroup`. */
  readonly cgroupText: string;
  /** A group of version 2 to be inside of, because a process is in one of these only; null without. */
  readonly insideV2: string | null;
};

/** A group that was made. */
export type ControlGroup = {
  readonly version: 'v1' | 'v2';
  readonly path: string;
  /** Names of version 1 of the limits that hold in it. */
  readonly limits: readonly string[];
};

/** Groups that hold as many of the limits as this process may set. */
export type OpenedGroups = {
  readonly groups: readonly ControlGroup[];
  /** Why a limit does not hold, in words. */
  readonly reasons: readonly string[];
};

type Made = { readonly group: ControlGroup | null; readonly reasons: readonly string[] };

/**
 * Makes control groups below this process's own, or as near above as may be written: one per controller of version 1,
 * one for all of version 2.
 *
 * @param place - Where.
 * @param limits - What is to hold.
 * @param files - How groups are spoken to.
 * @returns The groups, to be removed by `removeGroup`, and why a limit could not be set.
 */
export async function openGroups(
  place: GroupPlace,
  limits: readonly GroupLimit[],
  files: GroupFiles,
): Promise<OpenedGroups> {
  const made: Made[] = [];
  const left: GroupLimit[] = [];
  for (const limit of limits) {
    const folders = listFolders(place, limit.v1.controller, 'v1');
    if (folders.length === 0) left.push(limit);
    else made.push(await makeFirst(folders, limit, files));
  }
  if (left.length > 0) made.push(await makeUnified(place, left, files));
  return {
    groups: made.flatMap(({ group }) => (group === null ? [] : [group])),
    reasons: [...new Set(made.flatMap(({ reasons }) => reasons))],
  };
}

function listFolders(place: GroupPlace, controller: string, version: 'v1' | 'v2'): readonly string[] {
  const found = listGroupFolders(place.root, place.cgroupText, controller);
  return found.filter((folder) => folder.version === version).map(({ path }) => path);
}

async function makeFirst(folders: readonly string[], limit: GroupLimit, files: GroupFiles): Promise<Made> {
  const { controller, settings } = limit.v1;
  const reasons: string[] = [];
  for (const folder of folders) {
    const group = await attempt(() => makeGroup(folder, files), reasons, folder);
    if (group === null) continue;
    const isSet = await attempt(() => writeSettings(group, settings, files).then(() => true), reasons, group);
    if (isSet) return { group: { version: 'v1', path: group, limits: [controller] }, reasons: [] };
    await removeGroup(group, files);
  }
  return { group: null, reasons };
}

/** The nearest place where all limits can be set, else the one where most can. */
async function makeUnified(
  place: GroupPlace,
  limits: readonly GroupLimit[],
  files: GroupFiles,
): Promise<Made> {
  const reasons: string[] = [];
  let best: ControlGroup | null = null;
  for (const folder of await listUnified(place, files)) {
    const group = await makeInside(folder, limits, files, reasons);
    if (group === null) continue;
    const isBetter: boolean = group.limits.length > (best?.limits.length ?? 0);
    const worse = isBetter ? best : group;
    if (worse !== null) await removeGroup(worse.path, files);
    if (isBetter) best = group;
    if (best?.limits.length === limits.length) return { group: best, reasons: [] };
  }
  return { group: best, reasons };
}

/** What looks like a path of version 2 beside groups of version 1 is a plain folder, where anything could be made. */
async function listUnified(place: GroupPlace, files: GroupFiles): Promise<readonly string[]> {
  const folders = place.insideV2 === null ? listFolders(place, 'cpu', 'v2') : [place.insideV2];
  const unified: string[] = [];
  for (const folder of folders) if (await isUnified(folder, files)) unified.push(folder);
  return unified;
}

/**
 * Tells whether a folder is a control group of version 2.
 *
 * @param folder - It need not exist.
 * @param files - How groups are spoken to.
 * @returns True for one of version 2.
 */
export function isUnified(folder: string, files: GroupFiles): Promise<boolean> {
  return files.read(join(folder, 'cgroup.controllers')).then(
    () => true,
    () => false,
  );
}

async function makeInside(
  folder: string,
  limits: readonly GroupLimit[],
  files: GroupFiles,
  reasons: string[],
): Promise<ControlGroup | null> {
  const path = await attempt(() => makeGroup(folder, files), reasons, folder);
  if (path === null) return null;
  const holding: string[] = [];
  for (const { v1, v2 } of limits) {
    // What is on already stays so, and what is turned on here is left on: another run may need it.
    await enable(folder, v2.controller, files, reasons);
    const isSet = await attempt(
      () => writeSettings(path, v2.settings, files).then(() => true),
      reasons,
      path,
    );
    if (isSet) holding.push(v1.controller);
  }
  if (holding.length > 0) return { version: 'v2', path, limits: holding };
  await removeGroup(path, files);
  return null;
}

/** A group that has processes of its own cannot: the one above may. */
async function enable(
  folder: string,
  controller: string,
  files: GroupFiles,
  reasons: string[],
): Promise<void> {
  const file = join(folder, 'cgroup.subtree_control');
  const enabled = await files.read(file).catch(() => '');
  if (enabled.trim().split(/\s+/).includes(controller)) return;
  await attempt(() => files.write(file, `+${controller}`), reasons, file);
}

async function attempt<T>(run: () => Promise<T>, reasons: string[], path: string): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    // A folder that this container does not show is nothing to speak of.
    const { code = 'failed' } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') reasons.push(`${path} answers ${code}`);
    return null;
  }
}
