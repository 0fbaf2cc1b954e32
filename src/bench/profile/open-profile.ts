import type { Launcher } from '../../lib/converse-with-child.js';
import { type CpuEnvironment, readCpuEnvironment } from '../../lib/cpu-quota.js';
import type { Finding } from '../../messages/finding.js';
import { openAffinity, readAffinity } from '../../native/affinity.js';
import type { BenchProfile } from '../bench-result.js';
import { type GroupFiles, groupFiles } from './group-files.js';
import { limitCpu, limitMemory } from './group-limit.js';
import { launchInGroups, mayJoin } from './launch-in-groups.js';
import { listProfileFindings } from './list-profile-findings.js';
import { removeGroup } from './make-group.js';
import { type MemoryReading, readMemory } from './memory-watch.js';
import { type ControlGroup, isUnified, type OpenedGroups, openGroups } from './open-groups.js';
import { planProfile } from './plan-profile.js';

/** One memory setting, ready for samples. */
export type OpenedProfile = {
  readonly profile: BenchProfile;
  /** Starts the process of a sample inside it. */
  readonly launcher: Launcher;
  /** What of it could not be had, and what this machine lacks. */
  readonly findings: readonly Finding[];
  /** What the group of the samples has seen so far; null without a memory limit. */
  readMemory(): Promise<MemoryReading | null>;
  /** Removes its groups; processes in them have ended. */
  close(): Promise<void>;
};

/** What a profile stands on; a test puts its own in. */
export type ProfileGround = {
  /** Folders of control groups that samples join as well, such as that of a disk's limit. */
  readonly groups: readonly string[];
  readonly cpu: CpuEnvironment;
  readonly files: GroupFiles;
  readonly mayJoin: (groups: readonly string[]) => Promise<boolean>;
};

/**
 * Looks what profiles can stand on here.
 *
 * @param groups - See {@link ProfileGround}.
 * @returns The control groups and processors of this process.
 */
export function readProfileGround(groups: readonly string[]): ProfileGround {
  return { groups, cpu: readCpuEnvironment(), files: groupFiles, mayJoin };
}

/**
 * Makes this machine stand in for a function: processors and memory by control groups where they may be set, else by the
 * processors a process may run on, and then without a limit of memory. The profile says which.
 *
 * @param memoryMiB - The function's memory, MiB; null for the machine as it is.
 * @param threads - Threads inside one operator, ≥ 1; null for as many as the profile has whole processors.
 * @param ground - What it stands on.
 * @returns The profile; to be closed.
 */
export async function openProfile(
  memoryMiB: number | null,
  threads: number | null,
  ground: ProfileGround,
): Promise<OpenedProfile> {
  const plan = planProfile(memoryMiB, threads, ground.cpu);
  const opened = memoryMiB === null ? noGroups : await openJoinable(memoryMiB, plan.vcpus, ground);
  const [cpu, memory] = ['cpu', 'memory'].map((limit) =>
    opened.groups.find((group) => group.limits.includes(limit)),
  );
  const enter = memoryMiB === null || cpu !== undefined ? null : await enterProcessors(plan.vcpus);
  const profile: BenchProfile = {
    ...plan.profile,
    cpuLimit: cpu === undefined ? (enter === null ? 'none' : 'affinity') : nameVersion(cpu),
    memoryLimit: memory === undefined ? 'none' : nameVersion(memory),
  };
  return {
    profile,
    launcher: launchInGroups(listJoined(opened.groups, ground), enter ?? ((start) => start())),
    findings: listProfileFindings(profile, plan, opened.reasons),
    readMemory: async () => (memory === undefined ? null : readMemory(memory, ground.files)),
    close: async () => {
      for (const { path } of opened.groups) await removeGroup(path, ground.files);
    },
  };
}

const noGroups: OpenedGroups = { groups: [], reasons: [] };

async function openJoinable(memoryMiB: number, vcpus: number, ground: ProfileGround): Promise<OpenedGroups> {
  const { cpu, files } = ground;
  const place = {
    root: cpu.cgroupRoot,
    cgroupText: cpu.cgroupText ?? '',
    insideV2: await findUnified(ground),
  };
  const opened = await openGroups(place, [limitCpu(vcpus), limitMemory(memoryMiB)], files);
  if (opened.groups.length === 0 || (await ground.mayJoin(listJoined(opened.groups, ground)))) return opened;
  for (const { path } of opened.groups) await removeGroup(path, files);
  return { groups: [], reasons: [...opened.reasons, 'a process may not be moved into a new control group'] };
}

function nameVersion({ version }: ControlGroup): 'cgroup-v1' | 'cgroup-v2' {
  return `cgroup-${version}`;
}

/** A process is in one group of version 2: the profile's, which is inside the one that was handed in. */
function listJoined(groups: readonly ControlGroup[], ground: ProfileGround): readonly string[] {
  const own = groups.map(({ path }) => path);
  const around = ground.groups.filter((group) => !own.some((path) => path.startsWith(`${group}/`)));
  return [...around, ...own];
}

async function findUnified({ groups, files }: ProfileGround): Promise<string | null> {
  for (const group of groups) if (await isUnified(group, files)) return group;
  return null;
}

/** Null where that would not keep a process from anything, or may not be done. */
async function enterProcessors(vcpus: number): Promise<Launcher['enter'] | null> {
  const own = (await readAffinity()) ?? [];
  const wanted = Math.ceil(vcpus);
  return wanted < own.length ? openAffinity(own.slice(0, wanted)) : null;
}
