import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { readCgroupQuota } from './cgroup-quota.js';

/** Memory that stands for one processor of Lambda, MB. @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
export const lambdaMegabytesPerCpu = 1769;

/** Where a process's share of the processors can be seen. */
export type CpuEnvironment = {
  /** Where the control groups are mounted. */
  readonly cgroupRoot: string;
  /** `/proc/self/cgroup`; null where there is none. */
  readonly cgroupText: string | null;
  /** `/proc/self/status`; null where there is none. */
  readonly statusText: string | null;
  /** Processors, where the status says nothing. */
  readonly fallbackCpus: number;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What bounds the threads that are worth running. */
export type CpuLimits = {
  /** Processors that this process may be scheduled on, ≥ 1. */
  readonly affinityCpus: number;
  /** The tightest quota of its control groups, in CPUs; null without one. */
  readonly quotaCpus: number | null;
  /** What Lambda gives a function of this memory, in CPUs; null elsewhere. */
  readonly lambdaCpus: number | null;
  /** What could not be read and what is assumed instead; null when all was understood. */
  readonly warning: string | null;
};

/** How many threads a session gets when nobody asks for a number. */
export type ThreadChoice = {
  /** ≥ 1. */
  readonly threads: number;
  /** What decided it, such as `cgroup quota 0.2 CPU`, `Lambda memory 3008 MB` or `affinity 3 CPUs`. */
  readonly origin: string;
  /** As in {@link CpuLimits}. */
  readonly warning: string | null;
};

/**
 * Looks where this process runs.
 *
 * @returns What {@link chooseThreads} decides by.
 */
export function readCpuEnvironment(): CpuEnvironment {
  return {
    cgroupRoot: '/sys/fs/cgroup',
    cgroupText: readQuietly('/proc/self/cgroup'),
    statusText: readQuietly('/proc/self/status'),
    fallbackCpus: availableParallelism(),
    env: process.env,
  };
}

/**
 * Chooses how many threads a session gets: as many as there are whole processors to run them. A runtime left alone counts
 * the cores of the host, and Node knows nothing of quotas below one CPU.
 *
 * @param environment - Where the process runs.
 * @returns max(1, min(affinity, ⌊tightest quota⌋, ⌊Lambda's share⌋)) and what decided it.
 * @see https://github.com/nodejs/node/issues/59200
 */
export function chooseThreads(environment: CpuEnvironment): ThreadChoice {
  const { affinityCpus, quotaCpus, lambdaCpus, warning } = readCpuLimits(environment);
  const limits = [
    ...(quotaCpus === null ? [] : [{ cpus: quotaCpus, origin: `cgroup quota ${countCpus(quotaCpus)}` }]),
    ...(lambdaCpus === null
      ? []
      : [{ cpus: lambdaCpus, origin: `Lambda memory ${environment.env[memoryVariable]} MB` }]),
    { cpus: affinityCpus, origin: `affinity ${countCpus(affinityCpus)}${affinityCpus === 1 ? '' : 's'}` },
  ];
  const tightest = limits.reduce((best, limit) => (limit.cpus < best.cpus ? limit : best));
  return { threads: Math.max(1, Math.floor(tightest.cpus)), origin: tightest.origin, warning };
}

/**
 * Tells whether more threads are asked for than there are whole processors to run them.
 *
 * @param threads - Asked for.
 * @param choice - What {@link chooseThreads} chose.
 * @returns True when they would wait for each other.
 */
export function isOversubscribed(threads: number, choice: ThreadChoice): boolean {
  return threads > choice.threads;
}

/**
 * Reads every limit on the processors of a process.
 *
 * @param environment - Where it runs.
 * @returns All of them, and what could not be understood.
 */
export function readCpuLimits(environment: CpuEnvironment): CpuLimits {
  const { cgroupRoot, cgroupText, statusText, fallbackCpus, env } = environment;
  const quota = readCgroupQuota(cgroupRoot, cgroupText ?? '');
  const allowed = statusText === null ? fallbackCpus : countAllowed(statusText);
  const memory = env[memoryVariable];
  const lambdaCpus = memory === undefined ? null : Number(memory) / lambdaMegabytesPerCpu;
  const isMemoryClear = lambdaCpus === null || (Number.isFinite(lambdaCpus) && lambdaCpus > 0);
  const complaints = [
    ...quota.complaints,
    ...(allowed === null ? ['/proc/self/status names no allowed processors'] : []),
    ...(isMemoryClear ? [] : [`${memoryVariable} is ${JSON.stringify(memory)}`]),
  ];
  return {
    affinityCpus: allowed ?? fallbackCpus,
    quotaCpus: quota.cpus,
    lambdaCpus: isMemoryClear ? lambdaCpus : null,
    warning:
      complaints.length === 0
        ? null
        : `The CPU quota may not be known, so threads follow what else is: ${complaints.join('; ')}.`,
  };
}

const memoryVariable = 'AWS_LAMBDA_FUNCTION_MEMORY_SIZE';

/** `0-2,5` is four; null when there is no such line, or it is no such list. */
function countAllowed(statusText: string): number | null {
  const list = /^Cpus_allowed_list:\s*(\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)$/m.exec(statusText)?.[1];
  if (list === undefined) return null;
  return list.split(',').reduce((sum, range) => {
    const [first, last = first] = range.split('-');
    return sum + Math.max(0, Number(last) - Number(first) + 1);
  }, 0);
}

function countCpus(cpus: number): string {
  return `${Number(cpus.toPrecision(3))} CPU`;
}

function readQuietly(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
