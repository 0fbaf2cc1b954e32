import { tmpdir } from 'node:os';
import type { Finding } from '../messages/finding.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchDisk, BenchLink } from './bench-result.js';
import { openDisk, readDiskGround } from './disk/open-disk.js';
import type { LinkModel } from './link/link-model.js';
import { type VerifiedLink, verifyLink } from './link/verify-link.js';
import type { BenchSources } from './open-sources.js';
import { type OpenedProfile, openProfile, readProfileGround } from './profile/open-profile.js';

/** What samples stand on: the machine as it was set up for them. */
export type BenchGround = {
  readonly profiles: readonly OpenedProfile[];
  readonly disk: BenchDisk;
  /** What the links were seen to do; null where nothing is shaped. */
  readonly achieved: { readonly link: BenchLink['achieved']; readonly hub: BenchLink['achieved'] };
  readonly findings: readonly Finding[];
  readonly close: () => Promise<void>;
};

/**
 * Sets the machine up: the disk, the memory profiles, and a look at whether the links do what is asked of them.
 *
 * @param options - What is imitated.
 * @param sources - The servers that shape the links.
 * @param signal - Stops looking.
 * @returns The ground; close it when the last sample is taken.
 * @throws The signal's reason.
 */
export async function openGround(
  options: Pick<BenchOptions, 'memoryMiB' | 'threads' | 'disk' | 'link' | 'hub' | 'targets'>,
  { servers }: Pick<BenchSources, 'servers'>,
  signal: AbortSignal,
): Promise<BenchGround> {
  const opened: { close: () => Promise<void> }[] = [];
  const close = async () => {
    // The groups of a profile may lie in that of the disk.
    for (const each of opened.toReversed()) await each.close();
  };
  try {
    const disk = await openDisk(options.disk, findReadFolder(options), readDiskGround(), signal);
    opened.push(disk);
    const profiles = await openProfiles(options, disk.groups, opened);
    const link = await verify((servers.stores ?? servers.proxy)?.endpoint, options.link, signal);
    const hub = await verify(servers.hub?.endpoint, options.hub.link ?? options.link, signal);
    const findings = [disk, ...profiles, link, hub].flatMap((each) => each?.findings ?? []);
    const achieved = { link: link?.achieved ?? null, hub: hub?.achieved ?? null };
    return { profiles, disk: disk.disk, achieved, findings, close };
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

/** Where the artifacts are that samples read from the disk. */
function findReadFolder({ targets }: Pick<BenchOptions, 'targets'>): string {
  return targets.find((target) => target.artifactFolder !== null)?.artifactFolder ?? tmpdir();
}

async function verify(
  endpoint: string | undefined,
  model: LinkModel | 'direct',
  signal: AbortSignal,
): Promise<VerifiedLink | null> {
  return endpoint === undefined || model === 'direct' ? null : verifyLink(endpoint, model, signal);
}
