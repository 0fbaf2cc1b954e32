import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeChildEnvironment } from '../../lib/child-environment.js';
import type { Environment } from './python-folders.js';

/** Finds the package without importing it, which would take its libraries into that process. */
const question = `
import importlib.util, json, sys
spec = importlib.util.find_spec('openvino')
folders = list(spec.submodule_search_locations or []) if spec else []
print(json.dumps({'python': sys.executable, 'folders': folders}))`;

const timeoutMs = 10_000;

/** Where a Python says that the package lies. */
export type PythonAnswer = { readonly python: string; readonly libraryFolders: readonly string[] };

/** Starting a Python takes a tenth of a second, and the answer is asked for more than once by one process. */
const known = new Map<string, Promise<PythonAnswer | null>>();

/**
 * Asks the `python3` on PATH where it has OpenVINO: what a wrapper such as pyenv's stands for cannot be seen otherwise.
 *
 * @param environment - Variables that Python is started with.
 * @returns Its interpreter and where the libraries would be; null where there is no Python, or not the package.
 */
export async function askPython(environment: Environment): Promise<PythonAnswer | null> {
  const key = JSON.stringify(environment);
  const answer = known.get(key) ?? startPython(environment);
  known.set(key, answer);
  return answer;
}

async function startPython(environment: Environment): Promise<PythonAnswer | null> {
  try {
    const options = { env: makeChildEnvironment(environment), timeout: timeoutMs };
    const { stdout } = await promisify(execFile)('python3', ['-c', question], options);
    const { python, folders } = JSON.parse(stdout) as { python: string; folders: string[] };
    return { python, libraryFolders: folders.map((folder) => join(folder, 'libs')) };
  } catch {
    return null;
  }
}
