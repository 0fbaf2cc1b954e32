// Plain JavaScript, so that `npm run services:install` needs no TypeScript loader and nothing is written twice.
import { access, constants, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preparePython } from '../perf/python-packages.mjs';

const version = '2026.4.1';
const overrideVariable = 'OPTIMISE_MODEL_TEST_OPENVINO';
/** The version is part of the name, so that another one is installed anew. */
const folder = fileURLToPath(new URL(`../../.cache/services/openvino-${version}`, import.meta.url));

/** OpenVINO: the second engine, as its Python package has it, with the converter to its own format. */
export const openvino = { name: 'openvino', find, findPython, install, whyNot };

/**
 * Looks for the library of its C API: the environment variable, then what `install` made.
 * @returns {Promise<string | undefined>} The file's path.
 */
async function find() {
  const path = process.env[overrideVariable] || (await findInstalled());
  if (path === undefined) return undefined;
  return access(path, constants.R_OK).then(
    () => resolve(path),
    () => undefined,
  );
}

async function findInstalled() {
  const [python] = await list(join(folder, 'lib'), /^python3/);
  const libraries = join(folder, 'lib', `${python}`, 'site-packages', 'openvino', 'libs');
  const [library] = await list(libraries, /^libopenvino_c\./);
  return library === undefined ? undefined : join(libraries, library);
}

/** Names in a folder, none where there is no folder. */
async function list(path, pattern) {
  const names = await readdir(path).catch(() => []);
  return names.filter((name) => pattern.test(name)).sort();
}

/**
 * Looks for the Python that the library came with.
 * @returns {Promise<string | undefined>} Its path; undefined when it came without, as in an archive.
 */
async function findPython() {
  const library = await find();
  if (library === undefined) return undefined;
  // FOLDER/lib/python3.x/site-packages/openvino/libs/FILE.
  const path = join(dirname(library), '..', '..', '..', '..', '..', 'bin', 'python3');
  return access(path, constants.X_OK).then(
    () => path,
    () => undefined,
  );
}

/**
 * Says why there is none, and what to do about it.
 * @returns {Promise<string | undefined>} The reason; undefined when there is one.
 */
async function whyNot() {
  if ((await find()) !== undefined) return undefined;
  const override = process.env[overrideVariable];
  if (override) return `${overrideVariable} is ${override}, which is no file`;
  return 'openvino is not in .cache/services; `npm run services:install` installs it with Python';
}

/**
 * Installs it into a Python environment of its own, unless there is one already.
 * @returns {Promise<string>} The library's path.
 */
async function install() {
  const found = await find();
  if (found !== undefined) return found;
  const made = await preparePython(folder, [`openvino==${version}`]);
  if ('missing' in made) throw new Error(`${made.missing}; Python ≥ 3.10 and access to PyPI are needed`);
  const library = await find();
  if (library === undefined) throw new Error(`openvino ${version} has no C library in ${folder}`);
  return library;
}
