import { copyFile, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { examineRuntimes } from '../src/examine-runtimes.js';
import { useTempFolder } from './fixtures/temp-folder.js';
import { requireOpenvino } from './services/require-openvino.js';

const tempFolder = useTempFolder();
const before = process.env.OPENVINO_LIB_PATH;
afterEach(() => {
  if (before === undefined) delete process.env.OPENVINO_LIB_PATH;
  else process.env.OPENVINO_LIB_PATH = before;
});

async function rowsOfOpenvino() {
  const { rows } = await examineRuntimes();
  expect(rows[0]).toMatchObject({ name: 'onnxruntime', value: expect.stringMatching(/^1\./) });
  return rows.slice(1);
}

describe('what doctor says of OpenVINO', () => {
  it('is its version, where it is, what it computes in here, and whether it can convert', async (context) => {
    const { libraryPath, python } = await requireOpenvino(context);
    const [found, computes, converts] = await rowsOfOpenvino();
    expect(found).toMatchObject({ name: 'openvino', value: '2026.4.1' });
    expect(found?.note).toContain(libraryPath);
    expect(found?.note).toContain('found by --openvino-lib or OPENVINO_LIB_PATH');
    expect(computes?.value.split(', ')).toContain('f32');
    expect(converts?.value).toBe(python === null ? 'missing' : 'ovc');
  });

  it('is nothing where the path that was given is wrong: that is an error', async () => {
    process.env.OPENVINO_LIB_PATH = '/nowhere/libopenvino_c.so';
    await expect(examineRuntimes()).rejects.toMatchObject({
      code: 'openvino-path-wrong',
      facts: { path: '/nowhere/libopenvino_c.so' },
    });
  });

  it('is that it reads no ONNX, when what does is not there', async (context) => {
    const real = dirname((await requireOpenvino(context)).libraryPath);
    const folder = await tempFolder();
    const names = (await readdir(real)).filter((name) => !name.includes('onnx'));
    for (const name of names) await symlink(join(real, name), join(folder, name));
    process.env.OPENVINO_LIB_PATH = folder;
    const [, , reads] = await rowsOfOpenvino();
    expect(reads).toMatchObject({ name: 'openvino reads ONNX', value: 'missing' });
  });

  it('is that it cannot be used, when it is there and does not load', async (context) => {
    const real = dirname((await requireOpenvino(context)).libraryPath);
    const folder = await tempFolder();
    for (const name of await readdir(real)) {
      const isCore = /^libopenvino\.so/.test(name);
      if (isCore) await copyFile(join(real, 'libtbb.so.12'), join(folder, name));
      else await symlink(join(real, name), join(folder, name));
    }
    process.env.OPENVINO_LIB_PATH = folder;
    const [found, converts] = await rowsOfOpenvino();
    expect(found).toMatchObject({ name: 'openvino', value: 'unusable' });
    expect(found?.note).toMatch(/cannot be used/);
    expect(converts?.value).toBe('missing');
  });
});
