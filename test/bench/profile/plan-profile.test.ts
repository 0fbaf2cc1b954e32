import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BenchProfile } from '../../../src/bench/bench-result.js';
import { listProfileFindings } from '../../../src/bench/profile/list-profile-findings.js';
import { explainOutOfMemory } from '../../../src/bench/profile/memory-watch.js';
import { planProfile } from '../../../src/bench/profile/plan-profile.js';

/** A root of control groups of version 2 with this quota. */
function makeRoot(cpuMax: string): string {
  const root = mkdtempSync(join(tmpdir(), 'plan-profile-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'cpu.max'), cpuMax);
  return root;
}

const sixteen = {
  cgroupRoot: '/nowhere',
  cgroupText: null,
  statusText: 'Cpus_allowed_list:\t0-15\n',
  fallbackCpus: 1,
  env: {},
};
const two = { ...sixteen, statusText: 'Cpus_allowed_list:\t0-1\n' };

function findings(memoryMiB: number | null, threads: number | null, more: Partial<BenchProfile> = {}) {
  const plan = planProfile(memoryMiB, threads, two);
  const limits = { cpuLimit: 'cgroup-v1', memoryLimit: 'cgroup-v1' } as const;
  return listProfileFindings({ ...plan.profile, ...limits, ...more }, plan, ['/cg answers EACCES']);
}

describe('planProfile', () => {
  it.each([
    [512, 1],
    [1769, 1],
    [3008, 1],
    [3538, 2],
    [10_240, 5],
  ])('gives one thread per 1,769 MB (C39): %d', (memoryMiB, threads) => {
    const { profile } = planProfile(memoryMiB, null, sixteen);
    expect(profile).toEqual({
      memoryMiB,
      vcpus: memoryMiB / 1769,
      threads,
      threadsOrigin: `Lambda memory ${memoryMiB} MB`,
    });
  });

  it('runs no more threads than this machine has processors', () => {
    expect(planProfile(10_240, null, two).profile).toMatchObject({
      threads: 2,
      threadsOrigin: 'affinity 2 CPUs',
    });
  });

  it("lets processes have the function's processors, but no more than this process may use by its own quota", () => {
    const quota = (text: string) => ({ ...two, cgroupRoot: makeRoot(text), cgroupText: '0::/\n' });
    expect(planProfile(1769, null, quota('150000 100000\n')).usableCpus).toBe(1);
    expect(planProfile(10_240, null, quota('150000 100000\n')).usableCpus).toBe(1.5);
    expect(planProfile(10_240, null, two).usableCpus).toBe(2);
  });

  it('takes the machine as it is without a memory setting, and threads as they are asked for', () => {
    expect(planProfile(null, null, two).profile).toEqual({
      memoryMiB: null,
      vcpus: 2,
      threads: 2,
      threadsOrigin: 'affinity 2 CPUs',
    });
    expect(planProfile(512, 3, two).profile).toMatchObject({ threads: 3, threadsOrigin: 'as asked for' });
  });
});

describe('listProfileFindings', () => {
  it('has nothing to say of a profile that holds', () => {
    expect(findings(2048, null)).toEqual([]);
    expect(findings(null, null, { cpuLimit: 'none', memoryLimit: 'none' })).toEqual([]);
  });

  it('says when a profile wants more processors than there are, or more threads than it has', () => {
    expect(findings(4096, null).map(({ code }) => code)).toEqual(['bench-profile-beyond-machine']);
    const [oversubscribed] = findings(2048, 2);
    expect(oversubscribed).toMatchObject({
      code: 'bench-threads-oversubscribed',
      facts: { threads: 2, cores: 1 },
    });
  });

  it('says what does not hold and why', () => {
    const [finding] = findings(1769, null, { cpuLimit: 'affinity', memoryLimit: 'none' });
    expect(finding).toMatchObject({ code: 'bench-profile-not-enforced', severity: 'warning' });
    expect(finding?.what).toContain('memory is not limited; /cg answers EACCES');
  });
});

describe('explainOutOfMemory', () => {
  const killed = { signal: 'SIGKILL', isLate: false } as const;
  const before = { oomKills: 1, peakBytes: 5 };
  const after = { oomKills: 2, peakBytes: 512 * 2 ** 20 };

  it('is a result when the kernel ended a process of the group', () => {
    const error = explainOutOfMemory(killed, 512, before, after);
    expect(error?.code).toBe('bench-sample-out-of-memory');
    expect(error?.what).toContain('512 MiB of its profile and was ended by the kernel at 512 MiB');
    expect(explainOutOfMemory(killed, 512, before, { ...after, peakBytes: null })?.what).not.toContain(
      ' at ',
    );
  });

  it('explains no other end', () => {
    expect(explainOutOfMemory(killed, 512, before, before)).toBeNull();
    expect(explainOutOfMemory({ ...killed, isLate: true }, 512, before, after)).toBeNull();
    expect(explainOutOfMemory({ ...killed, signal: 'SIGSEGV' }, 512, before, after)).toBeNull();
    expect(explainOutOfMemory(killed, null, before, after)).toBeNull();
    expect(explainOutOfMemory(killed, 512, null, null)).toBeNull();
  });
});
