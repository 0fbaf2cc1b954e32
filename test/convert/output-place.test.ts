import * as fileSystem from 'node:fs/promises';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openOutput, replaceFolder } from '../../src/convert/output-place.js';
import { writeTinyArtifact } from '../fixtures/artifact-folder.js';
import { catchError } from '../fixtures/catch-error.js';
import { leaveFolder } from '../fixtures/left-behind.js';
import { useTempFolder } from '../fixtures/temp-folder.js';

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof fileSystem>();
  return { ...original, rename: vi.fn(original.rename) };
});

const rename = vi.mocked(fileSystem.rename);
const tempFolder = useTempFolder();
let folder = '';
let out = '';

beforeEach(async () => {
  folder = await tempFolder();
  out = join(folder, 'artifact');
  await mkdir(out);
});
afterEach(() => rename.mockClear());

async function refusal(): Promise<string> {
  const error = await catchError(() => openOutput(out, []));
  expect(error).toMatchObject({ code: 'output-refused', exitCode: 2 });
  return String(error.facts.reason);
}

describe('openOutput', () => {
  it('takes an empty folder, and one that holds an artifact and nothing else', async () => {
    expect(await openOutput(out, [])).toEqual({ kind: 'folder', path: out });
    await writeTinyArtifact(out);
    expect(await openOutput(out, [])).toEqual({ kind: 'folder', path: out });
  });

  it('refuses a folder whose artifact.json is something else', async () => {
    await writeFile(join(out, 'artifact.json'), '{"contractName":"Token"}');
    await writeFile(join(out, 'Token.sol'), 'x');
    expect(await refusal()).toBe('the artifact.json in this folder is no record that this tool wrote');
  });

  it('names the files beside an artifact that would be lost, in folders too', async () => {
    await writeTinyArtifact(out);
    await mkdir(join(out, 'notes', 'empty'), { recursive: true });
    await writeFile(join(out, 'notes', 'thesis.txt'), 'x');
    await symlink('/etc/hostname', join(out, 'link'));
    expect(await refusal()).toBe(
      'this folder holds files that are no part of its artifact: link, notes, notes/empty, notes/thesis.txt',
    );
  });

  it('names the first of many', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await writeFile(join(out, name), 'x');
    expect(await refusal()).toBe(
      'this folder holds other files and no artifact.json: a, b, c, d, e and 2 more',
    );
  });
});

describe('replaceFolder', () => {
  const build = async (beside: string): Promise<void> => writeFile(join(beside, 'new'), 'new');

  it('puts the new folder in place of the old one and leaves nothing beside it', async () => {
    await writeTinyArtifact(out);
    await replaceFolder(out, build);
    expect([await readdir(folder), await readdir(out)]).toEqual([['artifact'], ['new']]);
  });

  it('removes what a conversion that was killed left beside the same folder', async () => {
    await leaveFolder(folder, '.artifact.', '.part');
    await replaceFolder(out, build);
    expect(await readdir(folder)).toEqual(['artifact']);
  });

  it('refuses when a file has come in while it built', async () => {
    const work = replaceFolder(out, async (beside) => {
      await build(beside);
      await writeFile(join(out, 'late.txt'), 'x');
    });
    expect((await catchError(() => work)).code).toBe('output-refused');
    expect([await readdir(folder), await readdir(out)]).toEqual([['artifact'], ['late.txt']]);
  });

  it('puts the old folder back when the new one cannot be put in place', async () => {
    await writeTinyArtifact(out);
    const before = await readdir(out);
    const { rename: original } = await vi.importActual<typeof fileSystem>('node:fs/promises');
    rename.mockImplementationOnce(original).mockRejectedValueOnce(new Error('no'));
    await expect(replaceFolder(out, build)).rejects.toThrow('no');
    expect([await readdir(folder), await readdir(out)]).toEqual([['artifact'], before]);
  });

  it('keeps the old folder and says where it is when it cannot be put back either', async () => {
    await writeTinyArtifact(out);
    const record = await readFile(join(out, 'artifact.json'), 'utf8');
    const { rename: original } = await vi.importActual<typeof fileSystem>('node:fs/promises');
    rename
      .mockImplementationOnce(original)
      .mockRejectedValueOnce(new Error('no'))
      .mockRejectedValueOnce(new Error('never'));
    const error = await catchError(() => replaceFolder(out, build));
    expect(error).toMatchObject({ code: 'output-set-aside', exitCode: 3, facts: { out, reason: 'no' } });
    expect(await readFile(join(String(error.facts.old), 'artifact.json'), 'utf8')).toBe(record);
    expect(await readdir(folder)).toHaveLength(1);
  });
});
