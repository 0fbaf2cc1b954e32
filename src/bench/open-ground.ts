import type { Finding } from '../messages/finding.js';
import type { BenchOptions } from './bench-options.js';
import type { BenchDisk, BenchLink } from './bench-result.js';
import type { BenchSources } from './open-sources.js';
import { type OpenedProfile, openProfile, readProfileGround } from './profile/open-profile.js';

/** What samples stand on: the machine as it was set up for them. */
export type BenchGround = {
  readonly profiles: readonly OpenedProfile[];
  readonly disk: BenchDisk;
  /** What the link was seen to do; null when nothing is shaped. */
  readonly achieved: BenchLink['achieved'];
  readonly findings: readonly Finding[];
  readonly close: () => Promise<void>;
};

/**
 * Sets the machine up: the disk, the memory profiles, and a look at whether the link does what is asked of it.
 *
 * @param options - What is imitated.
 * @param sources - The servers that shape the link.
 * @param signal - Stops the look at the link.
 * @returns The ground; close it when the last sample is taken.
 * @throws The signal's reason.
 */
export async function openGround(
  options: Pick<BenchOptions, 'memoryMiB' | 'threads'>,
  _sources: BenchSources,
  _signal: AbortSignal,
): Promise<BenchGround> {
  const profiles: OpenedProfile[] = [];
  const close = async () => {
    for (const profile of profiles) await profile.close();
  };
  const memories = options.memoryMiB.length === 0 ? [null] : [...new Set(options.memoryMiB)];
  try {
    for (const memoryMiB of memories) {
      profiles.push(await openProfile(memoryMiB, options.threads, readProfileGround([])));
    }
    const findings = profiles.flatMap((profile) => profile.findings);
    const disk: BenchDisk = { bytesPerSecond: null, enforcement: 'none', label: 'the disk as it is' };
    return { profiles, disk, achieved: null, findings, close };
  } catch (error) {
    await close();
    throw error;
  }
}
