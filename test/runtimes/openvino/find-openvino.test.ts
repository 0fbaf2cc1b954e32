import { chmod, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findOpenvino } from '../../../src/runtimes/openvino/find-openvino.js';
import { catchError } from '../../fixtures/catch-error.js';
import { useTempFolder } from '../../fixtures/temp-folder.js';
import { requireOpenvino } from '../../services/require-openvino.js';

const tempFolder = useTempFolder();
let root = '';
beforeEach(async () => {
  root = await tempFolder();
});

async function put(path: string, text = ''): Promise<string> {
  const whole = join(root, path);
  await mkdir(dirname(whole), { recursive: true });
  await writeFile(whole, text);
  return whole;
}

async function putProgram(path: string, text = ''): Promise<string> {
  const whole = await put(path, text);
  await chmod(whole, 0o755);
  return whole;
}

async function link(path: string, target: string): Promise<string> {
  const whole = join(root, path);
  await mkdir(dirname(whole), { recursive: true });
  await symlink(target, whole);
  return whole;
}

/** As a distribution has it: `bin/python3` is a link to the program that is named after its release. */
async function putPython(prefix: string, release = 'python3.11'): Promise<string> {
  await putProgram(`${prefix}/bin/${release}`);
  return link(`${prefix}/bin/python3`, release);
}

/** What a wrapper such as pyenv's stands for: it is not seen, and answers what a Python would. */
function putAnswer(folders: readonly string[], noise = ''): Promise<string> {
  const answer = JSON.stringify({ python: '/p', folders });
  const lines = [noise, `optimise-model-answer:${answer}`, noise].map((line) => `echo '${line}'\n`);
  return putProgram('shims/python3', `#!/bin/sh\n${lines.join('')}`);
}

const find = (environment: Record<string, string>) => findOpenvino(environment, { root });
const libs = 'site-packages/openvino/libs';

