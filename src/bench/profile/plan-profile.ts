import {
  type CpuEnvironment,
  chooseThreads,
  lambdaMegabytesPerCpu,
  readCpuLimits,
  type ThreadChoice,
} from '../../lib/cpu-quota.js';
import type { BenchProfile } from '../bench-result.js';

/** The most that a function has. @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const mostVcpus = 6;

/** What a memory setting stands for, before it is known what of it can be imposed here. */
export type ProfilePlan = {
  readonly profile: Omit<BenchProfile, 'cpuLimit' | 'memoryLimit'>;
  readonly vcpus: number;
  /** Processors that this process may use, in CPUs. */
  readonly machineCpus: number;
  /** Processors that processes in the profile can have here: its own, but no more than there are. */
  readonly usableCpus: number;
  /** The threads that have a whole processor each, and what could not be read. */
  readonly choice: ThreadChoice;
};

/**
 * Says what a memory setting of Lambda stands for.
 *
 * @param memoryMiB - The setting, MiB; null for the machine as it is.
 * @param threads - Asked for; null for as many as there are whole processors, of the setting and of this machine.
 * @param environment - Where this process runs.
 * @returns Processors and threads.
 */
export function planProfile(
  memoryMiB: number | null,
  threads: number | null,
  environment: CpuEnvironment,
): ProfilePlan {
  // This process may itself be a function: what it imitates is another one.
  const imitated = { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMiB) };
  const env = memoryMiB === null ? environment.env : imitated;
  const { affinityCpus, quotaCpus } = readCpuLimits(environment);
  const machineCpus = Math.min(affinityCpus, quotaCpus ?? affinityCpus);
  const choice = chooseThreads({ ...environment, env });
  const vcpus = memoryMiB === null ? machineCpus : Math.min(mostVcpus, memoryMiB / lambdaMegabytesPerCpu);
  return {
    profile: {
      memoryMiB,
      vcpus,
      threads: threads ?? choice.threads,
      threadsOrigin: threads === null ? choice.origin : 'as asked for',
    },
    vcpus,
    machineCpus,
    usableCpus: Math.min(vcpus, machineCpus),
    choice,
  };
}
