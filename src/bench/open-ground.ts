import { tmpdir } from 'node:os';
import type { Finding } from '../messages/finding.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchDisk, BenchLink } from './bench-result.js';
import { openDisk, readDiskGround } from './disk/open-disk.js';
import type { LinkModel } from './link/link-model.js';
import { type VerifiedLink, verifyLink } from './link/verify-link.js';
import type { BenchSources } from './open-sources.js';
import type { PlannedRow } from './plan-rows.js';
import { type OpenedProfile, openProfile, readProfileGround } from './profile/open-profile.js';
import { listReadFolders, listUnseenCaches, type ReadFolder } from './read-folders.js';

/** What samples stand on: the machine as it was set up for them. */
export type BenchGround = {
  readonly profiles: readonly OpenedProfile[];
  readonly disk: BenchDisk;
  /** Folders that rows read from and that are not held to the disk's rate. */
  readonly unheldFolders: readonly string[];
  /** What the links were seen to do; null where nothing is shaped. */
  readonly achieved: { readonly link: BenchLink['achieved']; readonly hub: BenchLink['achieved'] };
  readonly findings: readonly Finding[];
  readonly close: () => Promise<void>;
};

/**
 * Sets the machine up: the disk, the memory profiles, and a look at whether the links do what is asked of them.
 *
 * @param options - What is imitated.
 * @param planned - The rows.
 * @param sources - The servers that shape the links, and where each row reads.
 * @param signal - Stops looking.
 * @returns The ground; close it when the last sample is taken.
 * @throws The signal's reason.
 */
export async function openGround(
  options: Pick<
    BenchOptions,
    'memoryMiB' | 'threads' | 'disk' | 'link' | 'hub' | 'cacheMode' | 'ephemeralDir'
  >,
  planned: readonly PlannedRow[],
  { servers, rows }: Pick<BenchSources, 'servers' | 'rows'>,
  signal: AbortSignal,
): Promise<BenchGround> {
  const opened: { close: () => Promise<void> }[] = [];
  const close = async () => {
    // The groups of a profile may lie in that of the disk.
    for (const each of opened.toReversed()) await each.close();
  };
  try {
    const folders = await listReadFolders(planned, rows);
    const disk = await openDisk(options.disk, listDiskFolders(folders, options), readDiskGround(), signal);
    opened.push(disk);
    const profiles = await openProfiles(options, disk.groups, opened);
    const link = await verify((servers.stores ?? servers.proxy)?.endpoint, options.link, signal);
    const hub = await verify(servers.hub?.endpoint, options.hub.link ?? options.link, signal);
    const findings = [
      ...listUnseenCaches(folders, options.cacheMode),
      ...[disk, ...profiles, link, hub].flatMap((each) => each?.findings ?? []),
    ];
    const achieved = { link: link?.achieved ?? null, hub: hub?.achieved ?? null };
    const { unheldFolders } = disk;
    return { profiles, disk: disk.disk, unheldFolders, achieved, findings, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openProfiles(
  { memoryMiB, threads }: Pick<BenchOptions, 'memoryMiB' | 'threads'>,
  groups: readonly string[],
  opened: { close: () => Promise<void> }[],
): Promise<readonly OpenedProfile[]> {
  const profiles: OpenedProfile[] = [];
  for (const each of memoryMiB.length === 0 ? [null] : [...new Set(memoryMiB)]) {
    const profile = await openProfile(each, threads, readProfileGround(groups));
    profiles.push(profile);
    opened.push(profile);
  }
  return profiles;
}

/** What comes through a mount is on no disk that could be held, and nobody asks for that. */
function listDiskFolders(
  folders: readonly ReadFolder[],
  { ephemeralDir = tmpdir() }: Pick<BenchOptions, 'ephemeralDir'>,
): readonly string[] {
  const own = folders.filter(({ isMount, fileSystem }) => !isMount || fileSystem === null);
  // Without any, what copies are read from, should they leave the page cache.
  return own.length === 0 ? [ephemeralDir] : own.map(({ folder }) => folder);
}

async function verify(
  endpoint: string | undefined,
  model: LinkModel | 'direct',
  signal: AbortSignal,
): Promise<VerifiedLink | null> {
  return endpoint === undefined || model === 'direct' ? null : verifyLink(endpoint, model, signal);
}
