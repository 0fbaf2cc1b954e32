import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type CpuEnvironment,
  chooseThreads,
  isOversubscribed,
  readCpuEnvironment,
  readCpuLimits,
} from '../../src/lib/cpu-quota.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

const tempFolder = useTempFolder();
const v2 = '0::/service/leaf\n';
const v1 = '12:memory:/\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/\n0::/\n';

/** A host with 16 processors and these files under its control-group root. */
async function host(
  files: Readonly<Record<string, string>>,
  more: Partial<CpuEnvironment> = {},
): Promise<CpuEnvironment> {
  const cgroupRoot = join(await tempFolder(), 'cgroup');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(cgroupRoot, name)), { recursive: true });
    await writeFile(join(cgroupRoot, name), text);
  }
  const statusText = 'Name:\tnode\nCpus_allowed:\tffff\nCpus_allowed_list:\t0-15\nMems_allowed_list:\t0\n';
  return { cgroupRoot, cgroupText: v2, statusText, fallbackCpus: 16, env: {}, ...more };
}

const v1Files = (quota: string, period = '100000\n') => ({
  'cpu,cpuacct/docker/abc/cpu.cfs_quota_us': quota,
  'cpu,cpuacct/docker/abc/cpu.cfs_period_us': period,
});

describe('chooseThreads (C39)', () => {
  it.each([
    ['a', '20000 100000\n', 1, 'cgroup quota 0.2 CPU'],
    ['b', '125000 100000\n', 1, 'cgroup quota 1.25 CPU'],
    ['c', '250000 100000\n', 2, 'cgroup quota 2.5 CPU'],
    ['d', 'max 100000\n', 16, 'affinity 16 CPUs'],
  ])('takes the whole processors of a version 2 quota (%s)', async (_case, text, threads, origin) => {
    const environment = await host({ 'service/leaf/cpu.max': text });
    expect(chooseThreads(environment)).toEqual({ threads, origin, warning: null });
  });

  it('takes the quota of a parent when the leaf has none, or a wider one (e)', async () => {
    const parent = { 'service/cpu.max': '200000 100000\n' };
    const choice = { threads: 2, origin: 'cgroup quota 2 CPU', warning: null };
    expect(chooseThreads(await host({ ...parent, 'service/leaf/cpu.max': 'max 100000\n' }))).toEqual(choice);
    expect(chooseThreads(await host({ ...parent, 'service/leaf/cpu.max': '400000 100000\n' }))).toEqual(
      choice,
    );
  });

  it('knows that -1 is no quota in version 1 (f), and reads one that is (g)', async () => {
    const none = await host(v1Files('-1\n'), { cgroupText: v1 });
    expect(chooseThreads(none)).toEqual({ threads: 16, origin: 'affinity 16 CPUs', warning: null });
    const some = await host(v1Files('150000\n'), { cgroupText: v1 });
    expect(chooseThreads(some)).toEqual({ threads: 1, origin: 'cgroup quota 1.5 CPU', warning: null });
  });

  it("reads a version 1 quota where a container mounts its own group as the root, and of a process's parents", async () => {
    const mounted = { 'cpu/cpu.cfs_quota_us': '300000\n', 'cpu/cpu.cfs_period_us': '100000\n' };
    expect(chooseThreads(await host(mounted, { cgroupText: v1 })).threads).toBe(3);
    const parent = { 'cpu/docker/cpu.cfs_quota_us': '200000\n', 'cpu/docker/cpu.cfs_period_us': '50000\n' };
    expect(chooseThreads(await host(parent, { cgroupText: v1 })).threads).toBe(4);
  });

  it('follows the affinity mask without a quota (h), and below a wider quota', async () => {
    const statusText = 'Cpus_allowed_list:\t0-1,5\n';
    const choice = { threads: 3, origin: 'affinity 3 CPUs', warning: null };
    expect(chooseThreads(await host({}, { statusText }))).toEqual(choice);
    expect(chooseThreads(await host({ 'cpu.max': '350000 100000\n' }, { statusText }))).toEqual(choice);
    const one = await host({}, { statusText: 'Cpus_allowed_list:\t7\n' });
    expect(chooseThreads(one)).toEqual({ threads: 1, origin: 'affinity 1 CPU', warning: null });
  });

  it.each([
    ['version 2, a word', { 'service/leaf/cpu.max': 'lots\n' }, v2],
    ['version 2, empty', { 'service/leaf/cpu.max': '' }, v2],
    ['version 2, no period', { 'service/leaf/cpu.max': '100000\n' }, v2],
    ['version 2, a period of 0', { 'service/leaf/cpu.max': '100000 0\n' }, v2],
    ['version 2, below 0', { 'service/leaf/cpu.max': '-1 100000\n' }, v2],
    ['version 1, a word', v1Files('lots\n'), v1],
    ['version 1, a word as the period', v1Files('100000\n', 'soon\n'), v1],
    ['version 1, no period', { 'cpu/docker/abc/cpu.cfs_quota_us': '100000\n' }, v1],
  ])('warns of a garbled file and follows the affinity mask (i): %s', async (_case, files, cgroupText) => {
    const choice = chooseThreads(await host(files, { cgroupText }));
    expect(choice).toMatchObject({ threads: 16, origin: 'affinity 16 CPUs' });
    expect(choice.warning).toContain(
      'docker/abc' in files ? 'cfs' : cgroupText === v1 ? 'cpu.cfs_' : 'cpu.max',
    );
  });

  it('warns of a file that cannot be read and follows the affinity mask (i)', async () => {
    // A folder in its place cannot be read even by root.
    const environment = await host({ 'service/leaf/cpu.max/file': '' });
    const choice = chooseThreads(environment);
    expect(choice).toMatchObject({ threads: 16, origin: 'affinity 16 CPUs' });
    expect(choice.warning).toMatch(/cpu\.max cannot be read \(EISDIR\)/);
  });

  it('keeps a quota that is readable above a garbled one, with the warning', async () => {
    const files = { 'service/leaf/cpu.max': '?', 'service/cpu.max': '200000 100000\n' };
    const choice = chooseThreads(await host(files));
    expect(choice).toMatchObject({ threads: 2, origin: 'cgroup quota 2 CPU' });
    expect(choice.warning).toContain('says "?"');
  });

  it.each([
    ['512', 1],
    ['1769', 1],
    ['3008', 1],
    ['3538', 2],
    ['10240', 5],
  ])('gives one thread per 1,769 MB on Lambda: %s MB', async (memory, threads) => {
    const environment = await host({}, { env: { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memory } });
    expect(chooseThreads(environment)).toEqual({
      threads,
      origin: `Lambda memory ${memory} MB`,
      warning: null,
    });
  });

  it('warns of a Lambda memory that is no number', async () => {
    for (const memory of ['', 'much', '0', '-5']) {
      const choice = chooseThreads(await host({}, { env: { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memory } }));
      expect(choice).toMatchObject({ threads: 16, origin: 'affinity 16 CPUs' });
      expect(choice.warning).toContain('AWS_LAMBDA_FUNCTION_MEMORY_SIZE');
    }
  });

  it('counts the processors that the system names where there is no /proc, and where it names none', async () => {
    const elsewhere = await host({}, { cgroupText: null, statusText: null, fallbackCpus: 8 });
    expect(chooseThreads(elsewhere)).toEqual({ threads: 8, origin: 'affinity 8 CPUs', warning: null });
    const silent = chooseThreads(await host({}, { statusText: 'Name:\tnode\n', fallbackCpus: 8 }));
    expect(silent).toMatchObject({ threads: 8, warning: expect.stringContaining('/proc/self/status') });
  });

  it('does not follow a path that leads out of the mount', async () => {
    const environment = await host({ 'cpu.max': '300000 100000\n' }, { cgroupText: '0::/../../elsewhere\n' });
    expect(chooseThreads(environment)).toMatchObject({ threads: 3, warning: null });
  });

  it('flags more threads than there are whole processors', async () => {
    const choice = chooseThreads(await host({ 'cpu.max': '250000 100000\n' }));
    expect(isOversubscribed(2, choice)).toBe(false);
    expect(isOversubscribed(3, choice)).toBe(true);
  });

  it('reads this very process', async () => {
    const limits = readCpuLimits(readCpuEnvironment());
    expect(limits.affinityCpus).toBeGreaterThanOrEqual(1);
    expect(chooseThreads(readCpuEnvironment()).threads).toBeLessThanOrEqual(limits.affinityCpus);
  });
});
