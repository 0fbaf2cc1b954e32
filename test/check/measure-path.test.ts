import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { measurePath } from '../../src/check/measure-path.js';

let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'measure-'));
  folder = join(root, 'package');
  await mkdir(folder);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function refusal(path = folder): Promise<unknown> {
  return measurePath(path).then(
    () => 'measured',
    (error) => error.code,
  );
}

describe('measuring a path', () => {
  test('counts holes and every hard link in full, as an unzipped archive has neither', async () => {
    await writeFile(join(folder, 'sparse.bin'), '');
    await truncate(join(folder, 'sparse.bin'), 314_572_800);
    await writeFile(join(folder, 'h1'), new Uint8Array(4_194_304));
    await link(join(folder, 'h1'), join(folder, 'h2'));
    const measured = await measurePath(folder);
    expect(measured.sizeBytes).toBe(322_961_408);
    expect(measured.files.map((file) => file.path)).toEqual(['h1', 'h2', 'sparse.bin']);
  });

  test('follows links inside the folder and counts what they lead to', async () => {
    await mkdir(join(folder, 'real'));
    await writeFile(join(folder, 'real', 'a'), 'abc');
    await symlink('real', join(folder, 'alias'));
    const measured = await measurePath(folder);
    expect(measured.files.map(({ path, sizeBytes }) => `${path} ${sizeBytes}`)).toEqual([
      'alias/a 3',
      'real/a 3',
    ]);
  });

  test('refuses links that leave the folder, dangle, or go round', async () => {
    await writeFile(join(root, 'secret'), 'x');
    await symlink('../secret', join(folder, 'out'));
    expect(await refusal()).toBe('path-not-measurable');
    await rm(join(folder, 'out'));
    await symlink('nowhere', join(folder, 'dangling'));
    expect(await refusal()).toBe('path-not-measurable');
    await rm(join(folder, 'dangling'));
    await symlink('.', join(folder, 'round'));
    expect(await refusal()).toBe('path-not-measurable');
    await rm(join(folder, 'round'));
    await symlink('self', join(folder, 'self'));
    expect(await refusal()).toBe('path-not-measurable');
  });

  test('does not take a sibling whose name starts the same for the folder itself', async () => {
    await mkdir(join(root, 'package-2'));
    await writeFile(join(root, 'package-2', 'a'), 'x');
    await symlink('../package-2/a', join(folder, 'a'));
    expect(await refusal()).toBe('path-not-measurable');
  });

  test('refuses what is no regular file', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await refusal()).toBe('path-not-measurable');
  });

  test('measures one file, and refuses a zip archive by name', async () => {
    const file = join(root, 'm.onnx');
    await writeFile(file, 'abcde');
    expect(await measurePath(file)).toEqual({
      files: [{ path: 'm.onnx', sizeBytes: 5, sourcePath: file }],
      sizeBytes: 5,
    });
    await writeFile(join(root, 'layer.bin'), 'PK\u0003\u0004rest');
    expect(await refusal(join(root, 'layer.bin'))).toBe('archive-not-measured');
  });

  test('says that a path does not exist', async () => {
    expect(await refusal(join(root, 'missing'))).toBe('path-not-found');
  });

  test('gives 0 bytes for an empty folder', async () => {
    expect(await measurePath(folder)).toEqual({ files: [], sizeBytes: 0 });
  });
});
