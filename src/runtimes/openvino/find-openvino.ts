import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { OptimiseModelError } from '../../messages/error.js';
import { askPython } from './ask-python.js';
import { type FoundLibrary, findLibraryIn, readLibrary } from './library-name.js';
import { isInLambda, listOpenvinoPlaces, type OpenvinoPlace } from './openvino-places.js';
import { type Environment, findPythonOf } from './python-folders.js';

/** An OpenVINO on this machine; its library is not loaded. */
export type OpenvinoInstallation = {
  /** The library of its C API. */
  readonly libraryPath: string;
  /** Where that lies, and its other libraries with it. */
  readonly folder: string;
  /** As the library's name tells, such as `2026.4.1`; null where it does not. */
  readonly version: string | null;
  /** What led there: a variable, a Python on PATH, or the folder itself. */
  readonly foundBy: string;
  /** The Python whose package it is part of, with the converter; null where it is part of none. */
  readonly python: string | null;
};

/** The variable that names the library, as other programs have it too. */
const pathVariable = 'OPENVINO_LIB_PATH';

/**
 * Finds OpenVINO without loading it: what OPENVINO_LIB_PATH names, else what the Python on PATH, conda, Intel's archive,
 * a Lambda layer, LD_LIBRARY_PATH or the system has; at last the Python on PATH is asked, where that may be.
 *
 * @param environment - Variables of the process.
 * @param ground - `root` is what fixed folders such as `/opt` are below; `asksPython` false starts no process, as opening
 *   a model must not.
 * @returns The first one found.
 * @throws `openvino-path-wrong` when OPENVINO_LIB_PATH names no such library; `runtime-missing` when there is none, in a
 *   function `openvino-not-shipped`.
 */
export async function findOpenvino(
  environment: Environment = process.env,
  { root = '/', asksPython = true }: { readonly root?: string; readonly asksPython?: boolean } = {},
): Promise<OpenvinoInstallation> {
  const named = environment[pathVariable];
  if (named) return openNamed(named);
  for (const listPlaces of listOpenvinoPlaces(environment, root)) {
    const found = await findFirst(await listPlaces());
    if (found !== null) return found;
  }
  const asked = asksPython && !isInLambda(environment) ? await findByPython(environment) : null;
  if (asked !== null) return asked;
  if (isInLambda(environment)) {
    const functionName = environment.AWS_LAMBDA_FUNCTION_NAME ?? '';
    throw OptimiseModelError.of('openvino-not-shipped', { functionName });
  }
  const reason = `it is not installed, as far as was looked: no libopenvino_c was found by the Python on PATH, by CONDA_PREFIX, INTEL_OPENVINO_DIR or LD_LIBRARY_PATH, in /opt or in the system's folders`;
  const platform = `${process.platform}/${process.arch}`;
  const facts = { engine: 'openvino', packageName: 'openvino', platform, reason };
  throw OptimiseModelError.of('runtime-missing', facts);
}

async function openNamed(given: string): Promise<OpenvinoInstallation> {
  // A name without a folder is looked for elsewhere by whoever loads it.
  const path = resolve(given);
  const entry = await stat(path).catch((error: unknown) => {
    throw OptimiseModelError.of('openvino-path-wrong', { path, reason: 'does not exist' }, error);
  });
  const library = entry.isDirectory() ? await findLibraryIn(path) : await readLibrary(path);
  const reason = entry.isDirectory()
    ? 'is a folder without libopenvino_c'
    : 'is no library of OpenVINO’s C API';
  if (library === null || !basename(library.path).includes('openvino_c'))
    throw OptimiseModelError.of('openvino-path-wrong', { path, reason });
  const python = await findPythonOf(dirname(dirname(dirname(library.path))));
  return describe(library, { foundBy: `--openvino-lib or ${pathVariable}`, python });
}

async function findFirst(places: readonly OpenvinoPlace[]): Promise<OpenvinoInstallation | null> {
  for (const place of places.filter(({ folder }) => isAbsolute(folder))) {
    const library = await findLibraryIn(place.folder);
    if (library !== null) return describe(library, place);
  }
  return null;
}

async function findByPython(environment: Environment): Promise<OpenvinoInstallation | null> {
  const answer = await askPython(environment);
  if (answer === null) return null;
  const { python, libraryFolders } = answer;
  const foundBy = `${python}, the python3 on PATH`;
  return findFirst(libraryFolders.map((folder) => ({ folder, foundBy, python })));
}

function describe(
  { path, version }: FoundLibrary,
  { foundBy, python }: Pick<OpenvinoPlace, 'foundBy' | 'python'>,
): OpenvinoInstallation {
  return { libraryPath: path, folder: dirname(path), version, foundBy, python };
}
