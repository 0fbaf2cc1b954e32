import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Environment, findPythonOf, listPackageFolders, splitPath } from './python-folders.js';

/** A folder that may hold the library, and what led there. */
export type OpenvinoPlace = {
  readonly folder: string;
  readonly foundBy: string;
  /** The Python whose package would be there; null where it is no part of one. */
  readonly python: string | null;
};

type Group = (environment: Environment, root: string) => Promise<readonly OpenvinoPlace[]>;

/**
 * Lists where the library may lie, the most particular place first, as far as looking is cheap. In a function, what was
 * shipped with it comes before what its image has.
 *
 * @param environment - Variables of the process.
 * @param root - What fixed folders such as `/opt` are below; `/`, but for tests.
 * @returns Groups to be looked through one after the other.
 */
export function listOpenvinoPlaces(
  environment: Environment,
  root: string,
): readonly (() => Promise<readonly OpenvinoPlace[]>)[] {
  const groups = isInLambda(environment)
    ? [ofLambda, ofPython, ofLoader, ofSystem]
    : [ofPython, ofConda, ofIntel, ofLambda, ofLoader, ofSystem];
  return groups.map((group) => () => group(environment, root));
}

/**
 * Tells whether this is a function of Lambda, or something that behaves like one.
 *
 * @param environment - Variables of the process.
 * @returns Whether Lambda started it.
 */
export function isInLambda(environment: Environment): boolean {
  return environment.AWS_LAMBDA_FUNCTION_NAME !== undefined;
}

const ofPython: Group = async (environment) => {
  const folders = await listPackageFolders(environment);
  return folders.map((found) => ({ ...found, folder: join(found.folder, 'openvino', 'libs') }));
};

const ofConda: Group = async ({ CONDA_PREFIX }) => {
  if (!CONDA_PREFIX) return [];
  const folder = join(CONDA_PREFIX, 'lib');
  return [{ folder, foundBy: 'CONDA_PREFIX', python: await findCondaPython(folder) }];
};

/** The library is a package of its own there, so that a Python beside it need not have the converter. */
async function findCondaPython(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => /^python3\.\d+$/.test(each))) {
    const packages = join(folder, name, 'site-packages');
    const hasPackage = await access(join(packages, 'openvino')).then(
      () => true,
      () => false,
    );
    if (hasPackage) return findPythonOf(packages);
  }
  return null;
}

const ofIntel: Group = async ({ INTEL_OPENVINO_DIR }, root) => {
  const optional = join(root, 'opt', 'intel');
  const names = await readdir(optional).catch(() => []);
  const installed = names
    .filter((name) => name.startsWith('openvino'))
    .sort()
    .toReversed();
  const places = [
    ...(INTEL_OPENVINO_DIR ? [{ base: INTEL_OPENVINO_DIR, foundBy: 'INTEL_OPENVINO_DIR' }] : []),
    ...installed.map((name) => ({ base: join(optional, name), foundBy: join(optional, name) })),
  ];
  return places.flatMap(({ base, foundBy }) =>
    ['intel64', 'aarch64', 'arm64/Release'].map((name) => ({
      folder: join(base, 'runtime', 'lib', name),
      foundBy,
      python: null,
    })),
  );
};

/** Layers are unpacked into `/opt`, the function's own package into the task root. */
const ofLambda: Group = async ({ LAMBDA_TASK_ROOT }, root) => {
  const layer = join(root, 'opt');
  const bases = [...(LAMBDA_TASK_ROOT ? [LAMBDA_TASK_ROOT] : []), layer, join(layer, 'python')];
  const folders = [...bases.map((base) => join(base, 'openvino', 'libs')), join(layer, 'lib')];
  return folders.map((folder) => ({ folder, foundBy: folder, python: null }));
};

const ofLoader: Group = async ({ LD_LIBRARY_PATH }) =>
  splitPath(LD_LIBRARY_PATH).map((folder) => ({ folder, foundBy: 'LD_LIBRARY_PATH', python: null }));

const ofSystem: Group = async (_environment, root) =>
  systemFolders.map((name) => {
    const folder = join(root, name);
    return { folder, foundBy: folder, python: null };
  });

const systemFolders = [
  'usr/local/lib',
  'usr/local/lib64',
  'usr/lib/x86_64-linux-gnu',
  'usr/lib/aarch64-linux-gnu',
  'usr/lib64',
  'usr/lib',
  'opt/homebrew/lib',
] as const;
