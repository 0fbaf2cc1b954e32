import { describe, expect, it } from 'vitest';
import type { GroupFiles } from '../../../src/bench/profile/group-files.js';
import { limitCpu, limitMemory } from '../../../src/bench/profile/group-limit.js';
import { removeGroup } from '../../../src/bench/profile/make-group.js';
import { openGroups } from '../../../src/bench/profile/open-groups.js';
import { FakeGroups } from '../../fixtures/fake-groups.js';

const limits = [limitCpu(2.5), limitMemory(512)];
const place = { root: '/cg', cgroupText: '0::/user/session\n', insideV2: null };

/** A process in `/cg/user/session`. */
async function makeKernel(controllers: readonly string[] = ['cpu', 'memory']): Promise<FakeGroups> {
  const kernel = new FakeGroups('/cg', controllers);
  await kernel.make('/cg/user');
  await kernel.make('/cg/user/session');
  const session = kernel.groups.get('/cg/user/session');
  if (session !== undefined) session.isBusy = true;
  return kernel;
}

async function handDown(kernel: FakeGroups, folder: string, controllers: readonly string[]): Promise<void> {
  for (const controller of controllers)
    await kernel.write(`${folder}/cgroup.subtree_control`, `+${controller}`);
}

const show = (kernel: FakeGroups, path: string) => Object.fromEntries(kernel.groups.get(path)?.files ?? []);
const countMade = (kernel: FakeGroups) =>
  [...kernel.groups.keys()].filter((path) => path.includes('optimise-model')).length;

describe('openGroups in version 2', () => {
  it('makes one group for all limits beside a group that has processes of its own', async () => {
    const kernel = await makeKernel();
    await handDown(kernel, '/cg', ['cpu', 'memory']);
    const { groups, reasons } = await openGroups(place, limits, kernel);
    expect(groups).toEqual([
      {
        version: 'v2',
        path: expect.stringMatching(/^\/cg\/user\/optimise-model-/),
        limits: ['cpu', 'memory'],
      },
    ]);
    expect(reasons).toEqual([]);
    const [group] = groups;
    expect(show(kernel, group?.path ?? '')).toMatchObject({
      'cpu.max': '250000 100000',
      'memory.max': String(512 * 2 ** 20),
      'memory.swap.max': '0',
    });
    expect(countMade(kernel)).toBe(1);
    await removeGroup(group?.path ?? '', kernel);
    expect(countMade(kernel)).toBe(0);
  });

  it('goes up to the root where nothing is handed down', async () => {
    const kernel = await makeKernel();
    kernel.locked.add('/cg/user');
    const { groups } = await openGroups(place, limits, kernel);
    expect(groups[0]?.path).toMatch(/^\/cg\/optimise-model-/);
    expect(groups[0]?.limits).toEqual(['cpu', 'memory']);
  });

  it('holds what it can where only some controllers are handed down, and says why not the rest', async () => {
    const kernel = await makeKernel(['memory']);
    const { groups, reasons } = await openGroups(place, limits, kernel);
    expect(groups.map((group) => group.limits)).toEqual([['memory']]);
    expect(reasons.join()).toContain('EBUSY');
    expect(countMade(kernel)).toBe(1);
  });

  it('makes nothing where nothing may be made, and says why', async () => {
    const kernel = await makeKernel();
    for (const folder of ['/cg', '/cg/user', '/cg/user/session']) kernel.locked.add(folder);
    const { groups, reasons } = await openGroups(place, limits, kernel);
    expect(groups).toEqual([]);
    expect(reasons).toContain('/cg/user/session answers EACCES');
    expect(countMade(kernel)).toBe(0);
  });

  it('goes inside a group that was handed in, as a process is in one group of version 2 only', async () => {
    const kernel = await makeKernel();
    await handDown(kernel, '/cg', ['cpu', 'memory']);
    await kernel.make('/cg/disk');
    const { groups } = await openGroups({ ...place, insideV2: '/cg/disk' }, limits, kernel);
    expect(groups[0]?.path).toMatch(/^\/cg\/disk\/optimise-model-/);
  });

  it('makes nothing in a plain folder, as is where version 1 is mounted', async () => {
    const made: string[] = [];
    const plain: GroupFiles = {
      make: async (folder) => void made.push(folder),
      remove: async () => undefined,
      list: async () => [],
      read: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' })),
      write: async () => undefined,
    };
    expect((await openGroups({ ...place, cgroupText: '0::/\n' }, limits, plain)).groups).toEqual([]);
    expect(made).toEqual([]);
  });

  it('sweeps groups of processes that are gone, and leaves those of others', async () => {
    const kernel = await makeKernel();
    await handDown(kernel, '/cg', ['cpu', 'memory']);
    const { groups } = await openGroups(place, limits, kernel);
    const mine = groups[0]?.path ?? '';
    const dead = mine.replace(/model-\d+-\d+/, 'model-4194303-1');
    const foreign = mine.replace(/-[0-9a-f]{16}-/, `-${'0'.repeat(16)}-`);
    for (const path of [dead, `${dead}/inner`, foreign]) await kernel.make(path);
    await openGroups(place, limits, kernel);
    expect(kernel.groups.has(dead)).toBe(false);
    expect(kernel.groups.has(foreign)).toBe(true);
    expect(kernel.groups.has(mine)).toBe(true);
  });
});
