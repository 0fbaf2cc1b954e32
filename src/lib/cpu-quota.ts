import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A CPU limit of the control group, in CPUs; null when none is set or none can be read. */
export type CpuQuota = { readonly cpus: number | null; readonly origin: string };

/**
 * Reads the CPU quota of this process's control group, version 2 or 1, as it is seen from inside a container.
 *
 * @param root - Where the control groups are mounted.
 * @returns The quota in CPUs and the file it comes from.
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html (cpu.max)
 */
export async function readCpuQuota(root = '/sys/fs/cgroup'): Promise<CpuQuota> {
  const v2 = await readWords(join(root, 'cpu.max'));
  if (v2 !== undefined) return { cpus: divide(v2[0], v2[1]), origin: 'cgroup v2 cpu.max' };
  const [quota] = (await readWords(join(root, 'cpu', 'cpu.cfs_quota_us'))) ?? [];
  const [period] = (await readWords(join(root, 'cpu', 'cpu.cfs_period_us'))) ?? [];
  if (quota !== undefined) return { cpus: divide(quota, period), origin: 'cgroup v1 cpu.cfs_quota_us' };
  return { cpus: null, origin: 'no control group' };
}

async function readWords(path: string): Promise<readonly string[] | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text?.trim().split(/\s+/);
}

function divide(quota: string | undefined, period: string | undefined): number | null {
  const cpus = Number(quota) / Number(period);
  return Number.isFinite(cpus) && cpus > 0 ? cpus : null;
}
