import { fork } from 'node:child_process';
import { mkdtemp, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { markName } from '../../src/lib/marked-name.js';
import { writeAtomically, writeFileAtomically } from '../../src/lib/write-atomically.js';
import { leaveFolder, nameOfDead } from '../fixtures/left-behind.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atomic-'));
  path = join(folder, 'x.json');
});

const name = { prefix: '.x.json.', suffix: '.part' };

async function leave(entry: string, ageDays = 0): Promise<string> {
  await writeFile(join(folder, entry), 'half');
  const then = new Date(Date.now() - ageDays * 86_400_000 - 1_000);
  await utimes(join(folder, entry), then, then);
  return entry;
}

describe('writing beside a target', () => {
  it('leaves the target as it was and nothing beside it when the work fails', async () => {
    await writeFileAtomically(path, 'old');
    const failing = writeAtomically(path, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([['x.json'], 'old']);
  });

  it('removes what a killed process left, when the same target is written next', async () => {
    const child = fork(new URL('../fixtures/hold-part.mjs', import.meta.url), [path], {
      execArgv: [],
      env: {},
    });
    await new Promise((resolve) => child.once('message', resolve));
    await writeFileAtomically(path, 'while it lives');
    expect(await readdir(folder)).toHaveLength(2);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    await writeFileAtomically(path, 'new');
    expect([await readdir(folder), await readFile(path, 'utf8')]).toEqual([['x.json'], 'new']);
  });

  it('removes what is a day old where it cannot tell whose it is', async () => {
    const elsewhere = markName(name).replace(/[0-9a-f]{16}/, '0'.repeat(16));
    const older = markName(name).replace(/[0-9a-f]{16}/, '1'.repeat(16));
    await leave(older, 1);
    await leave('.x.json.0123456789ab.part', 1);
    const kept = [await leave(elsewhere, 0.9), await leave('.x.json.ba9876543210.part')];
    await leaveFolder(folder, name.prefix, name.suffix);
    await writeFileAtomically(path, 'new');
    expect((await readdir(folder)).sort()).toEqual([...kept, 'x.json'].sort());
  });

  it('touches nothing that is not of this target or that it did not name', async () => {
    const others = [
      await leave(nameOfDead('.y.json.', '.part'), 9),
      await leave(nameOfDead('.x.json.y.', '.part'), 9),
      await leave('.x.json.mine.part', 9),
      await leave('.x.json.lock', 9),
      await leave(markName(name), 9),
    ];
    await writeFileAtomically(path, 'new');
    expect((await readdir(folder)).sort()).toEqual([...others, 'x.json'].sort());
  });

  it('takes a target whose name is as long as a name can be', async () => {
    const long = `${'x'.repeat(250)}.json`;
    await writeFileAtomically(join(folder, long), 'new');
    expect(await readdir(folder)).toEqual([long]);
  });
});