describe('findOpenvino', () => {
  it('takes what OPENVINO_LIB_PATH names before anything else: the file, or its folder', async () => {
    const python = await putPython('usr');
    await put(`usr/lib/python3.11/${libs}/libopenvino_c.so.2641`);
    const own = await put('own/libopenvino_c.so.2520');
    const expected = {
      libraryPath: own,
      folder: dirname(own),
      version: '2025.2.0',
      foundBy: '--openvino-lib or OPENVINO_LIB_PATH',
      python: null,
    };
    for (const OPENVINO_LIB_PATH of [own, dirname(own)])
      expect(await find({ OPENVINO_LIB_PATH, PATH: dirname(python) })).toEqual(expected);
  });

  it('knows the Python of a library that lies in a package', async () => {
    const python = await putPython('venv');
    const library = await put(`venv/lib/python3.11/${libs}/libopenvino_c.so.2641`);
    expect(await find({ OPENVINO_LIB_PATH: library })).toMatchObject({
      python: join(dirname(python), 'python3.11'),
    });
  });

  it('refuses a path that leads nowhere, and never looks on', async () => {
    await put('opt/lib/libopenvino_c.so.2641');
    const cases = [
      [join(root, 'none.so'), 'does not exist'],
      [join(root, 'opt'), 'is a folder without libopenvino_c'],
      [await put('model.onnx'), 'is no library of OpenVINO’s C API'],
    ] as const;
    for (const [path, reason] of cases) {
      const error = await catchError(() => find({ OPENVINO_LIB_PATH: path }));
      expect(error).toMatchObject({ code: 'openvino-path-wrong', exitCode: 2, facts: { path, reason } });
    }
  });

  it('looks where the Python on PATH imports from: its release, Debian’s folders, the user’s', async () => {
    const python = await putPython('usr');
    const PATH = `relative:${join(root, 'nothing')}:${dirname(python)}`;
    const HOME = join(root, 'home');
    await put(`usr/lib/python3.9/${libs}/libopenvino_c.so.2641`);
    await expect(find({ PATH, HOME })).rejects.toMatchObject({ code: 'runtime-missing' });
    for (const folder of [
      'usr/lib/python3.11/site-packages',
      'usr/lib64/python3.11/site-packages',
      'usr/lib/python3/dist-packages',
      'home/.local/lib/python3.11/site-packages',
    ]) {
      const library = await put(`${folder}/openvino/libs/libopenvino_c.so.2641`);
      expect(await find({ PATH, HOME })).toMatchObject({ foundBy: `${python} on PATH`, python });
      expect((await find({ PATH, OPENVINO_LIB_PATH: library })).libraryPath).toBe(library);
      await rm(library);
    }
  });

  it('looks into a virtual environment, and beyond it only where that is allowed', async () => {
    await putPython('usr');
    await link('venv/bin/python3', join(root, 'usr/bin/python3'));
    const settings = `home = ${join(root, 'usr/bin')}\ninclude-system-site-packages = `;
    await put('venv/pyvenv.cfg', `${settings}false\n`);
    const PATH = join(root, 'venv/bin');
    const outer = await put(`usr/lib/python3.11/${libs}/libopenvino_c.so.2520`);
    await expect(find({ PATH })).rejects.toMatchObject({ code: 'runtime-missing' });
    await put('venv/pyvenv.cfg', `${settings}true\n`);
    expect((await find({ PATH })).libraryPath).toBe(outer);
    const inner = await put(`venv/lib/python3.11/${libs}/libopenvino_c.so.2641`);
    expect(await find({ PATH })).toMatchObject({ libraryPath: inner, python: join(PATH, 'python3') });
  });

  it('looks into PYTHONPATH, as `pip install --target` fills it', async () => {
    const python = await putPython('usr');
    const library = await put('target/openvino/libs/libopenvino_c.so.2641');
    const environment = { PATH: dirname(python), PYTHONPATH: join(root, 'target') };
    expect(await find(environment)).toMatchObject({ libraryPath: library, foundBy: 'PYTHONPATH', python });
  });

  it('finds the package of conda, and its Python only where that has the converter', async () => {
    await put('conda/lib/libopenvino_c.so.2026.4.1');
    const library = await link('conda/lib/libopenvino_c.so', 'libopenvino_c.so.2026.4.1');
    const environment = { CONDA_PREFIX: join(root, 'conda') };
    await putPython('conda');
    await put('conda/lib/python3.11/os.py');
    expect(await find(environment)).toMatchObject({
      version: '2026.4.1',
      foundBy: 'CONDA_PREFIX',
      python: null,
    });
    await put('conda/lib/python3.11/site-packages/openvino/__init__.py');
    expect(await find(environment)).toMatchObject({ python: join(root, 'conda/bin/python3.11') });
    expect(dirname((await find(environment)).libraryPath)).toBe(dirname(library));
  });

  it.each([
    ['intel/runtime/lib/intel64', { INTEL_OPENVINO_DIR: 'intel' }],
    ['opt/intel/openvino_2026/runtime/lib/intel64', {}],
    ['task/openvino/libs', { LAMBDA_TASK_ROOT: 'task', AWS_LAMBDA_FUNCTION_NAME: 'f' }],
    ['opt/openvino/libs', { AWS_LAMBDA_FUNCTION_NAME: 'f' }],
    ['opt/python/openvino/libs', { AWS_LAMBDA_FUNCTION_NAME: 'f' }],
    ['opt/lib', {}],
    ['loaded', { LD_LIBRARY_PATH: 'loaded' }],
    ['usr/lib/x86_64-linux-gnu', {}],
    ['usr/local/lib', {}],
  ])('finds a library in %s', async (folder, given: Record<string, string>) => {
    const library = await put(`${folder}/libopenvino_c.so.2641`);
    const environment = Object.entries(given).map(([name, path]) => [name, join(root, path)]);
    expect(await find(Object.fromEntries(environment))).toMatchObject({
      libraryPath: library,
      version: '2026.4.1',
      python: null,
    });
  });

  it('prefers what a function ships to what its image has, and starts no Python there', async () => {
    const python = await putPython('usr');
    await put(`usr/lib/python3.11/${libs}/libopenvino_c.so.2641`);
    const shipped = await put('opt/openvino/libs/libopenvino_c.so.2520');
    const environment = { PATH: dirname(python), AWS_LAMBDA_FUNCTION_NAME: 'f' };
    expect((await find(environment)).libraryPath).toBe(shipped);
    const PATH = dirname(await putAnswer([join(root, 'asked/openvino')]));
    await put('asked/openvino/libs/libopenvino_c.so.2641');
    await rm(shipped);
    expect(await find({ PATH })).toMatchObject({ python: '/p' });
    const missing = { code: 'runtime-missing' };
    await expect(find({ PATH, AWS_LAMBDA_FUNCTION_NAME: 'f' })).rejects.toMatchObject({
      code: 'openvino-not-shipped',
      remedy: expect.stringContaining('/opt/openvino/libs'),
    });
    await expect(findOpenvino({ PATH }, { root, asksPython: false })).rejects.toMatchObject(missing);
  });

  it('takes nothing of what a Python says before or after its answer, and no folder that is not whole', async () => {
    await put('asked/openvino/libs/libopenvino_c.so.2641');
    const PATH = dirname(await putAnswer([join(root, 'asked/openvino')], 'start-up'));
    expect(await find({ PATH })).toMatchObject({ version: '2026.4.1' });
    await putAnswer(['asked/openvino']);
    await expect(find({ PATH, A: '1' })).rejects.toMatchObject({ code: 'runtime-missing' });
  });

  it('asks again after it was told that there is none', async () => {
    const PATH = dirname(await putAnswer([]));
    await expect(find({ PATH })).rejects.toMatchObject({ code: 'runtime-missing' });
    await put('asked/openvino/libs/libopenvino_c.so.2641');
    await putProgram('shims/python3', '#!/bin/sh\nexit 1\n');
    await expect(find({ PATH, A: '2' })).rejects.toMatchObject({ code: 'runtime-missing' });
    await putAnswer([join(root, 'asked/openvino')]);
    expect(await find({ PATH, A: '2' })).toMatchObject({ version: '2026.4.1' });
  });

  it('takes nothing from the folder that it is started in: no module, no library', async () => {
    const folder = join(root, 'project');
    await put('project/json.py', `open(${JSON.stringify(join(root, 'ran'))}, 'w')\n`);
    await put('project/openvino/__init__.py');
    await put('project/openvino/libs/libopenvino_c.so.2641');
    const before = process.cwd();
    process.chdir(folder);
    try {
      const { PATH = '' } = process.env;
      await putProgram('shims/python3', `#!/bin/sh\nPATH='${PATH}' exec python3 "$@"\n`);
      const found = await find({ PATH: join(root, 'shims') }).catch((error: unknown) => error);
      expect(JSON.stringify(found)).not.toContain(folder);
      await expect(stat(join(root, 'ran'))).rejects.toMatchObject({ code: 'ENOENT' });
    } finally {
      process.chdir(before);
    }
  });

  it('makes a whole path of one that is relative, so that what was looked at is loaded', async () => {
    const library = await put('own/libopenvino_c.so.2520');
    expect(await find({ OPENVINO_LIB_PATH: relative(process.cwd(), library) })).toMatchObject({
      libraryPath: library,
    });
    await expect(find({ CONDA_PREFIX: relative(process.cwd(), root) })).rejects.toMatchObject({
      code: 'runtime-missing',
    });
  });

  it('takes the highest of several versions, and knows none where the name has none', async () => {
    await put('opt/lib/libopenvino_c.so.2520');
    await put('opt/lib/libopenvino_c.so');
    const newest = await put('opt/lib/libopenvino_c.so.2610');
    await put('opt/lib/libopenvino_ir_frontend.so.2700');
    expect(await find({})).toMatchObject({ libraryPath: newest, version: '2026.1.0' });
    await put('own/libopenvino_c.so');
    expect(await find({ OPENVINO_LIB_PATH: join(root, 'own') })).toMatchObject({ version: null });
    await put('mac/libopenvino_c.2641.dylib');
    expect(await find({ OPENVINO_LIB_PATH: join(root, 'mac') })).toMatchObject({ version: '2026.4.1' });
  });

  it('says the one command that adds it when there is none, and stumbles over nothing on the way', async () => {
    await put('opt/lib', 'a file where a folder is looked for');
    await link('usr/local/lib', 'lib');
    const error = await catchError(() => find({ PATH: '', PYTHONPATH: '/nowhere', HOME: '' }));
    expect(error).toMatchObject({ code: 'runtime-missing', exitCode: 3, facts: { engine: 'openvino' } });
    expect(error.remedy).toContain('`python3 -m pip install openvino`');
  });

  it('finds the real one, by the variable and by its Python', async (context) => {
    const { libraryPath, python } = await requireOpenvino(context);
    expect(await findOpenvino({ OPENVINO_LIB_PATH: libraryPath })).toMatchObject({ version: '2026.4.1' });
    if (python === null) return;
    expect(await find({ PATH: dirname(python) })).toMatchObject({ libraryPath, version: '2026.4.1', python });
  });
});
