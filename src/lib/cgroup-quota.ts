import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GroupFolder, listGroupFolders } from './control-groups.js';

/** The tightest CPU limit of all control groups that bind a process. */
export type CgroupQuota = {
  /** In CPUs, such as 0.2; null when none is set. */
  readonly cpus: number | null;
  /** Files whose content says nothing, or that cannot be read, with the reason. */
  readonly complaints: readonly string[];
};

type FileText = { readonly text: string } | { readonly complaint: string } | null;

/**
 * Reads the tightest CPU quota over a process's control group and all above it, in version 2 and in version 1.
 *
 * @param root - Where the control groups are mounted, usually `/sys/fs/cgroup`.
 * @param cgroupText - The process's `/proc/PID/cgroup`.
 * @returns The quota in CPUs, and what could not be understood.
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html (cpu.max)
 * @see https://docs.kernel.org/scheduler/sched-bwc.html (cpu.cfs_quota_us)
 */
export function readCgroupQuota(root: string, cgroupText: string): CgroupQuota {
  const found = listGroupFolders(root, cgroupText, 'cpu').map(readQuota);
  const quotas = found.flatMap((each) => (typeof each === 'number' ? [each] : []));
  return {
    cpus: quotas.length === 0 ? null : Math.min(...quotas),
    complaints: found.flatMap((each) => (typeof each === 'string' ? [each] : [])),
  };
}

/** CPUs; null without a limit; a complaint as text. */
function readQuota({ version, path }: GroupFolder): number | string | null {
  return version === 'v2' ? readMax(join(path, 'cpu.max')) : readCompletelyFairQuota(path);
}

function readMax(path: string): number | string | null {
  const file = readText(path);
  if (file === null) return null;
  if ('complaint' in file) return file.complaint;
  const [, quota, period] = /^(max|\d+) (\d+)$/.exec(file.text) ?? [];
  return quota === 'max' ? null : (divide(quota, period) ?? garbled(path, file.text));
}

function readCompletelyFairQuota(folder: string): number | string | null {
  const path = join(folder, 'cpu.cfs_quota_us');
  const file = readText(path);
  if (file === null) return null;
  if ('complaint' in file) return file.complaint;
  if (file.text === '-1') return null;
  if (!/^\d+$/.test(file.text)) return garbled(path, file.text);
  const periodPath = join(folder, 'cpu.cfs_period_us');
  const period = readText(periodPath) ?? { complaint: `${periodPath} is missing` };
  if ('complaint' in period) return period.complaint;
  return divide(file.text, /^\d+$/.exec(period.text)?.[0]) ?? garbled(periodPath, period.text);
}

function divide(quota: string | undefined, period: string | undefined): number | undefined {
  const cpus = Number(quota) / Number(period);
  return Number.isFinite(cpus) && cpus > 0 ? cpus : undefined;
}

function garbled(path: string, text: string): string {
  return `${path} says ${JSON.stringify(text.slice(0, 40))}`;
}

/** Null for a file that is not there: the controller is off, or the group is not to be seen from here. */
function readText(path: string): FileText {
  try {
    return { text: readFileSync(path, 'utf8').trim() };
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : { complaint: `${path} cannot be read (${code})` };
  }
}
