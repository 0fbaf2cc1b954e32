import type { BenchReport } from '../../documents/bench-result.js';

type Profile = BenchReport['profiles'][number];

/** What keeps processes to a limit. */
const keptBy = {
  'cgroup-v1': 'cgroup v1',
  'cgroup-v2': 'cgroup v2',
  affinity: 'affinity and threads alone',
} as const;

/**
 * Tells whether a memory setting is no more than a name: without control groups for both, a process may take more.
 *
 * @param profile - As it was had.
 * @returns Whether processors or memory were not held to it.
 */
export function isImitated({ memoryMiB, cpuLimit, memoryLimit }: Profile): boolean {
  return memoryMiB !== null && !(cpuLimit.startsWith('cgroup') && memoryLimit !== 'none');
}

/**
 * Says how processors and memory of a profile were limited.
 *
 * @param profile - As it was had.
 * @returns Two clauses without a full stop.
 */
export function describeLimits({ cpuLimit, memoryLimit }: Profile): string {
  const cpu = cpuLimit === 'none' ? 'processors not limited' : `processors limited by ${keptBy[cpuLimit]}`;
  const memory = memoryLimit === 'none' ? 'memory not limited' : `memory limited by ${keptBy[memoryLimit]}`;
  return `${cpu}; ${memory}`;
}

/**
 * Says in a note how the processes of a sweep or a tuning were held to their memory setting.
 *
 * @param profile - As it was had; null when nothing was to be limited.
 * @returns One sentence.
 */
export function noteLimits(profile: Profile | null): string {
  if (profile === null || profile.memoryMiB === null) return 'Limits: none; the machine as it is.';
  const head = isImitated(profile) ? '† only imitated' : 'Limits';
  return `${head}: ${Number(profile.vcpus.toFixed(2))} vCPU wanted; ${describeLimits(profile)}.`;
}
