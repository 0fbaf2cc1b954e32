/** One file of a control group and what is written into it. */
export type GroupSetting = {
  readonly file: string;
  readonly text: string;
  /** Without it the limit does not hold; others are written where they exist. */
  readonly isNeeded: boolean;
};

/** A limit in the terms of both versions of control groups. */
export type GroupLimit = {
  readonly v1: { readonly controller: string; readonly settings: readonly GroupSetting[] };
  readonly v2: { readonly controller: string; readonly settings: readonly GroupSetting[] };
};

/** µs in which a quota is spent; the kernel's own default. */
const periodUs = 100_000;

const needed = (file: string, text: string | number): GroupSetting => ({
  file,
  text: String(text),
  isNeeded: true,
});

/**
 * Limits the processors of a group.
 *
 * @param cpus - How many, such as 0.29; > 0.
 * @returns The limit; the kernel takes no quota below 1 ms per period.
 * @see https://docs.kernel.org/scheduler/sched-bwc.html
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html (cpu.max)
 */
export function limitCpu(cpus: number): GroupLimit {
  const quotaUs = Math.max(1000, Math.round(cpus * periodUs));
  return {
    v1: {
      controller: 'cpu',
      settings: [needed('cpu.cfs_period_us', periodUs), needed('cpu.cfs_quota_us', quotaUs)],
    },
    v2: { controller: 'cpu', settings: [needed('cpu.max', `${quotaUs} ${periodUs}`)] },
  };
}

/**
 * Limits the memory of a group, page cache included, of which the kernel takes back what it can before it ends a
 * process; no swap, as a function has none.
 *
 * @param memoryMiB - Memory, MiB.
 * @returns The limit.
 * @see https://docs.kernel.org/admin-guide/cgroup-v1/memory.html
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html (memory.max)
 */
export function limitMemory(memoryMiB: number): GroupLimit {
  const bytes = memoryMiB * 2 ** 20;
  const optional = (file: string, text: string | number) => ({ ...needed(file, text), isNeeded: false });
  return {
    v1: {
      controller: 'memory',
      settings: [
        needed('memory.limit_in_bytes', bytes),
        optional('memory.memsw.limit_in_bytes', bytes),
        optional('memory.swappiness', 0),
      ],
    },
    v2: {
      controller: 'memory',
      settings: [needed('memory.max', bytes), optional('memory.swap.max', 0)],
    },
  };
}
