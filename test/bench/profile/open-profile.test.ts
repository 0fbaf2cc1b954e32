import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { explainOutOfMemory } from '../../../src/bench/profile/memory-watch.js';
import {
  type OpenedProfile,
  openProfile,
  type ProfileGround,
  readProfileGround,
} from '../../../src/bench/profile/open-profile.js';
import { listGroupFolders } from '../../../src/lib/control-groups.js';
import { converseWithChild } from '../../../src/lib/converse-with-child.js';

const signal = new AbortController().signal;

const look = `import { readFileSync } from 'node:fs';
  const read = (path) => readFileSync(path, 'utf8');
  const answer = (value) => process.send(value, () => process.disconnect());
`;

async function run<Answer>({ launcher }: OpenedProfile, script: string) {
  const folder = await mkdtemp(join(tmpdir(), 'optimise-model-test-'));
  try {
    const program = join(folder, 'child.mjs');
    await writeFile(program, look + script);
    const conversation = { program, args: [folder], request: null, timeoutMs: 60_000, signal, launcher };
    return await converseWithChild<Answer>(conversation);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * A profile of this machine's own control groups. These belong to the machine, not to a service that could be started:
 * where they may not be written the test is skipped, in CI too.
 */
async function openReal(context: TestContext, limitMiB: number, groups: readonly string[] = []) {
  const opened = await openProfile(limitMiB, null, readProfileGround(groups));
  context.onTestFinished(() => opened.close());
  if (opened.profile.cpuLimit !== 'cgroup-v1' || opened.profile.memoryLimit !== 'cgroup-v1') {
    context.skip(`control groups of version 1 may not be written: ${opened.findings[0]?.what ?? ''}`);
  }
  return opened;
}

/** Enough that a process has not too small a share of a processor, and little enough to be filled soon. */
const memoryMiB = 256;

type Place = { readonly cpu: string; readonly memory: string };
const findPlace = `const text = read('/proc/self/cgroup');
  const find = (name) => '/sys/fs/cgroup/' + name + text.match(new RegExp('^\\\\d+:' + name + ':(.*)$', 'm'))[1];
  const place = { cpu: find('cpu'), memory: find('memory') };
`;

// What is throttled waits most of the time.
describe.concurrent('openProfile with control groups', () => {
  it('starts a process under the quota and the memory limit, and removes both groups', async (context) => {
    const opened = await openReal(context, 512);
    const script = `${findPlace}
      // As long as it takes to spend a period's share; then the kernel makes it wait.
      while (/nr_throttled 0$/m.test(read(place.cpu + '/cpu.stat'))) {}
      const quota = read(place.cpu + '/cpu.cfs_quota_us') / read(place.cpu + '/cpu.cfs_period_us');
      answer({ ...place, quota, limit: read(place.memory + '/memory.limit_in_bytes').trim() });`;
    const { answer } = await run<Place & { quota: number; limit: string }>(opened, script);
    expect(answer?.quota).toBeCloseTo(512 / 1769, 4);
    expect(answer?.limit).toBe(String(512 * 2 ** 20));
    expect(await opened.readMemory()).toMatchObject({ oomKills: 0 });
    await opened.close();
    for (const folder of [answer?.cpu, answer?.memory]) {
      await expect(stat(folder ?? '')).rejects.toThrow('ENOENT');
    }
  });

  it('makes running out of memory a result', async (context) => {
    const opened = await openReal(context, memoryMiB);
    const before = await opened.readMemory();
    const end = await run(opened, 'const kept = []; for (;;) kept.push(Buffer.alloc(1 << 23, 1));');
    expect(end).toMatchObject({ answer: undefined, signal: 'SIGKILL', isLate: false });
    const error = explainOutOfMemory(end, opened.profile.memoryMiB, before, await opened.readMemory());
    expect(error?.code).toBe('bench-sample-out-of-memory');
    expect(error?.what).toContain(`${memoryMiB} MiB`);
  });

  it('lets a process write and read a file larger than its memory: page cache is given back', async (context) => {
    const opened = await openReal(context, memoryMiB);
    const fileMiB = memoryMiB + 32;
    const script = `const fs = await import('node:fs');
      const path = process.argv[2] + '/file';
      const piece = Buffer.alloc(1 << 20, 7);
      const file = fs.openSync(path, 'w+');
      for (let at = 0; at < ${fileMiB}; at += 1) fs.writeSync(file, piece, 0, piece.length, at << 20);
      for (let at = 0; at < ${fileMiB}; at += 1) fs.readSync(file, piece, 0, piece.length, at << 20);
      answer(fs.statSync(path).size);`;
    expect(await run(opened, script)).toMatchObject({ answer: fileMiB << 20, exitCode: 0 });
  });

  it('joins the groups it is handed as well', async (context) => {
    const { files, cpu } = readProfileGround([]);
    const [blkio] = listGroupFolders(cpu.cgroupRoot, cpu.cgroupText ?? '', 'blkio');
    const folder = join(blkio?.path ?? '', `optimise-model-test-${process.pid}`);
    if (blkio?.version !== 'v1') context.skip('there is no group of version 1 for blkio');
    await files.make(folder).catch((error) => context.skip(`${folder}: ${error.code}`));
    context.onTestFinished(() => files.remove(folder));
    const opened = await openReal(context, 512, [folder]);
    const { answer } = await run<string>(opened, `answer(read('/proc/self/cgroup'));`);
    expect(answer).toMatch(new RegExp(`:blkio:.*/optimise-model-test-${process.pid}$`, 'm'));
    expect(answer).toMatch(/:cpu:.*\/optimise-model-\d+-/);
    const plain = await openProfile(null, null, readProfileGround([folder]));
    const alone = await run<string>(plain, `answer(read('/proc/self/cgroup'));`);
    expect(alone.answer).toMatch(/:blkio:.*\/optimise-model-test-/);
    expect(alone.answer).not.toMatch(/:cpu:.*\/optimise-model-/);
  });

  it('sweeps what a process that died has left', async (context) => {
    const opened = await openReal(context, 256);
    const { answer } = await run<Place>(opened, `${findPlace} answer(place);`);
    const mine = answer?.cpu ?? '';
    const left = mine.replace(/model-\d+-\d+/, 'model-4194303-1');
    await readProfileGround([]).files.make(left);
    const next = await openProfile(256, null, readProfileGround([]));
    context.onTestFinished(() => next.close());
    const names = await readdir(dirname(mine));
    expect(names).toContain(mine.slice(dirname(mine).length + 1));
    expect(names).not.toContain(left.slice(dirname(left).length + 1));
  });
});

describe('openProfile without control groups', () => {
  const real = readProfileGround([]);
  const bare: ProfileGround = { ...real, cpu: { ...real.cpu, cgroupText: null } };
  const isSmall = process.platform !== 'linux' || availableParallelism() < 2;

  it.skipIf(isSmall)('keeps a process to whole processors, and says that memory is not limited', async () => {
    const opened = await openProfile(1024, null, bare);
    expect(opened.profile).toMatchObject({ cpuLimit: 'affinity', memoryLimit: 'none', threads: 1 });
    expect(opened.findings.map(({ code }) => code)).toEqual(['bench-profile-not-enforced']);
    const own = availableParallelism();
    const script = `answer((await import('node:os')).availableParallelism());`;
    expect((await run<number>(opened, script)).answer).toBe(1);
    expect(availableParallelism()).toBe(own);
    expect(await opened.readMemory()).toBeNull();
  });

  it('falls back when a process may not be moved into the groups it could make', async (context) => {
    const attempted = await openReal(context, 512);
    await attempted.close();
    const opened = await openProfile(512, null, { ...real, mayJoin: async () => false });
    context.onTestFinished(() => opened.close());
    expect(opened.profile.cpuLimit).not.toMatch('cgroup');
    expect(opened.findings.map(({ what }) => what).join()).toContain('may not be moved');
  });

  it('leaves the whole machine as it is', async () => {
    const opened = await openProfile(null, null, bare);
    expect(opened.profile).toMatchObject({ memoryMiB: null, cpuLimit: 'none', memoryLimit: 'none' });
    expect(opened.findings).toEqual([]);
    expect((await run<number>(opened, 'answer(5);')).answer).toBe(5);
  });
});
